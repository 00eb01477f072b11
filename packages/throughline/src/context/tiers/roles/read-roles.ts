import { findName } from "../../../language/text-names.ts";
import { normalizeKey } from "../../../memory/facts/slot-keys.ts";
import type { Memory } from "../../../ports/memory.ts";
import { isPreference } from "./is-preference.ts";
import { isProjectKey, isProposalText, isRuleKey, isRuleText, isStandingRule, isStrictRule } from "./is-rule.ts";

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
function isError(memory: Memory): boolean {
  const { full } = memory.levels;
  return mayDescribe(memory) && (NAMED.test(full) || WENT_WRONG.test(full));
}

/** True if a memory reports a fix. For a workflow: a fix of a failed step. */
function isFix(memory: Memory): boolean {
  const { full } = memory.levels;
  if (memory.kind === "workflow") return HELPED.test(full);
  return mayDescribe(memory) && PUT_RIGHT.test(full);
}

/** True for facts and episodes that can report errors: no rules, preferences, personal facts or monthly summaries. */
function mayDescribe({ kind, category, key, levels }: Memory): boolean {
  if (kind === "pattern" || kind === "workflow" || category === "identity" || category === "preference") return false;
  if (kind === "episode") return !CHANGES.test(levels.full);
  return !isRuleKey(key) && !isProjectKey(key) && !isStrictRule(levels.full);
}

const ADR = /\bADR[-_ ]?\d+/i;
const DECIDED =
  /\b(?:decided|decision|chose|have chosen|agreed (?:to|on|that)|opted (?:for|to)|settled on|went with|adopted|approved|ruled out|standardi[sz]ed on|(?:switched|migrated|moved|converted) (?:\w+ ){0,4}(?:over )?to|replaced .{1,80} (?:with|by))\b/i;

/**
 * True if a memory is a decision about the work: it has an architecture decision record, a decision's key, or the
 * wording of a decision. Preferences, and episodes without a record or key, are not decisions.
 *
 * @example
 * isDecision(memory); // "We decided to keep sessions in Redis." → true
 */
function isDecision({ kind, category, key, levels, artifacts }: Memory): boolean {
  if (kind !== "fact" && kind !== "episode") return false;
  if (artifacts.some(({ type }) => type === "adr")) return true;
  if (key !== undefined && /^(?:adr|decision)(?:_|$)/.test(normalizeKey(key))) return true;
  if (kind !== "fact" || category === "identity" || category === "preference") return false;
  return ADR.test(levels.full) || DECIDED.test(levels.full);
}

const OPEN =
  /\b(?:open questions?|undecided|not (?:yet )?(?:been )?decided|to be decided|TBD|blocked (?:by|on)|blockers?|waiting (?:for|on)|still unclear|needs? a decision|unresolved)\b|\?["'”’)]*\s*$/i;

/**
 * True if a memory is an open question, a pending decision or a blocker.
 *
 * @example
 * isOpenQuestion(memory); // "Blocked by the payment provider's review." → true
 */
function isOpenQuestion({ kind, category, levels }: Memory): boolean {
  return kind === "fact" && category !== "identity" && category !== "preference" && OPEN.test(levels.full);
}

/** Role of a memory for the work. A memory can have several, such as an episode with an error and its fix. */
export type Role =
  | "decision"
  | "convention"
  | "error"
  | "fix"
  | "preference"
  | "open-question"
  | "episode"
  | "pattern"
  | "workflow"
  /** About the user, not about the work. */
  | "person"
  /** A fact without another role. Errors and fixes are notes too. */
  | "note"
  | "pinned";

const TESTS: readonly (readonly [Role, (memory: Memory) => boolean])[] = [
  ["decision", isDecision],
  ["convention", isConvention],
  ["error", isError],
  ["fix", isFix],
  ["preference", isPreference],
  ["open-question", isOpenQuestion],
];

export function readRoles(memory: Memory): readonly Role[] {
  const matching = TESTS.filter(([, isSo]) => isSo(memory)).map(([role]) => role);
  const roles = memory.kind === "fact" ? orPlain(matching, memory) : [...matching, memory.kind];
  return memory.pinned ? [...roles, "pinned"] : roles;
}

function orPlain(matching: readonly Role[], memory: Memory): readonly Role[] {
  const { category, scope, subject = "user", source, levels } = memory;
  // A proposal is understood in its conversation only. It is still found by its words.
  const isProposal = source.messageId !== undefined && isProposalText(levels.full);
  // Errors and fixes are also notes, so that they can fill the background later.
  const isPlain = !isProposal && matching.every((role) => role === "error" || role === "fix");
  if (category !== "identity") return isPlain ? [...matching, "note"] : matching;
  // A shared fact about "user" is about its author, who may not be the reader.
  return subject === "user" && scope === "user-private" ? [...matching, "person"] : matching;
}

/** True if memories of these roles are found by words. Others are selected by role alone. */
export function isFoundByWords(roles: readonly Role[]): boolean {
  return roles.some((role) => role !== "note" && role !== "person" && role !== "pinned");
}

/**
 * True if a memory is a convention of the whole project: it has a rule's key, a key that a project has once, or the
 * wording of a rule. A sentence of a conversation has to outlive its task, or to be repeated. Decisions, errors and
 * personal preferences are not conventions, but orders of the user are.
 *
 * @example
 * isConvention(memory); // "All handlers return Result<T, E>." → true
 */
function isConvention(memory: Memory): boolean {
  const { kind, category, key, value, levels, subject } = memory;
  if (kind !== "fact" || category === "identity") return false;
  if (isRuleKey(key)) return true;
  if (category === "preference") return memory.source.messageId !== undefined && isOrder(memory);
  if (isDecision(memory)) return false;
  if (isProjectKey(key)) return true;
  if (isError(memory) || isOpenQuestion(memory)) return false;
  const isOfPerson = subject !== undefined && subject !== "project";
  if (isOfPerson || /^(?:the )?user\b/i.test(levels.full)) return false;
  return isRule(memory) || (category === "project" && findName(value ?? "") !== undefined);
}

/** True for an order in a conversation ("please don't amend commits"), not for a taste ("I always prefer tea"). */
function isOrder(memory: Memory): boolean {
  return isRule(memory) && !/^(?:I|user|my|the user)\b/i.test(memory.levels.full);
}

/** True for a rule that was saved or repeated, and for one of a conversation that holds beyond it. */
function isRule({ levels: { full }, source, byHand, pinned, mentions }: Memory): boolean {
  const isSaid = source.messageId !== undefined && byHand !== true && !pinned && mentions < 2;
  return isSaid ? isStandingRule(full) : isRuleText(full);
}
