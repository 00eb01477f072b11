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
