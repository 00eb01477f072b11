import { isRecord } from "../internal/json.ts";
import { InvalidOptionError } from "./invalid-option-error.ts";

/** A check of one option: whether a value is valid, and the description of valid values. */
export type OptionRule = readonly [isValid: (value: unknown) => boolean, wanted: string];

/** A rule for each option of a function. */
export type OptionRules<O> = { readonly [K in keyof Required<O>]: OptionRule };

export const TEXT: OptionRule = [(value) => typeof value === "string", "a string"];
export const FLAG: OptionRule = [(value) => typeof value === "boolean", "true or false"];
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

/** A rule for a fixed set of values. */
export function oneOf(...values: readonly string[]): OptionRule {
  return [(value) => values.some((one) => one === value), values.map((one) => JSON.stringify(one)).join(", ")];
}

/** A rule for an object with methods of these names. */
export function withMethods(wanted: string, ...names: readonly string[]): OptionRule {
  return [(value) => isRecord(value) && names.every((name) => typeof value[name] === "function"), wanted];
}

/**
 * Checks the options of a public function. `undefined` is the same as an option that is not given.
 *
 * @param place Name of the function, for the error.
 * @throws InvalidOptionError for unknown options and values of the wrong type.
 */
export function checkOptions<O extends object>(place: string, options: O | undefined, rules: OptionRules<O>): void {
  if (options === undefined) return;
  if (!isRecord(options)) throw new InvalidOptionError(`options of ${place}`, describe(options), "an object");
  const known: Readonly<Record<string, OptionRule>> = rules;
  for (const [name, value] of Object.entries(options)) {
    const rule = Object.hasOwn(known, name) ? known[name] : undefined;
    if (rule === undefined) {
      throw new InvalidOptionError(
        `option of ${place}`,
        JSON.stringify(name),
        `one of ${Object.keys(known).join(", ")}`,
      );
    }
    const [isValid, wanted] = rule;
    if (value !== undefined && !isValid(value))
      throw new InvalidOptionError(`${name} of ${place}`, describe(value), wanted);
  }
}

/** A short form of a value that does not repeat long or secret text. */
function describe(value: unknown): string {
  if (typeof value === "number" || typeof value === "boolean" || value === null) return String(value);
  if (typeof value === "string") return value.length > MAX_SHOWN_LENGTH ? "a long string" : JSON.stringify(value);
  return Array.isArray(value) ? "a list" : `a value of type ${typeof value}`;
}

const MAX_SHOWN_LENGTH = 40;
