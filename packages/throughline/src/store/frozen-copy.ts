import { isRecord, setField } from "../internal/json.ts";

/** A frozen copy of plain data, without undefined fields. Bytes are copied, not frozen. */
export function frozenCopy<T>(value: T): T {
  return copyOf(value) as T;
}

function copyOf(value: unknown): unknown {
  if (typeof value !== "object") return value;
  if (Array.isArray(value)) return Object.freeze(value.map(copyOf));
  if (value instanceof Uint8Array) return new Uint8Array(value);
  if (!isRecord(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    const field = value[name];
    if (field !== undefined) setField(copy, name, copyOf(field));
  }
  return Object.freeze(copy);
}
