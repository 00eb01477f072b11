import { askGit } from "../workspace/git/run-git.ts";

/** Where a folder stands in its repository: `packages/shop/`; "" where it is all of it, or in none. */
export async function folderInRepository(folder: string): Promise<string> {
  const { code, answer } = await askGit(folder, ["rev-parse", "--show-prefix"]);
  return code === 0 ? answer.trim() : "";
}
