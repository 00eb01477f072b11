import { redactSecrets } from "../../internal/find-secrets.ts";

const SECRET_FLAG =
  /^--?(?:[\w-]*-)?(?:password|passwd|pass|token|secret|api-?key|access-?key|auth|credentials?|bearer)$/i;
const SECRET_ASSIGNED = /^(--?(?:[\w-]*-)?(?:password|passwd|pass|token|secret|api-?key|access-?key)=)(?!\$).+/i;
const USER_FLAG = /^(?:-u|--user)$/;
const BLANK = "****";

/** Redacts secrets in the words of a command: by their format, and as values of flags for secrets. */
export function hideArguments(words: readonly string[]): readonly string[] {
  return words.map((word, at) => {
    const before = words[at - 1] ?? "";
    const isGiven = !word.startsWith("-") && !word.startsWith("$");
    if (isGiven && (SECRET_FLAG.test(before) || (USER_FLAG.test(before) && word.includes(":")))) return BLANK;
    return redactSecrets(word.replace(SECRET_ASSIGNED, `$1${BLANK}`));
  });
}
