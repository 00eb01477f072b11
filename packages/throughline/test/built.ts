import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** These tests are about what is published, so they read dist and not the source. */
export const packageFolder = fileURLToPath(new URL("..", import.meta.url));

export const manifest: {
  name: string;
  bin: Record<string, string>;
  exports: Record<string, string | Record<string, string>>;
} = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8"));

/** The path of a built file. */
export function builtFile(name: string): string {
  const path = join(packageFolder, "dist", name);
  if (!existsSync(path)) throw new Error(`dist/${name} is missing: run npm test or npm run build first`);
  return path;
}
