import {
  booleanField,
  isRecord,
  type JsonRecord,
  omitUndefined,
  stringField,
  tryParseJson,
} from "../../internal/json.ts";
import { stripInvisible } from "../../internal/text.ts";
import type { FactCategory } from "../../ports/memory.ts";
import { normalizeFact } from "../facts/normalize-fact.ts";

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

/** A longer reply does not follow the prompt, so its rest is ignored. */
const MAX_REPLY_LENGTH = 32_000;
const MAX_OBJECT_LENGTH = 2_000;

/**
 * The objects in a model's reply: from a JSON array, an array in an object, between prose and fences, or the complete
 * ones of a truncated reply. Objects that cannot be parsed are skipped.
 */
export function readObjects(reply: string): { readonly objects: readonly JsonRecord[]; readonly isJson: boolean } {
  const text = reply.slice(0, MAX_REPLY_LENGTH).trim();
  const whole = tryParseJson(text.replace(/^```[\w-]*\s*|(?<!\s)\s*```$|```$/g, ""));
  if (whole !== undefined) {
    const list = listIn(whole.value);
    return { objects: list?.filter(isRecord) ?? [], isJson: list !== undefined };
  }
  const objects = findObjects(text);
  return { objects, isJson: objects.length > 0 || /\[\s*\]/.test(text) };
}

function listIn(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (!isRecord(value)) return undefined;
  const inner = Object.values(value).find(Array.isArray);
  return inner ?? [value];
}

function findObjects(text: string): JsonRecord[] {
  const objects: JsonRecord[] = [];
  for (let at = text.indexOf("{"); at !== -1; ) {
    const end = endOfObject(text, at);
    const object = end === undefined ? undefined : parseLoosely(text.slice(at, end));
    // An object that cannot be parsed, or that contains an array, may contain other objects.
    const inner = object === undefined ? undefined : Object.values(object).some(Array.isArray);
    if (object !== undefined && inner !== true) objects.push(object);
    at = text.indexOf("{", object !== undefined && inner !== true && end !== undefined ? end : at + 1);
  }
  return objects;
}

/** Offset after the object that starts here. Braces inside of strings do not count. */
function endOfObject(text: string, start: number): number | undefined {
  let depth = 0;
  let inString = false;
  const last = Math.min(text.length, start + MAX_OBJECT_LENGTH);
  for (let i = start; i < last; i += 1) {
    const sign = text[i];
    if (inString && sign === "\\") i += 1;
    else if (sign === '"') inString = !inString;
    else if (!inString && sign === "{") depth += 1;
    else if (!inString && sign === "}") {
      depth -= 1;
      if (depth === 0) return i + 1;
    }
  }
  return undefined;
}

/** Repairs of common mistakes in JSON written by models. */
const REPAIRS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.replace(/[\u201c\u201d]/g, '"').replace(/,\s*([}\]])/g, "$1"),
  (text) => text.replace(/([{,]\s*)([A-Za-z_]\w*)\s*:/g, '$1"$2":'),
  (text) =>
    text
      .replace(/\bTrue\b/g, "true")
      .replace(/\bFalse\b/g, "false")
      .replace(/\bNone\b/g, "null"),
  (text) => text.replace(/(?<=[{,:]\s*)'([^'\n]*)'(?=\s*[,:}])/g, (_, inner: string) => JSON.stringify(inner)),
  (text) => text.replace(/[\n\r\t]+/g, " "),
];

/** Applies the repairs one after the other until the text is valid JSON. */
function parseLoosely(text: string): JsonRecord | undefined {
  let repaired = text;
  for (const repair of REPAIRS) {
    repaired = repair(repaired);
    const parsed = tryParseJson(repaired);
    if (parsed !== undefined) return isRecord(parsed.value) ? parsed.value : undefined;
  }
  return undefined;
}
