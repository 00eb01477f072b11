import { asData } from "../../memory/recall/recall-block.ts";
import { countTokens } from "../../tokens/count-tokens.ts";
import type { ContextItem } from "../context-api.ts";
import { TOPIC_ID } from "../context-api.ts";
import type { Placed } from "./fill-tiers.ts";
import type { Relevance } from "./score-candidates.ts";
import type { Offer, UsedTexts } from "./used-texts.ts";

/** Lines and items of the index tier. */
export interface FilledIndex {
  readonly lines: readonly string[];
  readonly tokens: number;
  readonly items: readonly ContextItem[];
}

/** An entry of the index tier. */
interface Pointer {
  readonly word: string;
  readonly id: string;
  readonly rule: "topic" | "pointer";
  readonly reasons: readonly string[];
}

const TOPICS = "Ask me about: ";
const POINTERS = "There is more, by these names: ";
const MAX_TOPICS = 60;
const MAX_POINTERS = 40;
/** Maximum share of the index for topics, if there are pointers. */
const TOPIC_SHARE = 0.65;
const MAX_WORD_LENGTH = 50;
/** At least one word, not only numbers or symbols. */
const DESCRIPTIVE = /\p{L}{2}/u;

/** Content of the earlier tiers, and the offers that did not fit. */
export interface UsedEntries {
  readonly placed: readonly Placed[];
  readonly left: readonly Offer[];
  readonly usedTexts: UsedTexts;
}

/** Fills the index with topics, and with names of related memories that did not fit into the other tiers. */
export function fillIndex(
  relevance: Relevance,
  { placed, left, usedTexts }: UsedEntries,
  maxTokens: number,
): FilledIndex {
  const pointers = pointersOf(relevance, left, usedTexts);
  const most = pointers.length === 0 ? maxTokens : Math.floor(maxTokens * TOPIC_SHARE);
  const topics = writeLine(TOPICS, topicsOf(relevance, placed), most);
  const used = new Set(topics.items.map(({ id }) => id.slice(TOPIC_ID.length)));
  const others = pointers.filter(({ word }) => !used.has(word));
  const names = writeLine(POINTERS, others, maxTokens - topics.tokens);
  return {
    lines: [...topics.lines, ...names.lines],
    tokens: topics.tokens + names.tokens,
    items: [...topics.items, ...names.items],
  };
}

/**
 * Topics related to the work first, then the largest ones. Topics whose memories are all included in full are skipped.
 */
function topicsOf({ memoryIndexes, closest }: Relevance, placed: readonly Placed[]): readonly Pointer[] {
  const shown = new Map<string, number>();
  for (const { offer, form } of placed) {
    if (form.level !== "full") continue;
    for (const { entry } of offer.members) if (entry) shown.set(entry.topic, (shown.get(entry.topic) ?? 0) + 1);
  }
  const ofWork = closest.map(({ entry }) => entry.topic);
  // A word of a single memory is no topic, unless the memory is related to the work.
  const largest = memoryIndexes
    .flatMap((memoryIndex) => memoryIndex.topics())
    .filter(({ count }) => count > 1)
    .toSorted((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))
    .map(({ name }) => name);
  const topics: Pointer[] = [];
  for (const name of new Set([...ofWork, ...largest])) {
    if (topics.length === MAX_TOPICS) break;
    const all = memoryIndexes.reduce((sum, memoryIndex) => sum + memoryIndex.topic(name).count, 0);
    const count = all - (shown.get(name) ?? 0);
    if (count <= 0 || !DESCRIPTIVE.test(name)) continue;
    topics.push({ word: name, id: `${TOPIC_ID}${name}`, rule: "topic", reasons: [`memories: ${count}`] });
  }
  return topics;
}

function pointersOf(
  { closest, inQuestion }: Relevance,
  left: readonly Offer[],
  usedTexts: UsedTexts,
): readonly Pointer[] {
  const missed = left.flatMap((offer) => offer.members.map((member) => ({ ...member, offer })));
  const others = closest.map((one) => ({ ...one, id: one.entry.id, offer: undefined }));
  const found = new Map<string, Pointer>();
  for (const { id, entry, reasons, offer } of [...missed, ...others]) {
    if (found.size === MAX_POINTERS) break;
    if (
      entry === undefined ||
      inQuestion.has(id) ||
      usedTexts.hasId(id) ||
      found.has(entry.pointer) ||
      !DESCRIPTIVE.test(entry.pointer) ||
      (offer !== undefined && usedTexts.repetitionOf(offer) !== undefined)
    )
      continue;
    found.set(entry.pointer, { word: entry.pointer, id, rule: "pointer", reasons });
  }
  return [...found.values()];
}

/** A line with as many pointers as fit, in alphabetical order, so that one more or less does not move the others. */
function writeLine(opening: string, pointers: readonly Pointer[], maxTokens: number): FilledIndex {
  const shown = pointers.map((pointer) => ({ ...pointer, word: asData(pointer.word, MAX_WORD_LENGTH) }));
  const first = (count: number): readonly Pointer[] => shown.slice(0, count).sort((a, b) => (a.word < b.word ? -1 : 1));
  const lineOf = (some: readonly Pointer[]): string => `${opening}${some.map(({ word }) => word).join(", ")}\n`;
  const fits = (count: number): boolean => countTokens(lineOf(first(count))) <= maxTokens;
  // Usually all of them fit.
  const chosen = first(shown.length === 0 || fits(shown.length) ? shown.length : largestFitting(fits, shown.length));
  if (chosen.length === 0) return { lines: [], tokens: 0, items: [] };
  const items = chosen.map(({ id, word, rule, reasons }): ContextItem => {
    return { id, tier: "index", level: "index", tokens: countTokens(` ${word}`), rule, reasons };
  });
  const line = lineOf(chosen);
  return { lines: [line], tokens: countTokens(line), items };
}

/** Largest count below `below` that fits, by binary search. 0 if none does. */
function largestFitting(fits: (count: number) => boolean, below: number): number {
  let [known, tooMany] = [0, below];
  while (tooMany - known > 1) {
    const middle = (known + tooMany) >> 1;
    if (fits(middle)) known = middle;
    else tooMany = middle;
  }
  return known;
}
