import type { Message, Part } from "throughline";
import { arrayField, isRecord, type JsonRecord, omitUndefined, otherFields } from "throughline/internal/util";
import type { Foreign, ProviderOptions } from "throughline/messages";

interface Field {
  readonly name: string;
  /** Range from the field name to the end of its value. */
  readonly start: number;
  readonly value: number;
  readonly end: number;
}

/**
 * Replaces, removes (`undefined`) or appends fields of a JSON object in its text. Everything else keeps its exact form,
 * including numbers that JavaScript cannot represent.
 */
export function replaceFields(text: string, changes: JsonRecord): string {
  const fields = fieldsOf(text);
  const isChanged = ({ name }: Field) => Object.hasOwn(changes, name);
  const isRemoved = (field: Field) => isChanged(field) && changes[field.name] === undefined;
  let written = "";
  let at = 0;
  fields.forEach((field, index) => {
    if (isRemoved(field)) {
      written += text.slice(at, field.start);
      at = fields[index + 1]?.start ?? field.end;
    } else if (isChanged(field)) {
      written += `${text.slice(at, field.value)}${JSON.stringify(changes[field.name])}`;
      at = field.end;
    }
  });
  const known = new Set(fields.map(({ name }) => name));
  const added = Object.entries(changes).flatMap(([name, value]) =>
    known.has(name) || value === undefined ? [] : [`${JSON.stringify(name)}:${JSON.stringify(value)}`],
  );
  const end = fields.at(-1)?.end ?? text.indexOf("{") + 1;
  // If the last field was removed, the comma before it goes too.
  const kept = `${written}${text.slice(at, end)}`.replace(/,\s*$/, "");
  const comma = fields.every(isRemoved) ? "" : ",";
  return `${kept}${added.length > 0 ? comma : ""}${added.join()}${text.slice(end)}`;
}

/** The fields of an object that is known to be valid JSON. */
function fieldsOf(text: string): Field[] {
  const fields: Field[] = [];
  let at = skipSpace(text, text.indexOf("{") + 1);
  while (text[at] === '"') {
    const start = at;
    const nameEnd = endOfString(text, at);
    const value = skipSpace(text, text.indexOf(":", nameEnd) + 1);
    const end = endOfValue(text, value);
    fields.push({ name: JSON.parse(text.slice(start, nameEnd)) as string, start, value, end });
    at = skipSpace(text, end);
    if (text[at] === ",") at = skipSpace(text, at + 1);
  }
  return fields;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (/\s/.test(text[at] ?? "")) at += 1;
  return at;
}

function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); ; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text[at - 1 - slashes] === "\\") slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
}

function endOfValue(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const character = text[at] ?? "";
    if (character === '"') at = endOfString(text, at) - 1;
    else if (character === "{" || character === "[") depth += 1;
    else if (depth === 0 && /[,}\]\s]/.test(character)) return at;
    else if (character === "}" || character === "]") depth -= 1;
    if (depth === 0 && /["}\]]/.test(text[at] ?? "")) return at + 1;
  }
  return text.length;
}

/** Providers reject requests with more cache marks (`cache_control`) than this. */
const MAX_MARKS = 4;
const MARK = "cache_control";

/** Removes cache marks: clients move them with every request, so they belong to the request and not to the message. */
export function withoutMarks(message: Message): Message {
  return { ...unmarked(message), parts: message.parts.map((part) => unmarkedPart(part)) };
}

function unmarkedPart(part: Part): Part {
  const plain = unmarked(part);
  if (plain.type === "opaque") return { ...plain, value: unmarkedValue(plain.value) };
  if (plain.type !== "tool-result" || plain.output.type !== "content") return plain;
  return { ...plain, output: { ...plain.output, value: plain.output.value.map((item) => unmarked(item)) } };
}

interface Markable {
  readonly providerOptions?: ProviderOptions;
  readonly foreign?: Foreign;
}

function unmarked<T extends object>(thing: T): T {
  const { providerOptions, foreign, ...rest } = unmarkedValue(thing) as T & Markable;
  const fields = foreign?.fields && otherFields(foreign.fields, [MARK]);
  return {
    ...rest,
    ...omitUndefined({
      providerOptions: providerOptions && unmarkedOptions(providerOptions),
      foreign: foreign && omitUndefined({ ...foreign, fields }),
    }),
  } as unknown as T;
}

function unmarkedOptions(options: ProviderOptions): ProviderOptions | undefined {
  const entries = Object.entries(options).flatMap(([provider, settings]) => {
    const left = otherFields(settings, ["cacheControl", MARK]);
    return left === undefined ? [] : [[provider, left] as const];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function unmarkedValue(value: unknown): unknown {
  return isRecord(value) && MARK in value ? (otherFields(value, [MARK]) ?? {}) : value;
}

/** Request fields whose items may have cache marks, in messages, their blocks, and the blocks of tool results. */
const PLACES: readonly string[] = ["system", "tools", "messages", "input"];
const DEPTH = 3;

/**
 * Limits the cache marks in the changed fields of a request. Marks in changed messages are dropped, earliest first,
 * because a later mark covers the same prefix.
 */
export function limitMarks(body: JsonRecord, fields: JsonRecord): JsonRecord {
  const name = ["messages", "input"].find((field) => Array.isArray(fields[field]));
  if (name === undefined) return fields;
  const request = { ...body, ...fields };
  const blocks = PLACES.flatMap((place) => arrayField(request, place) ?? []);
  let excess = blocks.reduce<number>((sum, block) => sum + countMarks(block, DEPTH), 0) - MAX_MARKS;
  if (isMarked(request)) excess += 1;
  if (excess <= 0) return fields;
  const drop = (block: unknown, depth: number): unknown => {
    if (!isRecord(block) || depth === 0) return block;
    const isDropped = excess > 0 && isMarked(block);
    if (isDropped) excess -= 1;
    const plain = isDropped ? (otherFields(block, [MARK]) ?? {}) : block;
    const content = arrayField(plain, "content");
    return content === undefined ? plain : { ...plain, content: content.map((one) => drop(one, depth - 1)) };
  };
  return { ...fields, [name]: arrayField(request, name)?.map((message) => drop(message, DEPTH)) };
}

function countMarks(block: unknown, depth: number): number {
  if (!isRecord(block) || depth === 0) return 0;
  const inner = arrayField(block, "content") ?? [];
  return inner.reduce<number>((sum, one) => sum + countMarks(one, depth - 1), isMarked(block) ? 1 : 0);
}

function isMarked(block: JsonRecord): boolean {
  return block[MARK] !== undefined && block[MARK] !== null;
}
