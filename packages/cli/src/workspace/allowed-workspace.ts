import type { Workspace } from "throughline/internal/engine";
import { excludedFolders } from "../config/excluded-folders.ts";

/** The files and the history of a project; `undefined` if the setting `exclude` names its folder. */
export async function allowedWorkspace(folder: string): Promise<Workspace | undefined> {
  if (excludedFolders()(folder)) return undefined;
  // Loaded here, so that other commands do not wait for it.
  const { openWorkspace } = await import("./workspace.ts");
  return openWorkspace(folder);
}
