import { ThroughlineError } from "./throughline-error.ts";

/**
 * An option is unknown, or its value is invalid. The message names the option and the expected values.
 *
 * @example
 * try {
 *   tl.session("s1", { contextLimit: 0 });
 * } catch (error) {
 *   if (error instanceof InvalidOptionError) console.error(error.message);
 * }
 */
export class InvalidOptionError extends ThroughlineError {
  constructor(name: string, value: unknown, wanted: string) {
    super("invalid-option", `Invalid ${name}: ${String(value)}.`, `Expected ${wanted}.`);
  }
}
