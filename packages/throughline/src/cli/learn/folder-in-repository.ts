import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** Where a folder stands in its repository: `packages/shop/`; "" where it is all of it, or in none. */
export async function folderInRepository(folder: string): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)("git", ["rev-parse", "--show-prefix"], { cwd: folder });
    return stdout.trim();
  } catch {
    // No git, or no repository.
    return "";
  }
}
