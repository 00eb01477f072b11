import "./ui/tokens.css";
import "./ui/base.css";
import "./offline/register.ts";
// Applies the chosen theme before the first paint.
import "./app/device-settings.ts";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { AppSkeleton } from "./app/shell/app-skeleton.tsx";

const place = document.getElementById("root");
if (place === null) throw new TypeError("The page has no #root element.");
const root = createRoot(place);
// The frame is there at once; everything else is loaded behind it.
root.render(<AppSkeleton />);
const { openApp } = await import("./app/shell/app.tsx");
root.render(<StrictMode>{await openApp()}</StrictMode>);
