import pg from "pg";
import type { SqlValue } from "../sql/sql-driver.ts";

const { builtins } = pg.types;
const NUMBERS: readonly number[] = [
  builtins.INT2,
  builtins.INT4,
  builtins.INT8,
  builtins.OID,
  builtins.FLOAT4,
  builtins.FLOAT8,
  builtins.NUMERIC,
];

/** How a value of a type is read from its text: numbers, bytes, and for all else the text itself. */
export function parserOf(type: number): (text: string) => SqlValue {
  if (NUMBERS.includes(type)) return Number;
  if (type === builtins.BOOL) return (text) => (text === "t" ? 1 : 0);
  if (type === builtins.BYTEA) return readBytes;
  return (text) => text;
}

function readBytes(text: string): Uint8Array {
  const bytes: Buffer = pg.types.getTypeParser(builtins.BYTEA)(text);
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
