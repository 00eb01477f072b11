import { StoreError } from "../../../errors/store-error.ts";
import type { SqlRow, SqlValue, StoreTransaction } from "../sql-driver.ts";
import { type Content, readEnvelope, writeEnvelope } from "./envelope.ts";

// Whatever holds words is written through `sealRow`, which `insertRows` does by itself, and read through `openRows`. A new
// table says in its `sealing` which columns those are, and gets a line in `sealed-tables.ts`. Without a key nothing happens.

/** What of a table holds words. */
export interface Sealing {
  /** The primary key: what is sealed in one row cannot be opened in another. Its first column is whose the row is. */
  readonly key: readonly string[];
  readonly content?: SealedColumns;
  /** Columns by which rows are looked up: a digest stands in them, which `lookupValue` gives. */
  readonly digested?: readonly string[];
}

interface SealedColumns {
  /** They are sealed together, in this order. A new one goes to the end. */
  readonly columns: readonly string[];
  /** The one of them in which that stands, for bytes, or for text where it says so. The others are empty. */
  readonly into: string | { readonly text: string };
}

/** A table, as far as sealing goes. */
export interface SealedTable {
  readonly name: string;
  readonly sealing?: Sealing;
}

/** The row as the database keeps it, from one with all columns of the key and those that hold words. */
export function sealRow({ vault }: StoreTransaction, { name, sealing }: SealedTable, row: SqlRow): SqlRow {
  if (vault === undefined || sealing === undefined) return row;
  const { key, content, digested = [] } = sealing;
  const sealed = copyOf(row);
  if (content !== undefined) {
    const contents = content.columns.map((column) => contentOf(row, column));
    content.columns.forEach((column, i) => {
      sealed[column] = empty(contents[i] ?? null);
    });
    if (contents.some((one) => one !== null)) {
      const holder = holderOf(content);
      const bytes = vault.seal(placeOf(name, key, holder, row), writeEnvelope(contents));
      sealed[holder] = holder === content.into ? bytes : toBase64(bytes);
    }
  }
  const owner = String(row[key[0] ?? ""]);
  for (const column of digested) {
    const text = row[column];
    sealed[column] = typeof text === "string" ? vault.digest(lookupPlace(column, owner), text) : null;
  }
  return sealed;
}

/**
 * Rows as they were before they were sealed. `given` are columns of the key that were not read, as they are known.
 *
 * @throws StoreError `corrupt` where a row was changed, or is not where it was written, or was never sealed.
 */
export function openRows(
  { vault }: StoreTransaction,
  { name, sealing }: SealedTable,
  rows: readonly SqlRow[],
  given: SqlRow = {},
): readonly SqlRow[] {
  if (vault === undefined || sealing?.content === undefined) return rows;
  const { key, content, digested = [] } = sealing;
  const holder = holderOf(content);
  const others = content.columns.filter((column) => column !== holder && !digested.includes(column));
  return rows.map((row) => {
    const kept = row[holder] ?? null;
    const place = placeOf(name, key, holder, row, given);
    if (!others.every((column) => isEmpty(row[column] ?? null, kept))) {
      throw new StoreError("corrupt", `What stands in ${place} was never sealed.`);
    }
    if (kept === null) return row;
    const contents = readEnvelope(vault.open(place, toBytes(kept)));
    const opened = copyOf(row);
    content.columns.forEach((column, i) => {
      opened[column] = contents[i] ?? null;
    });
    return opened;
  });
}

/** What stands in a digested column of rows that have this text: the text itself, where nothing is encrypted. */
export function lookupValue({ vault }: StoreTransaction, column: string, owner: string, text: string): string {
  return vault === undefined ? text : vault.digest(lookupPlace(column, owner), text);
}

/** Made by hand: SQLite's rows, which have no prototype, are spread slowly. */
function copyOf(row: SqlRow): Record<string, SqlValue> {
  const copy: Record<string, SqlValue> = {};
  for (const column in row) copy[column] = row[column] ?? null;
  return copy;
}

/** The same words of two owners have two digests. */
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
  if (typeof value === "number") throw new TypeError(`${column} is a number, which is not sealed.`);
  return value;
}

/** That there was something can still be seen: columns that must not be null are not. */
function empty(content: Content): Content {
  if (content === null) return null;
  return typeof content === "string" ? "" : new Uint8Array();
}

/** Nothing can be read that should have been sealed, and something is sealed where there was something. */
function isEmpty(value: SqlValue, kept: SqlValue): boolean {
  return value === null || (kept !== null && typeof value !== "number" && value.length === 0);
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

function toBytes(kept: SqlValue): Uint8Array {
  return kept instanceof Uint8Array ? kept : Buffer.from(String(kept), "base64");
}
