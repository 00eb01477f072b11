import type { ReactNode } from "react";
import { openStudio } from "./open-studio.ts";
import { App } from "./shell/app.tsx";
import { OpeningFailed } from "./shell/opening-failed.tsx";

/** Opens the data of this device and returns the app, or an error page. */
export async function openApp(): Promise<ReactNode> {
  try {
    return <App studio={await openStudio()} />;
  } catch (error) {
    return <OpeningFailed error={error} />;
  }
}
