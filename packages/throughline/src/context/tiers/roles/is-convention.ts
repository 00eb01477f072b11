import { findName } from "../../../language/names.ts";
import type { Memory } from "../../../ports/memory.ts";
import { isDecision } from "./is-decision.ts";
import { isOpenQuestion } from "./is-open-question.ts";
import { isProjectKey, isRuleKey, isRuleText } from "./laid-down.ts";
import { isError } from "./tells-error.ts";

/**
 * True if a memory is a convention of the whole project: it has a rule's key, a key that a project has once, or the
 * wording of a rule. Decisions, errors and personal preferences are not conventions.
 *
 * @example
 * isConvention(memory); // "All handlers return Result<T, E>." → true
 */
export function isConvention(memory: Memory): boolean {
  const { kind, category, key, value, levels, subject } = memory;
  if (kind !== "fact" || category === "identity") return false;
  if (isRuleKey(key)) return true;
  if (category === "preference" || isDecision(memory)) return false;
  if (isProjectKey(key)) return true;
  if (isError(memory) || isOpenQuestion(memory)) return false;
  const isOfPerson = subject !== undefined && subject !== "project";
  if (isOfPerson || /^(?:the )?user\b/i.test(levels.full)) return false;
  return isRuleText(levels.full) || (category === "project" && findName(value ?? "") !== undefined);
}
