import { readWords } from "../use/path-parts.ts";

/** Branch names that describe no task. */
const TRUNK = /^(?:main|master|trunk|develop|dev|development|staging|production|release|head)$/i;
const BRANCH = "branch ";
const LONGEST = 200;

/** True for a main or other long-lived branch. */
export function isTrunk(name: string): boolean {
  return TRUNK.test(name);
}

/** Signal of a branch. Empty for long-lived branches. */
export function branchSignal(branch: string): readonly string[] {
  const name = branch.trim().slice(0, LONGEST);
  return name === "" || isTrunk(name) ? [] : [`${BRANCH}${name}`];
}

export function isBranchSignal(signal: string): boolean {
  return signal.startsWith(BRANCH);
}

/** Descriptive words of a branch name: `ada/fix-login-redirect` has fix, login and redirect. */
export function branchWords(branch: string): readonly string[] {
  const name = branch.trim().slice(0, LONGEST);
  return isTrunk(name) ? [] : readWords(name.replace(/^[^/]*\/(?=.)/, ""));
}
