import { ThroughlineError } from "./throughline-error.ts";

/** An option with an invalid value. */
export class InvalidOptionError extends ThroughlineError {
  constructor(name: string, value: unknown, wanted: string) {
    super("invalid-option", `Invalid ${name}: ${String(value)}.`, `Expected ${wanted}.`);
  }
}
