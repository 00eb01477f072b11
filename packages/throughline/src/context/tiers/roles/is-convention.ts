import { findName } from "../../../memory/levels/known-names.ts";
import type { Memory } from "../../../ports/memory.ts";
import { isDecision } from "./is-decision.ts";
import { isOpenQuestion } from "./is-open-question.ts";
import { isProjectKey, isRuleKey } from "./laid-down.ts";
import { isError } from "./tells-error.ts";

const RULE =
  /\b(?:always|never|must(?: not)?|should(?: not)?|do not|don['’]t|by convention|conventions?|(?:we|the team|project) (?:uses?|writes?|names?|keeps?|puts?|prefers?|avoids?|follows?)|prefer|instead of|rather than|(?:all|every|each) [\w-]+s? (?:is|are|has|have|goes|go|must|gets?|returns?))\b/i;

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
  return RULE.test(levels.full) || (category === "project" && findName(value ?? "") !== undefined);
}
