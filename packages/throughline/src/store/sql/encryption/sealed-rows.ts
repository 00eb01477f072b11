import { StoreError } from "../../../errors/store-error.ts";
import type { SqlRow, SqlValue, StoreTransaction } from "../sql-driver.ts";
import { type Content, readEnvelope, writeEnvelope } from "./envelope.ts";

// Content is written through `sealRow`, which `insertRows` calls, and read through `openRows`. A new table lists its
// content columns in `sealing` and gets a line in `sealed-tables.ts`. Without a key nothing is encrypted.

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
      throw new StoreError("corrupt", `The content of ${place} is not encrypted.`);
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
  if (typeof value === "number") throw new TypeError(`Cannot encrypt ${column}: it is a number.`);
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
