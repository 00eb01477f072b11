import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the repository, independent of the current folder. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Ignored by git: the downloaded Node and the locks. */
export const ownFolder = join(root, ".node");

export const libraryFolder = join(root, "packages", "throughline");

export const serverFolder = join(root, "packages", "server");

export const cliFolder = join(root, "packages", "cli");

export const studioFolder = join(root, "apps", "studio");
