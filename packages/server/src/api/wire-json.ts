import { Readable } from "node:stream";
import type { z } from "@hono/zod-openapi";
import type { ForeignModelMessage, Message } from "throughline";
import { isRecord, yieldToEventLoop } from "throughline/internal/util";
import { type CamelCased, toCamelCase, toSnakeCase } from "./camel-case.ts";
import type { MessageSchema } from "./schemas/session.ts";

// Bodies use snake_case names and ISO dates; the library uses camelCase and milliseconds.

/** Fields whose keys are user data and must not be renamed. */
const WORDS = new Set(["reasons", "template", "data", "before"]);
const IS_TIME = /(?:At|^at|^since|^validFrom|^validTo|^leaseUntil)$/;

/** Converts library data to a response body, validated and reduced to the schema. */
export function toWire<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  return schema.parse(renamed(value));
}

function renamed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(renamed);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      toSnakeCase(name),
      WORDS.has(name) ? field : renamedField(name, field),
    ]),
  );
}

function renamedField(name: string, field: unknown): unknown {
  return typeof field === "number" && IS_TIME.test(name) ? toDate(field) : renamed(field);
}

/** Times outside of the calendar stay numbers, so that the schema rejects them. */
function toDate(milliseconds: number): unknown {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? milliseconds : date.toISOString();
}

/** Converts a request body to library names and drops fields that are undefined. */
export function fromWire<T>(value: T): CamelCased<T, undefined> {
  return camel(value) as CamelCased<T, undefined>;
}

function camel(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camel);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) =>
      field === undefined ? [] : [[toCamelCase(name), WORDS.has(name) ? field : camel(field)]],
    ),
  );
}

/** Characters of list items sent per chunk. */
const PIECE = 64 * 1024;

/**
 * A JSON response that is written in chunks: the lists of the object may be long or have long items, and other tasks
 * can run between the chunks.
 */
export function streamJson(value: object): Response {
  const body = Readable.toWeb(Readable.from(piecesOf(value), { objectMode: false })) as ReadableStream<Uint8Array>;
  return new Response(body, { headers: { "content-type": "application/json" } });
}

async function* piecesOf(value: object): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let text = "{";
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  for (const [at, [name, field]] of fields.entries()) {
    text += `${at === 0 ? "" : ","}${JSON.stringify(name)}:`;
    if (!Array.isArray(field)) {
      text += JSON.stringify(field);
      continue;
    }
    text += "[";
    for (const [index, item] of field.entries()) {
      text += `${index === 0 ? "" : ","}${JSON.stringify(item)}`;
      if (text.length < PIECE) continue;
      await yieldToEventLoop();
      yield encoder.encode(text);
      text = "";
    }
    text += "]";
  }
  yield encoder.encode(`${text}}`);
}

type MessageBody = z.output<typeof MessageSchema>;

// Messages have the same form in the library and in request bodies, so they are passed through unchanged and validated
// by their reader.

export function toBodies(messages: readonly object[]): MessageBody[] {
  return messages as MessageBody[];
}

export function fromBodies(bodies: readonly MessageBody[]): readonly (Message | ForeignModelMessage)[] {
  return bodies as readonly object[] as readonly ForeignModelMessage[];
}
