const MAX_SHOWN_LENGTH = 40;

/** A short form of a value for an error. It does not repeat long or secret text. */
export function describeValue(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value === "string") return value.length > MAX_SHOWN_LENGTH ? "a long string" : JSON.stringify(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "an invalid date" : "a date";
  return Array.isArray(value) ? "a list" : `a value of type ${typeof value}`;
}
