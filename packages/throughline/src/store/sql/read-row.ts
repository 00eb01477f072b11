import { StoreError } from "../../errors/store-error.ts";
import type { SqlRow } from "./sql-driver.ts";
import { fromStoredText } from "./stored-text.ts";

export function textOf(row: SqlRow, column: string): string {
  const value = row[column];
  if (typeof value !== "string") throw unreadable(column, value);
  return value;
}

/** A text of any kind, as it was written with `toStoredText`. */
export function storedTextOf(row: SqlRow, column: string): string {
  return fromStoredText(textOf(row, column));
}

/** `undefined` where the column is empty. */
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

/** `undefined` where the column is empty. */
export function optionalNumberOf(row: SqlRow, column: string): number | undefined {
  return row[column] === null ? undefined : numberOf(row, column);
}

/** A number that a position or a revision can be. */
export function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

function unreadable(column: string, value: unknown): StoreError {
  return new StoreError("corrupt", `The column ${column} holds ${value === null ? "nothing" : typeof value}.`);
}
