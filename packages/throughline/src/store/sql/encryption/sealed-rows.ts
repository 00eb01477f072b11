import { StoreError } from "../../../errors/store-errors.ts";
import type { SqlRow, SqlValue, StoreTransaction } from "../sql-driver.ts";

/** Values that can be encrypted. */
type Content = string | Uint8Array | null;

// Content is written through `sealRow`, which `insertRows` calls, and read through `openRows`. A new table lists its
// content columns in `sealing` and gets a line in `seal-database.ts`. Without a key nothing is encrypted.

/** Columns of a table with content. */
export interface Sealing {
  /** Primary key: the content of one row cannot be decrypted in another. Its first column is the owner. */
  readonly key: readonly string[];
  readonly content?: SealedColumns;
  /** Lookup columns: they hold a digest, which `lookupValue` returns. */
  readonly digested?: readonly string[];
}

interface SealedColumns {
  /** Encrypted together, in this order. Append new columns at the end. */
  readonly columns: readonly string[];
  /** Column for the encrypted value, of type bytes, or text if marked. The others are empty. */
  readonly into: string | { readonly text: string };
}

/** A table and its encryption. */
export interface SealedTable {
  readonly name: string;
  readonly sealing?: Sealing;
}

/** Encrypts a row. The row must contain all key and content columns. */
export function sealRow({ cipher }: StoreTransaction, { name, sealing }: SealedTable, row: SqlRow): SqlRow {
  if (cipher === undefined || sealing === undefined) return row;
  const { key, content, digested = [] } = sealing;
  const sealed = copyOf(row);
  if (content !== undefined) {
    const contents = content.columns.map((column) => contentOf(row, column));
    content.columns.forEach((column, i) => {
      sealed[column] = empty(contents[i] ?? null);
    });
    if (contents.some((one) => one !== null)) {
      const holder = holderOf(content);
      const bytes = cipher.seal(placeOf(name, key, holder, row), writeEnvelope(contents));
      sealed[holder] = holder === content.into ? bytes : toBase64(bytes);
    }
  }
  const owner = String(row[key[0] ?? ""]);
  for (const column of digested) {
    const text = row[column];
    sealed[column] = typeof text === "string" ? cipher.digest(lookupPlace(column, owner), text) : null;
  }
  return sealed;
}

/**
 * Decrypts rows. `given` are key columns that were not selected.
 *
 * @throws StoreError `corrupt` if a row was changed, moved, or never encrypted.
 */
export function openRows(
  { cipher }: Pick<StoreTransaction, "cipher">,
  { name, sealing }: SealedTable,
  rows: readonly SqlRow[],
  given: SqlRow = {},
): readonly SqlRow[] {
  if (cipher === undefined || sealing?.content === undefined) return rows;
  const { key, content, digested = [] } = sealing;
  const holder = holderOf(content);
  const others = content.columns.filter((column) => column !== holder && !digested.includes(column));
  return rows.map((row) => {
    const kept = row[holder] ?? null;
    const place = placeOf(name, key, holder, row, given);
    if (!others.every((column) => isEmpty(row[column] ?? null, kept))) {
      throw new StoreError("corrupt", `Cannot decrypt ${place}: the content is not encrypted.`);
    }
    if (kept === null) return row;
    const contents = readEnvelope(cipher.open(place, toBytes(kept)));
    const opened = copyOf(row);
    content.columns.forEach((column, i) => {
      opened[column] = contents[i] ?? null;
    });
    return opened;
  });
}

/** Value of a digested column for a text; the text itself if nothing is encrypted. */
export function lookupValue({ cipher }: StoreTransaction, column: string, owner: string, text: string): string {
  return cipher === undefined ? text : cipher.digest(lookupPlace(column, owner), text);
}

/** Copied by hand: spreading SQLite's prototype-less rows is slow. */
function copyOf(row: SqlRow): Record<string, SqlValue> {
  const copy: Record<string, SqlValue> = {};
  for (const column in row) copy[column] = row[column] ?? null;
  return copy;
}

/** The same text has different digests for different owners. */
function lookupPlace(column: string, owner: string): string {
  return JSON.stringify([column, owner]);
}

function placeOf(name: string, key: readonly string[], holder: string, row: SqlRow, given: SqlRow = {}): string {
  return JSON.stringify([name, holder, ...key.map((column) => row[column] ?? given[column])]);
}

function holderOf({ into }: SealedColumns): string {
  return typeof into === "string" ? into : into.text;
}

function contentOf(row: SqlRow, column: string): Content {
  const value = row[column] ?? null;
  if (typeof value === "number")
    throw new TypeError(`Cannot encrypt column ${column}: expected text or bytes, got a number.`);
  return value;
}

/** Keeps null apart from empty: some columns must not be null. */
function empty(content: Content): Content {
  if (content === null) return null;
  return typeof content === "string" ? "" : new Uint8Array();
}

/** True if no plain text is left and a value is encrypted if there was one. */
function isEmpty(value: SqlValue, kept: SqlValue): boolean {
  return value === null || (kept !== null && typeof value !== "number" && value.length === 0);
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

function toBytes(kept: SqlValue): Uint8Array {
  return kept instanceof Uint8Array ? kept : Buffer.from(String(kept), "base64");
}

// Each value is a type byte and, unless null, a four-byte length and its bytes.
const [NOTHING, TEXT, BYTES] = [0, 1, 2];
const LENGTH_BYTES = 4;

/** Packs texts and bytes in order. */
function writeEnvelope(values: readonly Content[]): Uint8Array {
  const pieces = values.map(contentBytes);
  const lengths = pieces.map((piece) => (piece === null ? 1 : 1 + LENGTH_BYTES + piece.length));
  const envelope = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + length, 0));
  let at = 0;
  pieces.forEach((piece, i) => {
    if (piece === null) at = envelope.writeUInt8(NOTHING, at);
    else {
      at = envelope.writeUInt8(typeof values[i] === "string" ? TEXT : BYTES, at);
      at = envelope.writeUInt32BE(piece.length, at);
      envelope.set(piece, at);
      at += piece.length;
    }
  });
  return envelope;
}

/** Unpacks the values of `writeEnvelope`. */
function readEnvelope(bytes: Uint8Array): Content[] {
  const envelope = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const values: Content[] = [];
  for (let at = 0; at < envelope.length; ) {
    const kind = envelope.readUInt8(at);
    if (kind === NOTHING) {
      values.push(null);
      at += 1;
      continue;
    }
    const start = at + 1 + LENGTH_BYTES;
    at = start + envelope.readUInt32BE(at + 1);
    // A copy: callers may view the bytes as numbers, which need alignment.
    values.push(kind === TEXT ? envelope.toString("utf8", start, at) : new Uint8Array(envelope.subarray(start, at)));
  }
  return values;
}

function contentBytes(value: Content): Uint8Array | null {
  return typeof value === "string" ? Buffer.from(value) : value;
}
