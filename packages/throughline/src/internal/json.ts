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
