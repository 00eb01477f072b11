import { InvalidImportError } from "../../errors/invalid-import-error.ts";
import { isRecord } from "../../internal/json.ts";

/** Reads a value of which nothing is known; `place` says where it stands. */
export type Reader<T> = (value: unknown, place: string) => T;

/** How a field is read. Every field of a type has to be named, so that none is lost when a type grows. */
type Fields<T> = {
  readonly [K in keyof T]-?: undefined extends T[K] ? OptionalField<Exclude<T[K], undefined>> : Reader<T[K]>;
};

interface OptionalField<T> {
  readonly optional: Reader<T>;
}

const MAX_NAME_LENGTH = 2_000;
const MAX_TEXT_LENGTH = 4_000_000;
const MAX_LIST = 1_000_000;
/** What a date can hold. */
const LAST_TIME = 8_640_000_000_000_000;
const MAX_SHOWN_LENGTH = 40;

/** A field that need not be there. */
export function optional<T>(reader: Reader<T>): OptionalField<T> {
  return { optional: reader };
}

/** An object with these fields and no others. */
export function record<T extends object>(fields: Fields<T>): Reader<T> {
  const names = Object.keys(fields) as (string & keyof T)[];
  const known = new Set<string>(names);
  return (value, place) => {
    if (!isRecord(value)) throw new InvalidImportError(place, `is ${describe(value)} and not an object`);
    const unknown = Object.keys(value).find((name) => !known.has(name));
    if (unknown !== undefined) {
      throw new InvalidImportError(join(place, shorten(unknown)), "is not a field of this version");
    }
    const entries = names.flatMap((name) => {
      const field: Reader<unknown> | OptionalField<unknown> = fields[name];
      const isThere = Object.hasOwn(value, name) && value[name] !== undefined;
      if (typeof field === "function") return [[name, field(isThere ? value[name] : undefined, join(place, name))]];
      return isThere ? [[name, field.optional(value[name], join(place, name))]] : [];
    });
    return Object.fromEntries(entries) as T;
  };
}

/** A list of such items. */
export function list<T>(reader: Reader<T>): Reader<readonly T[]> {
  return (value, place) => {
    if (!Array.isArray(value)) throw new InvalidImportError(place, `is ${describe(value)} and not a list`);
    if (value.length > MAX_LIST) throw new InvalidImportError(place, `has more than ${MAX_LIST} items`);
    // A hole of a sparse list is read as nothing, and refused.
    return Array.from(value, (item, index) => reader(item, `${place}[${index}]`));
  };
}

/** How often each of some words. */
export const tally: Reader<Readonly<Record<string, number>>> = (value, place) => {
  if (!isRecord(value)) throw new InvalidImportError(place, `is ${describe(value)} and not an object`);
  if (Object.hasOwn(value, "__proto__")) throw new InvalidImportError(join(place, "__proto__"), "is no word");
  return Object.fromEntries(
    Object.entries(value).map(([word, times]) => [name(word, place), count(times, join(place, shorten(word)))]),
  );
};

/** One of a few words. */
export function oneOf<const T extends string>(...words: readonly T[]): Reader<T> {
  return (value, place) => {
    const found = words.find((word) => word === value);
    if (found === undefined) throw new InvalidImportError(place, `is ${describe(value)} and not ${words.join(" or ")}`);
    return found;
  };
}

/** What somebody wrote, of any length that a person or a tool writes. */
export const text: Reader<string> = (value, place) => readString(value, place, MAX_TEXT_LENGTH);

/** A name, a key, a reference. */
export const name: Reader<string> = (value, place) => readString(value, place, MAX_NAME_LENGTH);

/** The name of one thing, by which it is found again. */
export const id: Reader<string> = (value, place) => {
  const read = name(value, place);
  if (read === "") throw new InvalidImportError(place, "is empty");
  return read;
};

export const flag: Reader<boolean> = (value, place) => {
  if (typeof value !== "boolean") throw new InvalidImportError(place, `is ${describe(value)} and not true or false`);
  return value;
};

/** Something that is so, where it is said at all. */
export const yes: Reader<true> = (value, place) => {
  if (value !== true) throw new InvalidImportError(place, `is ${describe(value)} and not true`);
  return value;
};

/** Milliseconds since 1970. */
export const time: Reader<number> = (value, place) =>
  readNumber(value, place, "a time", (each) => Math.abs(each) <= LAST_TIME);

/** How often something happened, or where it stands. */
export const count: Reader<number> = (value, place) =>
  readNumber(value, place, "a count", (each) => Number.isSafeInteger(each) && each >= 0);

/** From 0 to 1. */
export const share: Reader<number> = (value, place) =>
  readNumber(value, place, "a number from 0 to 1", (each) => each >= 0 && each <= 1);

function readString(value: unknown, place: string, longest: number): string {
  if (typeof value !== "string") throw new InvalidImportError(place, `is ${describe(value)} and not text`);
  if (value.length > longest) throw new InvalidImportError(place, `is longer than ${longest} characters`);
  return value;
}

function readNumber(value: unknown, place: string, what: string, isOne: (value: number) => boolean): number {
  if (typeof value !== "number" || !isOne(value))
    throw new InvalidImportError(place, `is ${describe(value)} and not ${what}`);
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
