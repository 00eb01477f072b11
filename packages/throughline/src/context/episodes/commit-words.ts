import { redactSecrets } from "../../internal/find-secrets.ts";
import { stripInvisible } from "../../internal/one-line.ts";
import type { Commit } from "../../ports/workspace.ts";
import { isTestFile } from "../patterns/concepts/testing.ts";
import { recordOf } from "./find-artifacts.ts";

/** Trailer lines such as `Signed-off-by: …`. */
const TRAILER = /^(?:[A-Z][A-Za-z]*(?:-[A-Za-z]+)+|Change-Id|Fixes|Closes|Refs|See): .*$/gm;
const EMAIL = /<?[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+>?/g;
/** Housekeeping: merges, versions, formatting, and a change that takes back a revert. */
const ROUTINE =
  /^(?:merge\b|\w{2,12}\(deps|bump |release\b|v?\d+\.\d+|update changelog|wip\b|clean-?up\b(?!:)|fixup!|squash!|(?:style|ci|release)(?:\([^)]{1,40}\))?:|revert "(?:revert|reapply)\b|reapply "|(?:\w{2,12}(?:\([^)]{1,40}\))?: )?(?:fix(?:e[ds])? )?(?:(?:an?|the|some|minor|small) ){0,2}typos?\b)/i;
/** Types of commits that do not change behavior. */
const QUIET = /^(?:docs?|tests?|chore|build)(?:\([^)]{1,40}\))?:/i;
const DOCUMENT = /\.(?:mdx?|rst|adoc|txt)$|(?:^|\/)docs?\/|(?:^|\/)(?:license|changes|changelog|authors|\.gitignore)$/i;
const BOT = /\[bot\]|\bbot\b|dependabot|renovate/i;

/** Text of a commit message without invisible characters, trailers, secrets and e-mail addresses. */
export function tidyWords(text: string): string {
  return redactSecrets(stripInvisible(text).replace(TRAILER, "").replace(EMAIL, "")).trim();
}

/** True if all files of a commit are documents or tests, and none is a decision record. */
export function leavesCodeAlone({ files }: Pick<Commit, "files">): boolean {
  const isAside = (file: string) => (DOCUMENT.test(file) && recordOf(file).length === 0) || isTestFile(file);
  return files.length > 0 && files.every(isAside);
}

/** True if a commit was made by a bot, or is only housekeeping. */
export function isRoutine({ subject, author }: Pick<Commit, "subject" | "author">): boolean {
  return ROUTINE.test(subject.trim()) || BOT.test(author);
}

/** True if a commit is of a type that does not change behavior, such as `docs`. */
export function isQuiet({ subject }: Pick<Commit, "subject">): boolean {
  return QUIET.test(subject.trim());
}
