import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

/** A package that need not be there: looked for in a folder, or where ours are. `undefined` where it is not installed. */
export async function importPeer(name: string, folder: string | undefined): Promise<unknown> {
  const place = folder === undefined ? import.meta.filename : path.resolve(folder, "package.json");
  const file = find(name, place);
  return file === undefined ? undefined : import(pathToFileURL(file).href);
}

function find(name: string, place: string): string | undefined {
  try {
    return createRequire(place).resolve(name);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}
