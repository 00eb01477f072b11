import { findName } from "../../../language/names.ts";
import type { Memory } from "../../../ports/memory.ts";
import { isDecision } from "./is-decision.ts";
import { isOpenQuestion } from "./is-open-question.ts";
import { isProjectKey, isRuleKey, isRuleText } from "./laid-down.ts";
import { isError } from "./tells-error.ts";

/**
 * Whether a memory says how things are done in the whole project: it is kept as a rule, names something of which a project
 * has one, or tells everybody what to do. What was decided once, what went wrong and what one person likes are none.
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
