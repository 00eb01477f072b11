import { StoreError } from "../../errors/store-error.ts";
import type { SqlRow } from "./sql-driver.ts";
import { fromStoredText } from "./stored-text.ts";

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
