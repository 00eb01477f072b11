import { InvalidImportError } from "../../errors/memory-errors.ts";
import { isRecord } from "../../internal/json.ts";
import { MAX_TIME } from "../../internal/time.ts";

/** Validates an unknown value. `place` is its path in the export, for error messages: `memories[3].confidence`. */
export type Reader<T> = (value: unknown, place: string) => T;

/**
 * One reader per field. The compiler requires every field of `T`, so a field added to a type cannot be lost on import.
 */
type Fields<T> = {
  readonly [K in keyof T]-?: undefined extends T[K] ? OptionalField<Exclude<T[K], undefined>> : Reader<T[K]>;
};

interface OptionalField<T> {
  readonly optional: Reader<T>;
}

const MAX_NAME_LENGTH = 2_000;
const MAX_TEXT_LENGTH = 4_000_000;
const MAX_LIST = 1_000_000;
const MAX_SHOWN_LENGTH = 40;

/** A field that may be missing. */
export function optional<T>(reader: Reader<T>): OptionalField<T> {
  return { optional: reader };
}

/** Reads an object with exactly these fields. Unknown fields are refused. */
export function record<T extends object>(fields: Fields<T>): Reader<T> {
  const names = Object.keys(fields) as (string & keyof T)[];
  const known = new Set<string>(names);
  return (value, place) => {
    if (!isRecord(value)) throw new InvalidImportError(place, `is ${describe(value)}, expected an object`);
    const unknown = Object.keys(value).find((name) => !known.has(name));
    if (unknown !== undefined) {
      throw new InvalidImportError(join(place, shorten(unknown)), "is not a field of this format version");
    }
    const entries = names.flatMap((name) => {
      const field: Reader<unknown> | OptionalField<unknown> = fields[name];
      const isPresent = Object.hasOwn(value, name) && value[name] !== undefined;
      if (typeof field === "function") return [[name, field(isPresent ? value[name] : undefined, join(place, name))]];
      return isPresent ? [[name, field.optional(value[name], join(place, name))]] : [];
    });
    return Object.fromEntries(entries) as T;
  };
}

/** Reads an array of items. */
export function list<T>(reader: Reader<T>): Reader<readonly T[]> {
  return (value, place) => {
    if (!Array.isArray(value)) throw new InvalidImportError(place, `is ${describe(value)}, expected a list`);
    if (value.length > MAX_LIST) throw new InvalidImportError(place, `has more than ${MAX_LIST} items`);
    // Unlike `map`, `Array.from` visits holes of a sparse array, so the reader refuses them as undefined.
    return Array.from(value, (item, index) => reader(item, `${place}[${index}]`));
  };
}

/** Reads an object of counts by word. */
export const counts: Reader<Readonly<Record<string, number>>> = (value, place) => {
  if (!isRecord(value)) throw new InvalidImportError(place, `is ${describe(value)}, expected an object`);
  if (Object.hasOwn(value, "__proto__")) throw new InvalidImportError(join(place, "__proto__"), "is not a valid key");
  return Object.fromEntries(
    Object.entries(value).map(([word, times]) => [name(word, place), count(times, join(place, shorten(word)))]),
  );
};

/** Reads one of the given strings. */
export function oneOf<const T extends string>(...words: readonly T[]): Reader<T> {
  return (value, place) => {
    const found = words.find((word) => word === value);
    if (found === undefined)
      throw new InvalidImportError(place, `is ${describe(value)}, expected ${words.join(" or ")}`);
    return found;
  };
}

/** Long text, for example of a message or a tool. */
export const text: Reader<string> = (value, place) => readString(value, place, MAX_TEXT_LENGTH);

/** A name, a key, a reference. */
export const name: Reader<string> = (value, place) => readString(value, place, MAX_NAME_LENGTH);

/** A name that is not empty. */
export const id: Reader<string> = (value, place) => {
  const read = name(value, place);
  if (read === "") throw new InvalidImportError(place, "is empty");
  return read;
};

export const flag: Reader<boolean> = (value, place) => {
  if (typeof value !== "boolean") throw new InvalidImportError(place, `is ${describe(value)}, expected true or false`);
  return value;
};

/** A flag that is stored only if it is true. */
export const trueFlag: Reader<true> = (value, place) => {
  if (value !== true) throw new InvalidImportError(place, `is ${describe(value)}, expected true`);
  return value;
};

/** Milliseconds since 1970. */
export const time: Reader<number> = (value, place) =>
  readNumber(value, place, "a time", (each) => Math.abs(each) <= MAX_TIME);

/** A count or a position: a safe integer of at least 0. */
export const count: Reader<number> = (value, place) =>
  readNumber(value, place, "a count", (each) => Number.isSafeInteger(each) && each >= 0);

/** A number from 0 to 1. */
export const share: Reader<number> = (value, place) =>
  readNumber(value, place, "a number from 0 to 1", (each) => each >= 0 && each <= 1);

function readString(value: unknown, place: string, maxLength: number): string {
  if (typeof value !== "string") throw new InvalidImportError(place, `is ${describe(value)}, expected text`);
  if (value.length > maxLength) throw new InvalidImportError(place, `is longer than ${maxLength} characters`);
  return value;
}

function readNumber(value: unknown, place: string, expected: string, isValid: (value: number) => boolean): number {
  if (typeof value !== "number" || !isValid(value))
    throw new InvalidImportError(place, `is ${describe(value)}, expected ${expected}`);
  return value;
}

function join(place: string, field: string): string {
  return place === "" ? field : `${place}.${field}`;
}

function describe(value: unknown): string {
  if (value === undefined) return "missing";
  if (typeof value === "string") return JSON.stringify(shorten(value));
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" && value !== null ? "an object" : String(value);
}

function shorten(value: string): string {
  return value.length > MAX_SHOWN_LENGTH ? `${value.slice(0, MAX_SHOWN_LENGTH)}…` : value;
}
