import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "../run/paths.mjs";

const { default: getExePath } = await import(
  pathToFileURL(join(root, "node_modules", "typescript-7", "lib", "getExePath.js")).href
);

/** For `dts` of tsdown: TypeScript 7 writes the declarations, in a fraction of the time that TypeScript 6 takes. */
export const nativeTypes = { tsgo: { path: getExePath() } };
