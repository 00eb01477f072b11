import { readWords } from "../use/path-parts.ts";

/** Branches that are named for no work. */
const TRUNK = /^(?:main|master|trunk|develop|dev|development|staging|production|release|head)$/i;
const LONGEST = 200;

/** A branch on which all work is done. */
export function isTrunk(name: string): boolean {
  return TRUNK.test(name);
}

/** What uses on a branch are marked by; nothing for branches on which all work is done. */
export function branchSignal(branch: string): readonly string[] {
  const name = branch.trim().slice(0, LONGEST);
  return name === "" || isTrunk(name) ? [] : [`branch ${name}`];
}

/** Words that say what a branch is about: `ada/fix-login-redirect` has fix, login and redirect. */
export function branchWords(branch: string): readonly string[] {
  const name = branch.trim().slice(0, LONGEST);
  return isTrunk(name) ? [] : readWords(name.replace(/^[^/]*\/(?=.)/, ""));
}
