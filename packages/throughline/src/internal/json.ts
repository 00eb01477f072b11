/** A JSON object with unknown content. */
export type JsonRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function stringField(record: JsonRecord, name: string): string | undefined {
  const value = record[name];
  return typeof value === "string" ? value : undefined;
}

export function numberField(record: JsonRecord, name: string): number | undefined {
  const value = record[name];
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

export function booleanField(record: JsonRecord, name: string): boolean | undefined {
  const value = record[name];
  return typeof value === "boolean" ? value : undefined;
}

export function recordField(record: JsonRecord, name: string): JsonRecord | undefined {
  const value = record[name];
  return isRecord(value) ? value : undefined;
}

export function arrayField(record: JsonRecord, name: string): readonly unknown[] | undefined {
  const value = record[name];
  return Array.isArray(value) ? value : undefined;
}

/** Parses JSON; `undefined` if the text is not JSON. */
export function tryParseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** Returns the fields that were not understood; `undefined` if there are none. */
export function otherFields(record: JsonRecord, understood: readonly string[]): JsonRecord | undefined {
  const entries = Object.entries(record).filter(([name]) => !understood.includes(name));
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

type OptionalKeys<T> = {
  [K in keyof T]: undefined extends T[K] ? (unknown extends T[K] ? never : K) : never;
}[keyof T];

type Defined<T> = Omit<T, OptionalKeys<T>> & {
  [K in OptionalKeys<T>]?: Exclude<T[K], undefined>;
};

/** Copy without undefined fields, so that missing values have one form. */
export function omitUndefined<const T extends object>(object: T): Defined<T> {
  const defined: Record<string, unknown> = {};
  // Much faster than mapping Object.entries.
  for (const name of Object.keys(object)) {
    const value = (object as Readonly<Record<string, unknown>>)[name];
    if (value !== undefined) setField(defined, name, value);
  }
  return defined as Defined<T>;
}

/** Sets a field with an untrusted name; `__proto__` would otherwise set the prototype. */
export function setField(record: Record<string, unknown>, name: string, value: unknown): void {
  if (name === "__proto__") Object.defineProperty(record, name, { value, enumerable: true });
  else record[name] = value;
}

/** JSON equality: independent of the order of fields. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, i) => sameJson(item, b[i]));
  }
  if (!isRecord(a) || !isRecord(b)) return false;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => name in b && sameJson(a[name], b[name]));
}

/**
 * The values in a JSON value without the names of their fields, one per line: JSON escapes would hide words. The
 * nesting may have any depth.
 */
export function valuesText(value: unknown): string {
  const texts: string[] = [];
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === "object" && next !== null) for (const one of Object.values(next).reverse()) open.push(one);
    else if (next !== undefined && next !== null) texts.push(String(next));
  }
  return texts.join("\n");
}

const FIRST = 0xdeadbeef;
const SECOND = 0x41c6ce57;

/** Returns a short hash of a JSON value. Independent of the order of fields; undefined fields are ignored. */
export function digest(value: unknown): string {
  const text = canonicalJson(value);
  return `${text.length.toString(36)}-${hash(text)}`;
}

function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  if (!isRecord(value)) return JSON.stringify(value) ?? "null";
  const fields = Object.keys(value)
    .filter((name) => value[name] !== undefined)
    .sort();
  return `{${fields.map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`).join()}}`;
}

/** 64 bits from two lanes that are mixed at the end. Not cryptographic. */
function hash(text: string): string {
  let a = FIRST;
  let b = SECOND;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 0x9e3779b1);
    b = Math.imul(b ^ code, 0x5f356495);
    a = (a << 13) | (a >>> 19);
  }
  a = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35);
  b = Math.imul(b ^ (b >>> 16), 0x85ebca6b) ^ Math.imul(a ^ (a >>> 13), 0xc2b2ae35);
  return [a, b].map((lane) => (lane >>> 0).toString(16).padStart(8, "0")).join("");
}
