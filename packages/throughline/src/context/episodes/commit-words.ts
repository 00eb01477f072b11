import { redactSecrets } from "../../internal/find-secrets.ts";
import { stripInvisible } from "../../internal/one-line.ts";
import type { Commit } from "../../ports/workspace.ts";

/** Lines that say who, not what: `Signed-off-by: …`. */
const TRAILER = /^(?:[A-Z][A-Za-z]*(?:-[A-Za-z]+)+|Change-Id|Fixes|Closes|Refs|See): .*$/gm;
const EMAIL = /<?[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+>?/g;
const ROUTINE =
  /^(?:merge\b|chore\(deps|build\(deps|bump |release\b|v?\d+\.\d+|update changelog|wip\b|fixup!|squash!)/i;
const BOT = /\[bot\]|\bbot\b|dependabot|renovate/i;

/** What was said about a change, without what nobody sees, without secrets and without addresses of people. */
export function tidyWords(text: string): string {
  return redactSecrets(stripInvisible(text).replace(TRAILER, "").replace(EMAIL, "")).trim();
}

/** Whether a change was made by a machine, or for the sake of order alone. */
export function isRoutine({ subject, author }: Pick<Commit, "subject" | "author">): boolean {
  return ROUTINE.test(subject) || BOT.test(author);
}
