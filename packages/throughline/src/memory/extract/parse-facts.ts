import { booleanField, type JsonRecord, omitUndefined, stringField } from "../../internal/json.ts";
import { stripInvisible } from "../../internal/text.ts";
import type { FactCategory } from "../../ports/memory.ts";
import { normalizeFact } from "../facts/normalize-fact.ts";
import { readObjects } from "./read-objects.ts";

/** A fact in the answer of a model. */
export interface ProposedFact {
  readonly fact: string;
  readonly category: FactCategory;
  /** Quote from the conversation, if the model gave one of at most 400 characters. */
  readonly quote?: string;
  /** Attribute and its value, if the model gave both. */
  readonly key?: string;
  readonly value?: string;
  /** The fact was stated as a change of an earlier state. */
  readonly updatesPrevious: boolean;
}

/** Result of `parseFacts`. */
export interface ParsedFacts {
  readonly facts: readonly ProposedFact[];
  /** Number of dropped entries: invalid, not of high confidence, or duplicates. */
  readonly dropped: number;
  /** True if the answer contained JSON, also for an empty list; false for prose. */
  readonly isAnswer: boolean;
}

const CATEGORIES: readonly FactCategory[] = ["identity", "preference", "project"];
const MIN_FACT_LENGTH = 4;
const MAX_FACT_LENGTH = 300;
const MAX_QUOTE_LENGTH = 400;
const MAX_KEY_LENGTH = 60;
const MAX_VALUE_LENGTH = 120;
/** Maximum number of facts. A segment of a conversation has fewer. */
const MAX_FACTS = 50;

/**
 * Parses a model's answer to an extraction prompt. Reads JSON in code fences, in prose, or cut off at the end. Keeps
 * facts of 4 to 300 characters that have a known category and `"confidence": "high"`, at most 50, duplicates once.
 *
 * @param reply Text of the answer.
 * @returns The facts, the number of dropped entries, and a flag that distinguishes JSON from prose.
 *
 * @example
 * parseFacts('[{"fact": "User lives in Lisbon", "category": "identity", "confidence": "high"}]').facts.length; // 1
 */
export function parseFacts(reply: string): ParsedFacts {
  const { objects, isJson } = readObjects(reply);
  const facts = new Map<string, ProposedFact>();
  for (const object of objects) {
    const fact = readFact(object);
    if (fact !== undefined && facts.size < MAX_FACTS) facts.set(normalizeFact(fact.fact), fact);
  }
  return { facts: [...facts.values()], dropped: objects.length - facts.size, isAnswer: isJson };
}

function readFact(object: JsonRecord): ProposedFact | undefined {
  const fact = clean(stringField(object, "fact") ?? "");
  const category = CATEGORIES.find((name) => name === stringField(object, "category")?.trim().toLowerCase());
  const isSure = stringField(object, "confidence")?.trim().toLowerCase() === "high";
  if (category === undefined || !isSure || fact.length < MIN_FACT_LENGTH || fact.length > MAX_FACT_LENGTH)
    return undefined;
  if (!/\p{L}/u.test(fact)) return undefined;
  const quote = clean(stringField(object, "quote") ?? "");
  const updates = booleanField(object, "updates_previous") ?? stringField(object, "updates_previous") === "true";
  const key = clean(stringField(object, "key") ?? "");
  const value = clean(stringField(object, "value") ?? "");
  const hasSlot = isWithin(key, MAX_KEY_LENGTH) && isWithin(value, MAX_VALUE_LENGTH);
  return omitUndefined({
    fact,
    category,
    key: hasSlot ? key : undefined,
    value: hasSlot ? value : undefined,
    quote: quote === "" || quote.length > MAX_QUOTE_LENGTH ? undefined : quote,
    updatesPrevious: updates,
  });
}

function isWithin(text: string, maxLength: number): boolean {
  return /[\p{L}\p{N}]/u.test(text) && text.length <= maxLength;
}

/** One line without invisible characters. */
function clean(text: string): string {
  return stripInvisible(text).replace(/\s+/g, " ").trim();
}
