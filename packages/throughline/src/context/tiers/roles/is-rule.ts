import { wordSet } from "../../../language/word-lists.ts";
import { findIdentifiers } from "../../../ledger/find-identifiers.ts";
import { normalizeKey } from "../../../memory/facts/slots.ts";

/** Keys of rules. */
const RULES = wordSet("rule convention instruction constraint requirement policy guideline standard");
/** Keys that a project has once. */
const PROJECT_KEYS = wordSet(`
  db cache queue search language runtime framework package_manager test_runner bundler linter formatter orm ci hosting containers
  iac api_style auth styling vcs monitoring naming naming_convention style code_style indentation line_width error_handling logging
  testing tests commits commit_style branching review imports stack tech_stack main_branch default_branch build_command test_command
  lint_command dev_command start_command entry_point config_file license`);

/** Subjects of a statement about what is so: "it doesn't matter", "I don't like", "they don't have". */
const STATED = String.raw`(?<!\b(?:I|it|they|he|she|you|that|this|these|those|which|who)\s)`;
/** Wording of a rule. */
const RULE =
  /\b(?:always|never|must(?: not)?|should(?: not)?|by convention|conventions?|(?:we|the team|project) (?:uses?|writes?|names?|keeps?|puts?|prefers?|avoids?|follows?)|prefer|instead of|rather than|forbidden|(?:not )?allowed|required|mandatory|frozen|off limits|(?:all|every|each) [\w/-]+(?: [\w/-]+){0,4} (?:is|are|has|have|goes|go|must|gets?|returns?|needs?|follows?)|[\w-]+ only|only [\w-]+s|no (?:new|more|default|direct)|before (?:each|every|any|you)|from now on|going forward|(?:immer|niemals|nie|muss|müssen|darf|dürfen|toujours|jamais|doit|doivent|il faut)\b)(?!\w)/i;
/** A prohibition, not a negated statement. */
const FORBIDS = new RegExp(String.raw`${STATED}\b(?:do not|don['’]t)(?!\w)`, "i");
/** Wording of a strict rule, which also makes a text about errors a rule. */
const STRICT =
  /\b(?:always|never|must(?: not)?|forbidden|immer|niemals|muss|müssen|toujours|jamais|doit|doivent)(?!\w)/i;
/** Imperative at the start of a text. */
const TELLS_TO =
  /^(?:please\s+)?(?:use|run|ask|keep|write|put|name|avoid|add|check|commit|test|make sure|ensure|follow|stick to|wrap|format|document|remember to)\s+\S/i;
/** Start of an error message, which is not a rule even if it contains "must". */
const BEGINS_WITH_ERROR = /^(?:[\w.]*(?:Error|Exception|Panic)|error|fatal|panic|E[A-Z]{4,})\b/i;

/** Words in quotation marks, which are mentioned, not used. */
const QUOTED = /"[^"\n]{1,200}"|“[^”\n]{1,200}”/g;
/** Start of a guess or explanation. */
const SUPPOSES = /^(?:well,? )?I (?:guess|mean|suppose|wonder|assume)\b/i;

/** Start of a question about a change, which is a wish for one task even if a reason with "always" follows. */
const ASKS = /^(?:could|can|shall|would|should|what|why|how) [^?\n]{1,200}\?/i;

/** True if a text has the wording of a rule. Error messages, guesses, explanations and questions are not rules. */
export function isRuleText(text: string): boolean {
  if (BEGINS_WITH_ERROR.test(text) || SUPPOSES.test(text) || ASKS.test(text)) return false;
  const own = text.replace(QUOTED, " ");
  return RULE.test(own) || FORBIDS.test(own) || TELLS_TO.test(own);
}

/** Words that make a rule apply beyond its task. */
const LASTING =
  /\b(?:always|never|whenever|wherever|everywhere|every time|from now on|going forward|in (?:the )?future|in general|as a rule|by convention|conventions?|forbidden|mandatory|off limits|before (?:each|every|any)|immer|niemals|nie|toujours|jamais)(?!\w)/i;
/** Rule about all of a kind at the start of a text: "All handlers return", "Handlers must". */
const OF_ALL =
  /^(?:(?:all|every|each) [\w/-]+|(?!(?:the|it|this|that|these|those|I|there|you)\b)[^.;\n]{1,60} must\b)/i;
/** A statement about the project's scope: "we only support Linux". */
const PRACTICE =
  /^(?:we|the team|(?:the|this|our) project|project) (?:(?:now|only|always|usually|generally|explicitly) ){0,2}(?:uses?|supports?|writes?|names?|keeps?|puts?|prefers?|avoids?|follows?|runs?|do not|don['’]t)\b/i;
/** Order at the start of a text that forbids something, or that describes a practice. */
const ORDER =
  /^(?:(?:and|also|so|ok(?:ay)?|no|yes|please)[,.!]? )*(?:do not|don['’]t|avoid|use|prefer|follow|stick to|format|write|name)\b/i;
/** Start of a proposal or of an answer, and the mark of a sentence with what it answers. */
const PROPOSES =
  /^(?:so |and |but |also ){0,2}(?:I (?:(?:do not|don['’]t|would not|wouldn['’]t) )?(?:think|guess|mean|suppose|wonder|assume|want|would|care|need)|I['’](?:d|m)|we should|let['’]?s|maybe|perhaps|ideally|could|can|shall|it|this|that|these|those|they)\b| \[re: /i;
/** Words that need the conversation, or the one thing that a text is about. */
const OF_CONVERSATION = /^I\b|\b(?:this|that|these|those|it|here|yet|for now|right now)\b/i;

/**
 * True if a text has the wording of a rule that outlives its task: "never amend commits", but not "we
 * should also keep the agent's lines at each prompt".
 */
export function isStandingRule(text: string): boolean {
  if (!isRuleText(text)) return false;
  const own = text.replace(QUOTED, " ");
  if (LASTING.test(own)) return true;
  if (isProposalText(text) || OF_CONVERSATION.test(own)) return false;
  return OF_ALL.test(own) || PRACTICE.test(own) || (ORDER.test(own) && findIdentifiers(text).size === 0);
}

/** True if a sentence of a conversation is a proposal, or an answer that needs what it answers. */
export function isProposalText(text: string): boolean {
  return PROPOSES.test(text);
}

/** True if a text has the wording of a strict rule, even if it is about errors. */
export function isStrictRule(text: string): boolean {
  return !BEGINS_WITH_ERROR.test(text) && (STRICT.test(text) || FORBIDS.test(text));
}

/** True if a key is that of a rule. */
export function isRuleKey(key: string | undefined): boolean {
  return key !== undefined && RULES.has(normalizeKey(key));
}

/** True if a project has this key once. */
export function isProjectKey(key: string | undefined): boolean {
  return key !== undefined && PROJECT_KEYS.has(normalizeKey(key));
}
