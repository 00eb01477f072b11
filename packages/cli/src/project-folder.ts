import { statSync } from "node:fs";
import path from "node:path";
import { UsageError } from "./usage-error.ts";

/** The folder of a project that somebody names, from the root on. */
export function projectFolder(named: string): string {
  const folder = path.resolve(named);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
  throw new UsageError(`${named} is no folder.`, "Give the folder of a project.");
}
