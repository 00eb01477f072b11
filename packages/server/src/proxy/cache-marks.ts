import type { Message, Part } from "throughline";
import { arrayField, isRecord, type JsonRecord, omitUndefined, otherFields } from "throughline/internal/util";
import type { Foreign, ProviderOptions } from "throughline/messages";

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
