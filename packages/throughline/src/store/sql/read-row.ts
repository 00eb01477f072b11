import { StoreError } from "../../errors/store-error.ts";
import type { SqlRow } from "./sql-driver.ts";

export function textOf(row: SqlRow, column: string): string {
  const value = row[column];
  if (typeof value !== "string") throw unreadable(column, value);
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
