import { isRecord } from "../internal/json.ts";
import { MAX_TIME } from "../internal/time.ts";
import { describeValue, InvalidOptionError } from "./input-errors.ts";

/** A check of one option: whether a value is valid, and the description of valid values. */
export type OptionRule = readonly [isValid: (value: unknown) => boolean, wanted: string];

/** A rule for each option of a function. */
export type OptionRules<O> = { readonly [K in keyof Required<O>]: OptionRule };

export const TEXT: OptionRule = [(value) => typeof value === "string", "a string"];
export const FLAG: OptionRule = [(value) => typeof value === "boolean", "true or false"];
export const NUMBER: OptionRule = [(value) => typeof value === "number", "a number"];
export const AT_LEAST_ZERO: OptionRule = [(value) => typeof value === "number" && value >= 0, "a number, 0 or more"];
export const ABOVE_ZERO: OptionRule = [(value) => typeof value === "number" && value > 0, "a number above 0"];
export const SHARE: OptionRule = [
  (value) => typeof value === "number" && value >= 0 && value <= 1,
  "a number from 0 to 1",
];
export const OBJECT: OptionRule = [(value) => isRecord(value), "an object"];
export const TEXTS: OptionRule = [
  (value) => Array.isArray(value) && value.every((item) => typeof item === "string"),
  "a list of strings",
];
export const LIST: OptionRule = [Array.isArray, "a list"];
export const FUNCTION: OptionRule = [(value) => typeof value === "function", "a function"];
/** Checked by the function that reads it, with its own error. */
export const CHECKED_LATER: OptionRule = [() => true, ""];

/** Values of ports that several functions take. */
export const STORE: OptionRule = [
  (value) =>
    isRecord(value) &&
    ["messages", "sessions", "memories", "documents", "blobs"].every((part) => isRecord(value[part])),
  "a store, such as sqliteStore(path)",
];
export const CLOCK: OptionRule = /* @__PURE__ */ withMethods("an object with now()", "now");
export const LOGGER: OptionRule = /* @__PURE__ */ withMethods("an object with info() and warn()", "info", "warn");

/** The session that a function works with. */
const SESSION: OptionRule = /* @__PURE__ */ withMethods(
  "a session, from tl.session(id)",
  "append",
  "prepare",
  "recall",
  "reportUsage",
);

/**
 * Checks the session that a public function takes.
 *
 * @param place Name of the function, for the error.
 * @throws InvalidOptionError if it is no session.
 */
export function checkSession(place: string, session: unknown): void {
  const [isValid, wanted] = SESSION;
  if (!isValid(session)) throw new InvalidOptionError(`session of ${place}`, describeValue(session), wanted);
}

/** A rule for a fixed set of values. */
export function oneOf(...values: readonly string[]): OptionRule {
  return [(value) => values.some((one) => one === value), values.map((one) => JSON.stringify(one)).join(", ")];
}

/** A rule for an object with methods of these names. */
export function withMethods(wanted: string, ...names: readonly string[]): OptionRule {
  return [(value) => isRecord(value) && names.every((name) => typeof value[name] === "function"), wanted];
}

/** Options that a function passes to another library, which checks their values. */
export interface CheckedLater {
  readonly names: ReadonlySet<string>;
  /** Description for the error. */
  readonly wanted: string;
}

/**
 * Checks the options of a public function. `undefined` is the same as an option that is not given.
 *
 * @param place Name of the function, for the error.
 * @param passedOn Options besides those with a rule.
 * @throws InvalidOptionError for unknown options and values of the wrong type.
 */
export function checkOptions<O extends object>(
  place: string,
  options: O | undefined,
  rules: OptionRules<O>,
  passedOn?: CheckedLater,
): void {
  if (options === undefined) return;
  if (!isRecord(options)) throw new InvalidOptionError(`options of ${place}`, describeValue(options), "an object");
  const known: Readonly<Record<string, OptionRule>> = rules;
  for (const name of Object.keys(options)) {
    const rule = Object.hasOwn(known, name) ? known[name] : undefined;
    if (rule === undefined) {
      if (passedOn?.names.has(name)) continue;
      throw unknownOption(place, name, Object.keys(known), passedOn);
    }
    const [isValid, wanted] = rule;
    const value = options[name];
    if (value !== undefined && !isValid(value))
      throw new InvalidOptionError(`${name} of ${place}`, describeValue(value), wanted);
  }
}

/**
 * Checks the id that a public function takes.
 *
 * @param place Name of the function, for the error.
 * @throws InvalidOptionError if it is no string, or empty.
 */
export function checkId(place: string, id: unknown): void {
  if (typeof id !== "string" || id === "") {
    throw new InvalidOptionError(`id of ${place}`, describeValue(id), "a string that is not empty");
  }
}

/** Milliseconds since 1970 of an option: a number, an ISO date or a `Date`. */
export function parseOptionTime(name: string, time: number | string | Date): number {
  const read = typeof time === "number" ? time : new Date(time).getTime();
  if (!(Math.abs(read) <= MAX_TIME)) throw new InvalidOptionError(name, time, "milliseconds since 1970, or a date");
  return read;
}

function unknownOption(
  place: string,
  name: string,
  known: readonly string[],
  passedOn?: CheckedLater,
): InvalidOptionError {
  const others = passedOn === undefined ? "" : `, ${passedOn.wanted}`;
  const meant = findSimilar(name, [...known, ...(passedOn?.names ?? [])]);
  const question = meant === undefined ? "" : ` (did you mean ${meant}?)`;
  return new InvalidOptionError(
    `option of ${place}`,
    JSON.stringify(name),
    `one of ${known.join(", ")}${others}${question}`,
  );
}

/** Share of the letters of a misspelled name that may be wrong. */
const MAX_WRONG = 0.34;
const MAX_SHOWN_LENGTH = 40;
/** Minimum length of a prefix that counts as the name. */
const MIN_START = 4;

/** Finds the known name that a misspelled or shortened one is for. Case, `_` and `-` do not count. */
export function findSimilar(name: string, known: readonly string[]): string | undefined {
  const plain = (text: string) => text.toLowerCase().replaceAll(/[_-]/g, "");
  let found: string | undefined;
  let least = name.length * MAX_WRONG;
  for (const one of known) {
    const wrong = editDistance(plain(name.slice(0, MAX_SHOWN_LENGTH)), plain(one));
    if (wrong < least) [found, least] = [one, wrong];
  }
  return found ?? known.find((one) => name.length >= MIN_START && plain(one).startsWith(plain(name)));
}

function editDistance(a: string, b: string): number {
  let before = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [row, letter] of [...a].entries()) {
    const current = [row + 1];
    for (let at = 0; at < b.length; at += 1) {
      const changed = (before[at] ?? 0) + (letter === b[at] ? 0 : 1);
      current.push(Math.min(changed, (before[at + 1] ?? 0) + 1, (current[at] ?? 0) + 1));
    }
    before = current;
  }
  return before[b.length] ?? 0;
}
