import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const REPOSITORY = path.join(import.meta.dirname, "..", "..");

/** The last commit of version 0.1 before the search index was rewritten. */
const OLD_COMMIT = "2da1a2c78c11bf10d8cac21bbf831afa01050a51";

/**
 * Builds version 0.1 from the history of the repository, in a folder for temporary files that later runs use again.
 *
 * @returns The folder; `undefined` if the history does not contain the version.
 */
export async function buildOldVersion(): Promise<string | undefined> {
  const folder = path.join(tmpdir(), `throughline-${OLD_COMMIT.slice(0, 12)}`);
  if (existsSync(path.join(folder, "packages/throughline/dist/server.js"))) return folder;
  const git = (...args: string[]) => run("git", args, { cwd: REPOSITORY });
  if (
    !(await git("cat-file", "-e", `${OLD_COMMIT}^{commit}`).then(
      () => true,
      () => false,
    ))
  )
    return undefined;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const archive = `${folder}.tar`;
  await git("archive", "--output", archive, OLD_COMMIT);
  await run("tar", ["-xf", archive, "-C", folder]);
  await rm(archive);
  await run("npm", ["ci", "--ignore-scripts"], { cwd: folder, maxBuffer: 1e8 });
  await run("npm", ["run", "build", "--workspace", "throughline"], { cwd: folder, maxBuffer: 1e8 });
  return folder;
}
