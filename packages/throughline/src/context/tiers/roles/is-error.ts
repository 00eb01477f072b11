import type { Memory } from "../../../ports/memory.ts";
import { isProjectKey, isRuleKey, isStrictRule } from "./is-rule.ts";

const NAMED =
  /\b[A-Z]\w*(?:Error|Exception|Panic)\b|\berror(?: TS\d+|\[E\d+\])|\b(?:E(?:CONN[A-Z]+|NOENT|ACCES|ADDR[A-Z]+|PERM|TIMEDOUT|EXIST|PIPE|MFILE)|SIG[A-Z]{3,})\b/;
const WENT_WRONG =
  /\b(?:error|panic|fatal):\s|\b(?:fail(?:s|ed|ing) (?:with|on|in|at|when|because|to|after)|tests? (?:fail|failed|failing|are red)|crash(?:es|ed|ing)?|throws|threw|stack trace|regression|flaky|deadlock|race condition|memory leak|segfault|timed out|root cause|broken|known (?:issue|bug|problem)|bug (?:in|with|where))\b/i;
const PUT_RIGHT =
  /\bfix:\s|\b(?:fix(?:ed|es)? (?:by|with|in|it|the|a|an)|the fix (?:is|was)|resolved (?:by|with)|solved (?:by|with)|work(?:ed)? ?around|workaround|root cause|turned out)\b/i;

const HELPED = /^If \S{1,40} fails with /m;
/** Title of a monthly summary of changes. */
const CHANGES = /^.{1,60} in \d{4}-\d\d: \d+ changes$/m;

/**
 * True if a memory reports an error. Rules about error handling are not errors.
 *
 * @example
 * isError(memory); // "TypeError: cannot read property 'id' of undefined in login.ts" → true
 */
export function isError(memory: Memory): boolean {
  const { full } = memory.levels;
  return mayTell(memory) && (NAMED.test(full) || WENT_WRONG.test(full));
}

/** True if a memory reports a fix. For a workflow: a fix of a failed step. */
export function isFix(memory: Memory): boolean {
  const { full } = memory.levels;
  if (memory.kind === "workflow") return HELPED.test(full);
  return mayTell(memory) && PUT_RIGHT.test(full);
}

/** True for facts and episodes that can report errors: no rules, preferences, personal facts or monthly summaries. */
function mayTell({ kind, category, key, levels }: Memory): boolean {
  if (kind === "pattern" || kind === "workflow" || category === "identity" || category === "preference") return false;
  if (kind === "episode") return !CHANGES.test(levels.full);
  return !isRuleKey(key) && !isProjectKey(key) && !isStrictRule(levels.full);
}
