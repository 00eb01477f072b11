import type { FactCategory } from "../../ports/memory.ts";
import { countTokens } from "../../tokens/count-tokens.ts";
import type { MemoryFact } from "../memory-fact.ts";
import { formatMemoryForPrompt } from "./format-memory.ts";
import { type Question, readQuestion, sharedKeywords } from "./read-question.ts";

/** Within so many tokens of the budget nothing more is added. */
const MARGIN = 50;
/** Facts that are tried, best first: a chat has at most 150, and each is counted together with those before it. */
const MAX_TRIED = 500;
/** Matching words that a reason names. */
const MAX_NAMED = 3;

/** A fact, and for a person why it is in the prompt or why it is not. */
export interface ExplainedMemory {
  readonly fact: MemoryFact;
  readonly reason: string;
}

export interface MemorySelection {
  /** In the order of the prompt: pinned first, then work, preferences and the person. */
  readonly chosen: readonly ExplainedMemory[];
  readonly nearMisses: readonly ExplainedMemory[];
  /** What the chosen take as they stand in the prompt. */
  readonly tokens: number;
}

export interface SelectOptions {
  /** What is said now: without it nothing is left out but for the budget. */
  readonly currentMessage?: string;
  /** Counts the tokens of a text; by OpenAI's current encoding, where nothing is said. */
  readonly count?: (text: string) => number;
}

const PRIORITY: Readonly<Record<FactCategory, number>> = { project: 0, preference: 1, identity: 2 };
/** Preferences that share no word with the message come behind everything else. */
const LAST = 3;

interface Ranked {
  readonly fact: MemoryFact;
  readonly priority: number;
  readonly keywords: readonly string[];
  readonly reason: string;
}

/**
 * The facts for a prompt, within a budget of tokens.
 *
 * Pinned facts come first, then projects, preferences and identity; within each those that share words with the current
 * message, the surer, the later. With a current message, identity is left out unless the message has a personal pronoun
 * or speaks of a place, and preferences that share no word with it only fill what room is left, the surest first.
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

/** The same selection with its reasons, and with what was left out. */
export function explainSelection(
  memories: readonly MemoryFact[],
  budgetTokens: number,
  { currentMessage, count = countTokens }: SelectOptions = {},
): MemorySelection {
  const question = currentMessage === undefined ? undefined : readQuestion(currentMessage);
  const wanted = memories.flatMap((fact) => rank(fact, question) ?? []).sort(byWorth);
  const { chosen, tokens } = fill(wanted, budgetTokens, count);
  const isChosen = new Set(chosen);
  const asked = new Set(wanted.map(({ fact }) => fact));
  const unasked = memories.filter((fact) => !asked.has(fact));
  return {
    chosen: chosen.sort(byPlace).map(({ fact, reason }) => ({ fact, reason })),
    nearMisses: [
      ...wanted.filter((one) => !isChosen.has(one)).map(({ fact }) => ({ fact, reason: "no room left for it" })),
      ...unasked.map((fact) => ({ fact, reason: "about you, and the message is not" })),
    ],
    tokens,
  };
}

/** Where a fact stands and why; `undefined` where the message does not ask for it. */
function rank(fact: MemoryFact, question: Question | undefined): Ranked | undefined {
  const keywords = question === undefined ? [] : sharedKeywords(question, fact.fact);
  const { category } = fact;
  const ranked = { fact, keywords, priority: PRIORITY[category] };
  if (fact.pinned) return { ...ranked, priority: -1, reason: because("pinned", keywords) };
  if (category === "project") return { ...ranked, reason: because("current work", keywords) };
  if (category === "identity") {
    if (question === undefined) return { ...ranked, reason: "about you" };
    return question.personal === undefined ? undefined : { ...ranked, reason: because(question.personal, keywords) };
  }
  if (keywords.length > 0) return { ...ranked, reason: because("", keywords) };
  return { ...ranked, priority: question === undefined ? ranked.priority : LAST, reason: "one of your preferences" };
}

function because(reason: string, keywords: readonly string[]): string {
  const named = keywords.slice(0, MAX_NAMED).map((word) => `'${word}'`);
  const matches = named.length === 0 ? "" : `matches ${named.join(", ")}`;
  return [reason, matches].filter((one) => one !== "").join("; ");
}

/** One that does not fit makes way for those behind it that do. */
function fill(wanted: readonly Ranked[], budget: number, count: (text: string) => number) {
  const chosen: Ranked[] = [];
  let tokens = 0;
  for (const one of wanted.slice(0, MAX_TRIED)) {
    if (chosen.length > 0 && tokens >= budget - MARGIN) break;
    const taken = count(formatMemoryForPrompt([...chosen, one].map(({ fact }) => fact)));
    if (taken > budget || taken === tokens) continue;
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

/** As they were chosen, but preferences that only filled the room stand with the others. */
function byPlace(a: Ranked, b: Ranked): number {
  const placeOf = ({ priority, fact }: Ranked): number => (priority < 0 ? priority : PRIORITY[fact.category]);
  return placeOf(a) - placeOf(b) || byWorth(a, b);
}
