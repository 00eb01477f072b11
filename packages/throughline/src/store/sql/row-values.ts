import { promisify } from "node:util";
import { deflate, deflateSync, inflate, inflateSync, type ZlibOptions } from "node:zlib";
import { StoreError } from "../../errors/store-errors.ts";
import { yieldToEventLoop } from "../../internal/yield-to-event-loop.ts";
import type { SqlRow } from "./sql-driver.ts";

export function textOf(row: SqlRow, column: string): string {
  const value = row[column];
  if (typeof value !== "string") throw unreadable(column, value);
  return value;
}

/** Reads a text written with `toStoredText`. */
export function storedTextOf(row: SqlRow, column: string): string {
  return fromStoredText(textOf(row, column));
}

/** Returns `undefined` if the column is null. */
export function optionalTextOf(row: SqlRow, column: string): string | undefined {
  return row[column] === null ? undefined : storedTextOf(row, column);
}

export function bytesOf(row: SqlRow, column: string): Uint8Array {
  const value = row[column];
  if (!(value instanceof Uint8Array)) throw unreadable(column, value);
  return value;
}

export function numberOf(row: SqlRow, column: string): number {
  const value = row[column];
  if (typeof value !== "number") throw unreadable(column, value);
  return value;
}

/** Returns `undefined` if the column is null. */
export function optionalNumberOf(row: SqlRow, column: string): number | undefined {
  return row[column] === null ? undefined : numberOf(row, column);
}

/** True for a valid position or revision. */
export function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

function unreadable(column: string, value: unknown): StoreError {
  return new StoreError(
    "corrupt",
    `Column ${column} has an unexpected value of type ${value === null ? "null" : typeof value}.`,
  );
}

// Databases store text as UTF-8, some without NUL. Other characters are escaped as \u0000, and so is a backslash that
// would look like an escape: different texts stay different.
const UNSAFE = /[\0\p{Surrogate}]|\\(?=u[0-9a-f]{4})/u;
const ALL_UNSAFE = new RegExp(UNSAFE, "gu");
const ESCAPED = /\\u([0-9a-f]{4})/g;

/** Escapes an id or text for the database. */
export function toStoredText(text: string): string {
  return UNSAFE.test(text) ? text.replace(ALL_UNSAFE, escapeUnit) : text;
}

/** Same as `toStoredText`, for an optional text. */
export function toOptionalText(text: string | undefined): string | null {
  return text === undefined ? null : toStoredText(text);
}

/** Restores the text of `toStoredText`. */
export function fromStoredText(stored: string): string {
  if (!stored.includes("\\u")) return stored;
  return stored.replace(ESCAPED, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

const deflateInWorker = promisify<string, ZlibOptions, Buffer>(deflate);
const inflateInWorker = promisify<Uint8Array, Buffer>(inflate);

/** By default, larger values are compressed. */
const LARGE = 64 * 1024;
/** A quarter of the time of zlib's default, for a few percent more bytes. */
const LEVEL = 3;

/** A value in two columns: JSON text, or compressed if large. Both null if there is no value. */
type Packed = readonly [text: string | null, packed: Uint8Array | null];

/** @param from size in bytes from which on a value is compressed */
export function pack(value: unknown, from = LARGE): Packed {
  if (value === undefined) return [null, null];
  const text = writeJson(value);
  if (!isLarge(text, from)) return [text, null];
  return [null, deflateSync(text, { level: LEVEL })];
}

/** Same as `pack`; large values are compressed in another thread. */
export async function packInWorker(value: unknown): Promise<Packed> {
  if (value === undefined) return [null, null];
  const text = writeJson(value);
  if (!isLarge(text, LARGE)) return [text, null];
  await yieldToEventLoop();
  return [null, await deflateInWorker(text, { level: LEVEL })];
}

/** Value of the columns `name` and `name_packed`. */
export function unpack(row: SqlRow, name: string): unknown {
  return readPacked(row, name, inflateSync);
}

/** Same as `unpack`; large values are decompressed in another thread. */
export async function unpackInWorker(row: SqlRow, name: string): Promise<unknown> {
  const packed = row[`${name}_packed`];
  if (!(packed instanceof Uint8Array)) return unpack(row, name);
  const opened = await inflateInWorker(packed).catch((cause: unknown) => {
    throw unreadablePack(name, cause);
  });
  return readPacked(row, name, () => opened);
}

function readPacked(row: SqlRow, name: string, open: (packed: Uint8Array) => Buffer): unknown {
  const text = row[name];
  const packed = row[`${name}_packed`];
  try {
    if (typeof text === "string") return readJson(text);
    if (packed instanceof Uint8Array) return readJson(open(packed).toString());
  } catch (cause) {
    throw unreadablePack(name, cause);
  }
  return undefined;
}

function unreadablePack(name: string, cause: unknown): StoreError {
  return new StoreError("corrupt", `Cannot read the stored value of column ${name}.`, { cause });
}

function isLarge(text: string, from: number): boolean {
  // A character takes one to three bytes, so most texts need no counting.
  if (text.length > from) return true;
  return text.length * 3 > from && Buffer.byteLength(text) > from;
}

// JSON has no bytes: they are written as { "$bytes": "<base64>" }. A field with such a name gets another `$`.
const TAG = "$bytes";
const TAG_OR_ESCAPED = /^\$+bytes$/;

/** Serializes plain data and bytes. */
export function writeJson(value: unknown): string {
  return JSON.stringify(needsTags(value) ? tag(value) : value);
}

/** Restores the value of `writeJson`. */
export function readJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return text.includes(`${TAG}"`) ? untag(value) : value;
}

function needsTags(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (value instanceof Uint8Array) return true;
  if (Array.isArray(value)) return value.some(needsTags);
  for (const name in value) {
    if (name.endsWith(TAG) || needsTags((value as Record<string, unknown>)[name])) return true;
  }
  return false;
}

function tag(value: unknown): unknown {
  if (value instanceof Uint8Array) return { [TAG]: toBuffer(value).toString("base64") };
  return mapFields(value, tag, (name) => (TAG_OR_ESCAPED.test(name) ? `$${name}` : name));
}

function untag(value: unknown): unknown {
  const bytes = typeof value === "object" && value !== null ? Object.entries(value) : [];
  const [name, data] = bytes.length === 1 ? (bytes[0] ?? []) : [];
  if (name === TAG && typeof data === "string") return new Uint8Array(Buffer.from(data, "base64"));
  return mapFields(value, untag, (field) => (TAG_OR_ESCAPED.test(field) ? field.slice(1) : field));
}

function mapFields(value: unknown, map: (value: unknown) => unknown, rename: (name: string) => string): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(map);
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [rename(name), map(field)]));
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
