import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

/** Imports an optional package from a folder, or from our own dependencies; `undefined` if it is not installed. */
export async function importPeer(name: string, folder: string | undefined): Promise<unknown> {
  const file = findPeer(name, folder);
  return file === undefined ? undefined : import(pathToFileURL(file).href);
}

/** The file that would be loaded for a package. */
export function findPeer(name: string, folder: string | undefined): string | undefined {
  const place = folder === undefined ? import.meta.filename : path.resolve(folder, "package.json");
  try {
    return createRequire(place).resolve(name);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}
