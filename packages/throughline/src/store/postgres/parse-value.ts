import type { SqlValue } from "../sql/sql-driver.ts";

/** Object identifiers of PostgreSQL's built-in types. */
const BOOL = 16;
const BYTEA = 17;
/** int8, int2, int4, oid, float4, float8 and numeric. */
const NUMBERS: readonly number[] = [20, 21, 23, 26, 700, 701, 1700];

/** Returns the parser of a type: numbers, bytes, and text for everything else. */
export function parserOf(type: number): (text: string) => SqlValue {
  if (NUMBERS.includes(type)) return Number;
  if (type === BOOL) return (text) => (text === "t" ? 1 : 0);
  if (type === BYTEA) return readBytes;
  return (text) => text;
}

/** Bytes in the format that the server is set to: `hex`, the default, or `escape`. */
function readBytes(text: string): Uint8Array {
  if (text.startsWith("\\x")) return new Uint8Array(Buffer.from(text.slice(2), "hex"));
  const unescaped = text.replaceAll(/\\(\\|[0-7]{3})/g, (_, code: string) =>
    code === "\\" ? code : String.fromCharCode(Number.parseInt(code, 8)),
  );
  return new Uint8Array(Buffer.from(unescaped, "latin1"));
}
