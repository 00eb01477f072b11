import "./ui/tokens.css";
import "./ui/base.css";
import "./offline/register.ts";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/app.tsx";
import { openStudio } from "./app/open-studio.ts";
import { OpeningFailed } from "./app/opening-failed.tsx";

const place = document.getElementById("root");
if (place === null) throw new TypeError("The page has no place for the app.");
const root = createRoot(place);
try {
  const studio = await openStudio();
  root.render(
    <StrictMode>
      <App studio={studio} />
    </StrictMode>,
  );
} catch (error) {
  root.render(<OpeningFailed error={error} />);
}
