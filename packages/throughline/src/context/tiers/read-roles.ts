import { termHashes } from "../../language/terms.ts";
import { findName } from "../../language/text-names.ts";
import { wordSet } from "../../language/words.ts";
import { findIdentifiers } from "../../ledger/find-identifiers.ts";
import { normalizeKey } from "../../memory/facts/slots.ts";
import type { Memory } from "../../ports/memory.ts";

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

/** Keys of rules. */
const RULES = wordSet("rule convention instruction constraint requirement policy guideline standard");
/** Keys that a project has once. */
const PROJECT_KEYS = wordSet(`
  db cache queue search language runtime framework package_manager test_runner bundler linter formatter orm ci hosting containers
  iac api_style auth styling vcs monitoring naming naming_convention style code_style indentation line_width error_handling logging
  testing tests commits commit_style branching review imports stack tech_stack main_branch default_branch build_command test_command
  lint_command dev_command start_command entry_point config_file license`);

/** Subjects of a statement of fact: "it doesn't matter", "I don't like", "they don't have". */
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
const IMPERATIVE =
  /^(?:please\s+)?(?:use|run|ask|keep|write|put|name|avoid|add|check|commit|test|make sure|ensure|follow|stick to|wrap|format|document|remember to)\s+\S/i;
/** Start of an error message, which is not a rule even if it contains "must". */
const BEGINS_WITH_ERROR = /^(?:[\w.]*(?:Error|Exception|Panic)|error|fatal|panic|E[A-Z]{4,})\b/i;

/** Words in quotation marks, which are mentioned, not used. */
const QUOTED = /"[^"\n]{1,200}"|“[^”\n]{1,200}”/g;
/** Start of a guess or explanation. */
const GUESS = /^(?:well,? )?I (?:guess|mean|suppose|wonder|assume)\b/i;

/** Start of a question about a change, which is a wish for one task even if a reason with "always" follows. */
const ASKS = /^(?:could|can|shall|would|should|what|why|how) [^?\n]{1,200}\?/i;

/** True if a text has the wording of a rule. Error messages, guesses, explanations and questions are not rules. */
function isRuleText(text: string): boolean {
  if (BEGINS_WITH_ERROR.test(text) || GUESS.test(text) || ASKS.test(text)) return false;
  const own = text.replace(QUOTED, " ");
  return RULE.test(own) || FORBIDS.test(own) || IMPERATIVE.test(own);
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
/** Start of a proposal or of an answer, and the mark of a sentence quoted with its question. */
const PROPOSES =
  /^(?:so |and |but |also ){0,2}(?:I (?:(?:do not|don['’]t|would not|wouldn['’]t) )?(?:think|guess|mean|suppose|wonder|assume|want|would|care|need)|I['’](?:d|m)|we should|let['’]?s|maybe|perhaps|ideally|could|can|shall|it|this|that|these|those|they)\b| \[re: /i;
/** Words that need the conversation, or the one thing that a text is about. */
const OF_CONVERSATION = /^I\b|\b(?:this|that|these|those|it|here|yet|for now|right now)\b/i;

/**
 * True if a text has the wording of a rule that outlives its task: "never amend commits", but not "we
 * should also keep the agent's lines at each prompt".
 */
function isStandingRule(text: string): boolean {
  if (!isRuleText(text)) return false;
  const own = text.replace(QUOTED, " ");
  if (LASTING.test(own)) return true;
  if (isProposalText(text) || OF_CONVERSATION.test(own)) return false;
  return OF_ALL.test(own) || PRACTICE.test(own) || (ORDER.test(own) && findIdentifiers(text).size === 0);
}

/** True if a sentence of a conversation is a proposal, or an answer that is unclear without its question. */
function isProposalText(text: string): boolean {
  return PROPOSES.test(text);
}

/** True if a text has the wording of a strict rule, even if it is about errors. */
function isStrictRule(text: string): boolean {
  return !BEGINS_WITH_ERROR.test(text) && (STRICT.test(text) || FORBIDS.test(text));
}

function isRuleKey(key: string | undefined): boolean {
  return key !== undefined && RULES.has(normalizeKey(key));
}

function isProjectKey(key: string | undefined): boolean {
  return key !== undefined && PROJECT_KEYS.has(normalizeKey(key));
}

const LIKING_KEYS = wordSet("likes dislikes prefers preference preferences");
const LIKES = /\b(?:prefers?|likes?|loves?|hates?|dislikes?|wants?|insists? on|favou?rs?|would rather)\b/i;

/** A sentence quoted with the proposal that it answers: "I don't like turn [re: …]". */
const REPLIES = / \[re: /;
/** Minimum number of content words besides the liking: "I don't like turn" cannot be understood later. */
const MIN_WORDS = 2;

/**
 * True if a memory is the preference of a person. A sentence of a conversation has to have the wording of a preference
 * or of a lasting rule, and to be understood without the conversation.
 *
 * @example
 * isPreference(memory); // "Mara prefers small pull requests." → true
 */
function isPreference({ kind, category, key, subject, levels, source }: Memory): boolean {
  if (kind !== "fact" || category === "identity") return false;
  const named = key === undefined ? "" : normalizeKey(key);
  const isLiking = LIKING_KEYS.has(named) || /^(?:prefers|preference)_/.test(named);
  const isWorded = (): boolean => LIKES.test(levels.full) || isStandingRule(levels.full);
  if (category === "preference" || isLiking)
    return source.messageId === undefined || (isWorded() && !REPLIES.test(levels.full) && hasContent(levels.full));
  return subject !== undefined && subject !== "project" && LIKES.test(levels.full);
}

function hasContent(text: string): boolean {
  const words = termHashes(text.replace(LIKES, " "));
  return words.size >= MIN_WORDS;
}

/**
 * True if a memory is about this person, or was stated by this person.
 *
 * @example
 * isOf({ subject: "Mara" }, "mara"); // true
 */
export function isOf(
  { subject, speaker, owner }: { readonly subject?: string; readonly speaker?: string; readonly owner?: string },
  person: string,
): boolean {
  const name = person.trim().toLowerCase();
  if (name === "") return false;
  const isNamed = (text: string | undefined): boolean => text?.trim().toLowerCase() === name;
  const isOfOther = subject !== undefined && subject !== "user" && subject !== "project";
  return isOfOther ? isNamed(subject) : isNamed(speaker) || isNamed(owner);
}
