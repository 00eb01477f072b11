import { StoreError } from "../../errors/store-errors.ts";
import type { SqlRow } from "./sql-driver.ts";

export function textOf(row: SqlRow, column: string): string {
  const value = row[column];
  if (typeof value !== "string") throw unreadable(column, value);
  return value;
}

/** Reads a text written with `toStoredText`. */
export function storedTextOf(row: SqlRow, column: string): string {
  return fromStoredText(textOf(row, column));
}

/** Returns `undefined` if the column is null. */
export function optionalTextOf(row: SqlRow, column: string): string | undefined {
  return row[column] === null ? undefined : storedTextOf(row, column);
}

export function bytesOf(row: SqlRow, column: string): Uint8Array {
  const value = row[column];
  if (!(value instanceof Uint8Array)) throw unreadable(column, value);
  return value;
}

export function numberOf(row: SqlRow, column: string): number {
  const value = row[column];
  if (typeof value !== "number") throw unreadable(column, value);
  return value;
}

/** Returns `undefined` if the column is null. */
export function optionalNumberOf(row: SqlRow, column: string): number | undefined {
  return row[column] === null ? undefined : numberOf(row, column);
}

/** True for a valid position or revision. */
export function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

function unreadable(column: string, value: unknown): StoreError {
  return new StoreError(
    "corrupt",
    `Column ${column} has an unexpected value of type ${value === null ? "null" : typeof value}.`,
  );
}

// Databases store text as UTF-8, some without NUL. Other characters are escaped as \u0000, and so is a backslash that
// would look like an escape: different texts stay different.
const UNSAFE = /[\0\p{Surrogate}]|\\(?=u[0-9a-f]{4})/u;
const ALL_UNSAFE = new RegExp(UNSAFE, "gu");
const ESCAPED = /\\u([0-9a-f]{4})/g;

/** Escapes an id or text for the database. */
export function toStoredText(text: string): string {
  return UNSAFE.test(text) ? text.replace(ALL_UNSAFE, escapeUnit) : text;
}

/** Same as `toStoredText`, for an optional text. */
export function toOptionalText(text: string | undefined): string | null {
  return text === undefined ? null : toStoredText(text);
}

/** Restores the text of `toStoredText`. */
export function fromStoredText(stored: string): string {
  if (!stored.includes("\\u")) return stored;
  return stored.replace(ESCAPED, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
