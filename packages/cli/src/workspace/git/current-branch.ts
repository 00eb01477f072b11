import { askGit } from "./run-git.ts";

/** The branch that is checked out in a folder; nothing where none is, or where there is no repository. */
export async function currentBranch(root: string): Promise<string | undefined> {
  const { code, answer } = await askGit(root, ["symbolic-ref", "--quiet", "--short", "HEAD"]);
  const branch = answer.replace(/\n$/, "");
  return code === 0 && branch !== "" ? branch : undefined;
}
