import { deflateSync, inflateSync } from "node:zlib";
import { StoreError } from "../../errors/store-error.ts";
import type { SqlRow } from "./sql-driver.ts";
import { readJson, writeJson } from "./stored-json.ts";

/** What is longer is stored compressed. */
const LARGE = 64 * 1024;
/** A quarter of the work of zlib's own choice, for a few percent more bytes. */
const LEVEL = 3;

/** A value in its two columns: as JSON text, or compressed where that is large. Neither where there is no value. */
export type Packed = readonly [text: string | null, packed: Uint8Array | null];

export function pack(value: unknown): Packed {
  if (value === undefined) return [null, null];
  const text = writeJson(value);
  if (!isLarge(text)) return [text, null];
  return [null, deflateSync(text, { level: LEVEL })];
}

/** The value of the columns `name` and `name_packed`. */
export function unpack(row: SqlRow, name: string): unknown {
  const text = row[name];
  const packed = row[`${name}_packed`];
  try {
    if (typeof text === "string") return readJson(text);
    if (packed instanceof Uint8Array) return readJson(inflateSync(packed).toString());
  } catch (cause) {
    throw new StoreError("corrupt", `A stored value (${name}) cannot be read.`, { cause });
  }
  return undefined;
}

function isLarge(text: string): boolean {
  // A character takes one to three bytes, so most texts need no counting.
  if (text.length > LARGE) return true;
  return text.length * 3 > LARGE && Buffer.byteLength(text) > LARGE;
}
