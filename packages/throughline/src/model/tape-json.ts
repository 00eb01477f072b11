import { isRecord, type JsonRecord } from "../internal/json.ts";
import { fromBase64, toBase64 } from "../message/convert/base64.ts";
import { readError, writeError } from "./tape-error-json.ts";

/**
 * Values as JSON that is read back as what it was: bytes, dates, URLs, patterns, errors and numbers that JSON has no
 * word for stand as `{ "$bytes": … }` and so on. Names that begin with `$` get a second one, so that no value of
 * somebody else is taken for ours. Fields that are undefined, and functions, are left out.
 */
export function toTape(value: unknown, hide: (text: string) => string): unknown {
  if (typeof value === "string") return hide(value);
  if (typeof value === "number") return isPlainNumber(value) ? value : { $number: nameOf(value) };
  if (typeof value === "bigint") return { $bigint: `${value}` };
  if (typeof value !== "object" || value === null) return typeof value === "boolean" ? value : null;
  if (Array.isArray(value)) return value.map((item) => toTape(item, hide));
  return writeObject(value, hide) ?? writeFields(value as JsonRecord, hide);
}

function writeObject(value: object, hide: (text: string) => string): JsonRecord | undefined {
  if (value instanceof Uint8Array) return { $bytes: toBase64(value) };
  if (value instanceof Date) return { $date: Number.isNaN(value.getTime()) ? "" : value.toISOString() };
  if (value instanceof URL) return { $url: hide(value.href) };
  if (value instanceof RegExp) return { $pattern: [value.source, value.flags] };
  if (value instanceof Error) return { $error: writeFields(writeError(value), hide) };
  return undefined;
}

function writeFields(record: JsonRecord, hide: (text: string) => string): JsonRecord {
  const isKept = ([, field]: [string, unknown]) => !["undefined", "function", "symbol"].includes(typeof field);
  const fields = Object.entries(record).filter(isKept);
  return Object.fromEntries(
    fields.map(([name, field]) => [name.startsWith("$") ? `$${name}` : name, toTape(field, hide)]),
  );
}

/** JSON has no -0 either. */
function isPlainNumber(value: number): boolean {
  return Number.isFinite(value) && !Object.is(value, -0);
}

function nameOf(value: number): string {
  return Object.is(value, -0) ? "-0" : String(value);
}

/** What was written, as it was. */
export function fromTape(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(fromTape);
  if (!isRecord(json)) return json;
  const [[name, content] = [""]] = Object.entries(json);
  const read = READERS.get(name);
  return read === undefined ? readFields(json) : read(content);
}

function readFields(json: JsonRecord): JsonRecord {
  return Object.fromEntries(
    Object.entries(json).map(([name, field]) => [name.startsWith("$$") ? name.slice(1) : name, fromTape(field)]),
  );
}

const READERS = new Map<string, (content: unknown) => unknown>([
  ["$bytes", (content) => fromBase64(String(content)) ?? new Uint8Array()],
  ["$date", (content) => new Date(content === "" ? Number.NaN : String(content))],
  ["$url", (content) => new URL(String(content))],
  ["$pattern", (content) => (Array.isArray(content) ? new RegExp(String(content[0]), String(content[1])) : undefined)],
  ["$error", (content) => readError(isRecord(content) ? readFields(content) : {})],
  ["$number", (content) => Number(content)],
  ["$bigint", (content) => BigInt(String(content))],
]);
