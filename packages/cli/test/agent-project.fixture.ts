import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { runMain } from "./cli-in-process.ts";
import type { temporaryFolder } from "./run-cli.ts";

/**
 * Makes a project, a file of an agent's configuration in it, and commands that use both.
 *
 * @param content of the file; without it, there is none
 */
export async function agentProject(
  folder: ReturnType<typeof temporaryFolder>,
  tool: string,
  name: string,
  content?: string | Uint8Array,
) {
  const root = folder.fresh("project");
  const data = folder.fresh("data");
  const file = path.join(root, name);
  await mkdir(root);
  if (content !== undefined) {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  const run = (command: string, ...args: string[]) => runMain([command, tool, "--dir", root, "--data", data, ...args]);
  return { root, data, file, run, read: () => readFile(file, "utf8") };
}
