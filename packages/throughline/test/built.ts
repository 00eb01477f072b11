import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { cliFolder, libraryFolder } from "../../../tools/run/paths.mjs";

/** The folder of the library. Tests of the published package read its `dist` and not the source. */
export const packageFolder = libraryFolder;

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly bin?: Readonly<Record<string, string>>;
  /** The file of each subpath; files of data have types beside it. */
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** The package.json of a package. */
export function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

export const manifest = manifestOf(libraryFolder);

/** The path of a built file of the library. */
export function builtFile(name: string): string {
  return existing(join(libraryFolder, "dist", name));
}

/** The path of the built command line. */
export function builtProgram(): string {
  return existing(join(cliFolder, "dist", "bin.js"));
}

function existing(path: string): string {
  if (!existsSync(path)) throw new Error(`${path} is missing: run npm test or npm run build first`);
  return path;
}
