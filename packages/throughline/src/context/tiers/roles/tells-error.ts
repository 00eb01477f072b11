import type { Memory } from "../../../ports/memory.ts";
import { isProjectKey, isRuleKey } from "./laid-down.ts";

const NAMED =
  /\b[A-Z]\w*(?:Error|Exception|Panic)\b|\berror(?: TS\d+|\[E\d+\])|\b(?:E(?:CONN[A-Z]+|NOENT|ACCES|ADDR[A-Z]+|PERM|TIMEDOUT|EXIST|PIPE|MFILE)|SIG[A-Z]{3,})\b/;
const WENT_WRONG =
  /\b(?:error:|panic:|fatal:|fail(?:s|ed|ing) (?:with|on|in|at|when|because|to|after)|tests? (?:fail|failed|failing|are red)|crash(?:es|ed|ing)?|throws|threw|stack trace|regression|flaky|deadlock|race condition|memory leak|segfault|timed out|root cause|broken|known (?:issue|bug|problem)|bug (?:in|with|where))\b/i;
const PUT_RIGHT =
  /\b(?:fix(?:ed|es)? (?:by|with|in|it|the|a|an)|fix:|the fix (?:is|was)|resolved (?:by|with)|solved (?:by|with)|work(?:ed)? ?around|workaround|root cause|turned out)\b/i;

/**
 * Whether a memory tells of something that went wrong. How errors are handled as a rule is no error.
 *
 * @example
 * isError(memory); // "TypeError: cannot read property 'id' of undefined in login.ts" → true
 */
export function isError(memory: Memory): boolean {
  const { full } = memory.levels;
  return mayTell(memory) && (NAMED.test(full) || WENT_WRONG.test(full));
}

/** Whether a memory tells what put something right that had gone wrong. */
export function isFix(memory: Memory): boolean {
  return mayTell(memory) && PUT_RIGHT.test(memory.levels.full);
}

/** Facts and stories tell of what happened; rules, likings and people's lives do not. */
function mayTell({ kind, category, key }: Memory): boolean {
  if (kind === "pattern" || kind === "workflow" || category === "identity" || category === "preference") return false;
  return !isRuleKey(key) && !isProjectKey(key);
}
