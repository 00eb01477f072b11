import type { Workspace } from "throughline/internal/engine";
import { excludedFolders } from "../config/excluded-folders.ts";

/** The files and the history of a project; `undefined` if the setting `exclude` names its folder. */
export async function allowedWorkspace(folder: string): Promise<Workspace | undefined> {
  if (excludedFolders()(folder)) return undefined;
  // Imported lazily, so that other commands start faster.
  const { openWorkspace } = await import("./workspace.ts");
  return openWorkspace(folder);
}
