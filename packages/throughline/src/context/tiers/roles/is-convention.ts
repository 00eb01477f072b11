import { findName } from "../../../language/names.ts";
import type { Memory } from "../../../ports/memory.ts";
import { isDecision } from "./is-decision.ts";
import { isError } from "./is-error.ts";
import { isOpenQuestion } from "./is-open-question.ts";
import { isProjectKey, isRuleKey, isRuleText, isStandingRule } from "./is-rule.ts";

/**
 * True if a memory is a convention of the whole project: it has a rule's key, a key that a project has once, or the
 * wording of a rule. A sentence of a conversation has to outlive its task, or to be repeated. Decisions, errors and
 * personal preferences are not conventions, but orders of the user are.
 *
 * @example
 * isConvention(memory); // "All handlers return Result<T, E>." → true
 */
export function isConvention(memory: Memory): boolean {
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
