import { describeValue } from "./describe-value.ts";
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
  /**
   * @param name The option, and of which function it is one.
   * @param value The value, or in words what is wrong with it.
   * @param wanted Description of valid values.
   */
  constructor(name: string, value: unknown, wanted: string) {
    const shown = typeof value === "string" ? value : describeValue(value);
    super("invalid-option", `Invalid ${name}: ${shown}.`, `Expected ${wanted}.`);
  }
}
