import { wordSet } from "../../../memory/contradictions/words/word-list.ts";
import { normalizeKey } from "../../../memory/facts/slot-keys.ts";

/** What is laid down for everybody who works on it. */
const RULES = wordSet("rule convention instruction constraint requirement policy guideline standard");
/** What a whole project has one of. */
const PROJECT_KEYS = wordSet(`
  db cache queue search language runtime framework package_manager test_runner bundler linter formatter orm ci hosting containers
  iac api_style auth styling vcs monitoring naming naming_convention style code_style indentation line_width error_handling logging
  testing tests commits commit_style branching review imports stack tech_stack main_branch default_branch build_command test_command
  lint_command dev_command start_command entry_point config_file license`);

/** Whether a key is that of a rule. */
export function isRuleKey(key: string | undefined): boolean {
  return key !== undefined && RULES.has(normalizeKey(key));
}

/** Whether a key is that of something that a whole project has one of. */
export function isProjectKey(key: string | undefined): boolean {
  return key !== undefined && PROJECT_KEYS.has(normalizeKey(key));
}
