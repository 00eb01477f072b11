import { arrayField, isRecord, type JsonRecord, stringField } from "../internal/json.ts";
import { fromBase64, toBase64 } from "../message/convert/file-data.ts";

/**
 * Serializes values to JSON losslessly: bytes, dates, URLs, regular expressions, errors and special numbers become `{
 * "$bytes": … }` and so on. Keys that begin with `$` get a second one, so they are not confused with these. Undefined
 * fields and functions are dropped.
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

const READERS = new Map<string, (content: unknown) => unknown>([
  ["$bytes", (content) => fromBase64(String(content)) ?? new Uint8Array()],
  ["$date", (content) => new Date(content === "" ? Number.NaN : String(content))],
  ["$url", (content) => new URL(String(content))],
  ["$pattern", (content) => (Array.isArray(content) ? new RegExp(String(content[0]), String(content[1])) : undefined)],
  ["$error", (content) => readError(isRecord(content) ? readFields(content) : {})],
  ["$number", (content) => Number(content)],
  ["$bigint", (content) => BigInt(String(content))],
]);

/** Restores serialized values. */
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

/** Fields that callers inspect. Excludes URL, headers and request body. */
const FIELDS = ["statusCode", "status", "code", "isRetryable", "responseBody", "data", "reason"];

/** Serializes an error with the fields and symbols that identify it. */
function writeError(error: Error): JsonRecord {
  const own = error as Error & JsonRecord;
  const fields = FIELDS.flatMap((name) => (own[name] === undefined ? [] : [[name, own[name]]]));
  const marks = Object.getOwnPropertySymbols(error).flatMap((mark) =>
    (own as unknown as Record<symbol, unknown>)[mark] === true ? (Symbol.keyFor(mark) ?? []) : [],
  );
  return {
    name: error.name,
    message: error.message,
    ...Object.fromEntries(fields),
    ...(marks.length > 0 && { marks }),
  };
}

/** Restores an error that callers handle like the original. */
function readError(json: JsonRecord): Error {
  const { name: _, message: __, marks: ___, ...fields } = json;
  const error = new Error(stringField(json, "message") ?? "");
  Object.defineProperty(error, "name", { value: stringField(json, "name") ?? "Error", configurable: true });
  for (const mark of arrayField(json, "marks") ?? []) {
    Object.defineProperty(error, Symbol.for(String(mark)), { value: true });
  }
  return Object.assign(error, isRecord(fields) ? fields : {});
}
