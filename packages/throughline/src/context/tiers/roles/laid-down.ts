import { wordSet } from "../../../language/word-lists.ts";
import { normalizeKey } from "../../../memory/facts/slot-keys.ts";

/** Keys of rules. */
const RULES = wordSet("rule convention instruction constraint requirement policy guideline standard");
/** Keys that a project has once. */
const PROJECT_KEYS = wordSet(`
  db cache queue search language runtime framework package_manager test_runner bundler linter formatter orm ci hosting containers
  iac api_style auth styling vcs monitoring naming naming_convention style code_style indentation line_width error_handling logging
  testing tests commits commit_style branching review imports stack tech_stack main_branch default_branch build_command test_command
  lint_command dev_command start_command entry_point config_file license`);

/** Wording of a rule. */
const RULE =
  /\b(?:always|never|must(?: not)?|should(?: not)?|do not|don['’]t|by convention|conventions?|(?:we|the team|project) (?:uses?|writes?|names?|keeps?|puts?|prefers?|avoids?|follows?)|prefer|instead of|rather than|forbidden|(?:not )?allowed|required|mandatory|frozen|off limits|(?:all|every|each) [\w/-]+(?: [\w/-]+){0,4} (?:is|are|has|have|goes|go|must|gets?|returns?|needs?|follows?)|[\w-]+ only|only [\w-]+s|no (?:new|more|default|direct)|before (?:each|every|any|you)|(?:immer|niemals|nie|muss|müssen|darf|dürfen|toujours|jamais|doit|doivent|il faut)\b)(?!\w)/i;
/** Wording of a strict rule, which also makes a text about errors a rule. */
const STRICT =
  /\b(?:always|never|must(?: not)?|do not|don['’]t|forbidden|immer|niemals|muss|müssen|toujours|jamais|doit|doivent)(?!\w)/i;
/** Imperative at the start of a text. */
const TELLS_TO =
  /^(?:please\s+)?(?:use|run|ask|keep|write|put|name|avoid|add|check|commit|test|make sure|ensure|follow|stick to|wrap|format|document|remember to)\s+\S/i;
/** Start of an error message, which is not a rule even if it contains "must". */
const BEGINS_WITH_ERROR = /^(?:[\w.]*(?:Error|Exception|Panic)|error|fatal|panic|E[A-Z]{4,})\b/i;

/** True if a text has the wording of a rule. Error messages are not rules. */
export function isRuleText(text: string): boolean {
  return !BEGINS_WITH_ERROR.test(text) && (RULE.test(text) || TELLS_TO.test(text));
}

/** True if a text has the wording of a strict rule, even if it is about errors. */
export function isStrictRule(text: string): boolean {
  return !BEGINS_WITH_ERROR.test(text) && STRICT.test(text);
}

/** True if a key is that of a rule. */
export function isRuleKey(key: string | undefined): boolean {
  return key !== undefined && RULES.has(normalizeKey(key));
}

/** True if a project has this key once. */
export function isProjectKey(key: string | undefined): boolean {
  return key !== undefined && PROJECT_KEYS.has(normalizeKey(key));
}
