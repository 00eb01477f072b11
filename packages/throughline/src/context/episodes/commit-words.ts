import { redactSecrets } from "../../internal/find-secrets.ts";
import { stripInvisible } from "../../internal/one-line.ts";
import type { Commit } from "../../ports/workspace.ts";

/** Trailer lines such as `Signed-off-by: …`. */
const TRAILER = /^(?:[A-Z][A-Za-z]*(?:-[A-Za-z]+)+|Change-Id|Fixes|Closes|Refs|See): .*$/gm;
const EMAIL = /<?[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+>?/g;
const ROUTINE =
  /^(?:merge\b|chore\(deps|build\(deps|bump |release\b|v?\d+\.\d+|update changelog|wip\b|fixup!|squash!)/i;
const BOT = /\[bot\]|\bbot\b|dependabot|renovate/i;

/** Text of a commit message without invisible characters, trailers, secrets and e-mail addresses. */
export function tidyWords(text: string): string {
  return redactSecrets(stripInvisible(text).replace(TRAILER, "").replace(EMAIL, "")).trim();
}

/** True if a commit was made by a bot, or is only housekeeping. */
export function isRoutine({ subject, author }: Pick<Commit, "subject" | "author">): boolean {
  return ROUTINE.test(subject) || BOT.test(author);
}
