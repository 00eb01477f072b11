import { checkOptions, FUNCTION, TEXT } from "../../errors/check-options.ts";
import { isSmallTalk } from "../../language/small-talk.ts";
import { readTerms, termHashes } from "../../language/terms.ts";
import type { FactCategory } from "../../ports/memory.ts";
import { countTokens } from "../../tokens/count-tokens.ts";
import type { MemoryFact } from "../memory-fact.ts";
import { formatMemoryForPrompt, IDEAL_BUDGET } from "./memory-prompt.ts";
import { readMemoryRequest } from "./memory-request.ts";

/** Stops when fewer tokens than this are left. */
const MARGIN = 50;
/** Maximum facts to try, best first. A chat has at most 150. */
const MAX_TRIED = 500;
/** Maximum matching words in a reason. */
const MAX_NAMED = 3;

/** A fact and the reason why it is in the prompt or not. */
export interface ExplainedMemory {
  readonly fact: MemoryFact;
  readonly reason: string;
}

export interface MemorySelection {
  /** In prompt order: pinned first, then projects, preferences and identity. */
  readonly chosen: readonly ExplainedMemory[];
  readonly nearMisses: readonly ExplainedMemory[];
  /** Tokens of the chosen facts in the prompt. */
  readonly tokens: number;
}

export interface SelectOptions {
  /** Current user message. Without it only the budget limits the selection. */
  readonly currentMessage?: string;
  /** Token counter. Default: OpenAI's current encoding. */
  readonly count?: (text: string) => number;
}

const PRIORITY: Readonly<Record<FactCategory, number>> = { project: 0, preference: 1, identity: 2 };
/** Rank of preferences that share no word with the message. */
const LAST = 3;

interface Ranked {
  readonly fact: MemoryFact;
  readonly priority: number;
  readonly keywords: readonly string[];
  readonly reason: string;
}

/**
 * Selects facts for a prompt within a token budget.
 *
 * Order: pinned facts, projects, preferences, identity; within each, facts that share words with the current message,
 * then by confidence, then by recency. With a current message, identity facts need a personal pronoun or a place in it,
 * and preferences that share no word with it only fill the budget up to 350 tokens, and none is added to a greeting or
 * thanks.
 *
 * @param memories Facts of the user.
 * @param budgetTokens Token budget.
 * @param currentMessage Current user message.
 *
 * @example
 * selectMemoriesForInjection(facts, calculateMemoryBudget("gpt-4o", 2_000), "Which database do I use?");
 */
export function selectMemoriesForInjection(
  memories: readonly MemoryFact[],
  budgetTokens: number,
  currentMessage?: string,
): MemoryFact[] {
  const options = currentMessage === undefined ? {} : { currentMessage };
  return explainSelection(memories, budgetTokens, options).chosen.map(({ fact }) => fact);
}

const WHY_UNASKED: Readonly<Record<FactCategory, string>> = {
  project: "Not asked for",
  preference: "Not needed for this message",
  identity: "About you, but the message isn't",
};

/**
 * Selects facts as {@link selectMemoriesForInjection} does, and returns the reasons and the facts that were left out.
 *
 * @param memories Facts of the user.
 * @param budgetTokens Token budget.
 * @param options Current message and token counter.
 *
 * @example
 * const { chosen, nearMisses } = explainSelection(facts, 500, { currentMessage: "Which database do I use?" });
 */
export function explainSelection(
  memories: readonly MemoryFact[],
  budgetTokens: number,
  options: SelectOptions = {},
): MemorySelection {
  checkOptions("explainSelection", options, { currentMessage: TEXT, count: FUNCTION });
  const { currentMessage, count = countTokens } = options;
  const asksForAll = currentMessage !== undefined && readMemoryRequest(currentMessage)?.kind === "list";
  const question = currentMessage === undefined || asksForAll ? undefined : readQuestion(currentMessage);
  const wanted = memories.flatMap((fact) => rank(fact, question) ?? []).sort(byWorth);
  const { chosen, tokens } = fill(wanted, budgetTokens, count);
  const isChosen = new Set(chosen);
  const requested = new Set(wanted.map(({ fact }) => fact));
  const unasked = memories.filter((fact) => !requested.has(fact));
  return {
    chosen: chosen.sort(byPlace).map(({ fact, reason }) => ({ fact, reason })),
    nearMisses: [
      ...wanted
        .filter((one) => !isChosen.has(one))
        .map((one) => ({ fact: one.fact, reason: whyLeftOut(one, budgetTokens) })),
      ...unasked.map((fact) => ({ fact, reason: WHY_UNASKED[fact.category] })),
    ],
    tokens,
  };
}

function whyLeftOut(one: Ranked, budget: number): string {
  return `This fact does not fit in the limit of ${limitOf(one, budget)} tokens`;
}

/** Tokens up to which a fact may be added. */
function limitOf({ priority }: Ranked, budget: number): number {
  return priority === LAST ? Math.min(budget, IDEAL_BUDGET) : budget;
}

/** Rank and reason of a fact; `undefined` if the message does not ask for it. */
function rank(fact: MemoryFact, question: Question | undefined): Ranked | undefined {
  const keywords = question === undefined ? [] : sharedKeywords(question, fact.fact);
  const { category } = fact;
  const ranked = { fact, keywords, priority: PRIORITY[category] };
  if (fact.pinned) return { ...ranked, priority: -1, reason: describeReason("Pinned", keywords) };
  if (category === "project") return { ...ranked, reason: describeReason("Active project", keywords) };
  if (category === "identity") {
    if (question === undefined) return { ...ranked, reason: "About you" };
    return question.personal === undefined
      ? undefined
      : { ...ranked, reason: describeReason(question.personal, keywords) };
  }
  if (keywords.length > 0) return { ...ranked, reason: describeReason("Preference", keywords) };
  if (question === undefined) return { ...ranked, reason: "Preference" };
  return question.isSmallTalk ? undefined : { ...ranked, priority: LAST, reason: "Preference" };
}

function describeReason(reason: string, keywords: readonly string[]): string {
  const named = keywords.slice(0, MAX_NAMED).map((word) => `"${word}"`);
  return named.length === 0 ? reason : `${reason} (matched ${named.join(", ")})`;
}

/** Fills the budget greedily; facts that do not fit are skipped. */
function fill(wanted: readonly Ranked[], budget: number, count: (text: string) => number) {
  const chosen: Ranked[] = [];
  let tokens = 0;
  for (const one of wanted.slice(0, MAX_TRIED)) {
    const most = limitOf(one, budget);
    if (chosen.length > 0 && tokens >= most - MARGIN) break;
    const taken = count(formatMemoryForPrompt([...chosen, one].map(({ fact }) => fact)));
    if (taken > most || taken === tokens) continue;
    chosen.push(one);
    tokens = taken;
  }
  return { chosen, tokens };
}

function byWorth(a: Ranked, b: Ranked): number {
  return (
    a.priority - b.priority ||
    (a.priority === -1 ? PRIORITY[a.fact.category] - PRIORITY[b.fact.category] : 0) ||
    b.keywords.length - a.keywords.length ||
    b.fact.confidence - a.fact.confidence ||
    b.fact.lastSeen - a.fact.lastSeen ||
    Number(a.fact.id > b.fact.id) - Number(a.fact.id < b.fact.id)
  );
}

/** Order of selection, but preferences that only filled the budget join the other preferences. */
function byPlace(a: Ranked, b: Ranked): number {
  const placeOf = ({ priority, fact }: Ranked): number => (priority < 0 ? priority : PRIORITY[fact.category]);
  return placeOf(a) - placeOf(b) || byWorth(a, b);
}

/** Properties of a message that select memories. */
interface Question {
  /** Hash of a stem → word of the message and its position. */
  readonly keywords: ReadonlyMap<number, { readonly word: string; readonly place: number }>;
  /** Reason to include facts about the user; `undefined` if there is none. */
  readonly personal?: string;
  /** The message asks for nothing: a greeting, thanks or a farewell. */
  readonly isSmallTalk: boolean;
}

/** Words that occur in too many facts to be significant. */
const COMMON = termHashes("user use prefer");

/** An `i` before an operator or a closing bracket is a variable. */
const FIRST_PERSON = wholeWord(
  String.raw`i(?!\s*[+=<>;)\]\[])|i['’](?:m|ve|d|ll)|me|my|mine|myself|we|we['’](?:re|ve|d|ll)|our|ours|ourselves`,
);
const SECOND_PERSON = wholeWord("you|you['’](?:re|ve|d|ll)|your|yours|yourself");
const PLACE = wholeWord(
  "where|where['’]s|here|near|nearby|nearest|located|location|based|live|city|country|local|locally|time ?zone",
);

/** Matches whole words: not parts of other words, of paths (`I/O`) or of compounds (`local-first`). */
function wholeWord(words: string): RegExp {
  return new RegExp(String.raw`(?<![\p{L}\p{N}_/.'’-])(?:${words})(?![\p{L}\p{N}_/'’-])`, "iu");
}

/** Reads the keywords of a message, and if it is about the user or about a place. */
function readQuestion(message: string): Question {
  const keywords = new Map<number, { word: string; place: number }>();
  for (const { word, hash } of readTerms(message)) {
    if (!COMMON.has(hash)) keywords.set(hash, { word, place: keywords.get(hash)?.place ?? keywords.size });
  }
  const personal = whyPersonal(message);
  return { keywords, isSmallTalk: isSmallTalk(message.trim()), ...(personal !== undefined && { personal }) };
}

/** Keywords of the message that occur in a fact, in the message's order. */
function sharedKeywords({ keywords }: Question, fact: string): readonly string[] {
  const terms = termHashes(fact);
  const shared = [...terms].flatMap((hash) => keywords.get(hash) ?? []);
  return shared.sort((a, b) => a.place - b.place).map(({ word }) => word);
}

function whyPersonal(message: string): string | undefined {
  if (FIRST_PERSON.test(message)) return "You asked about yourself";
  if (PLACE.test(message)) return "You asked about a place";
  const [addressed] = SECOND_PERSON.exec(message) ?? [];
  return addressed === undefined ? undefined : `Your message says "${addressed.toLowerCase()}"`;
}
