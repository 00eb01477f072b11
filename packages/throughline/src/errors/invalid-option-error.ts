import { ThroughlineError } from "./throughline-error.ts";

/** A setting that cannot be meant. */
export class InvalidOptionError extends ThroughlineError {
  constructor(name: string, value: unknown, wanted: string) {
    super("invalid-option", `${name} is ${String(value)}.`, `It takes ${wanted}.`);
  }
}
