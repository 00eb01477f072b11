import { ThroughlineError } from "./throughline-error.ts";

/** A format name that is not one of ours, or a text whose format cannot be told. */
export class UnknownFormatError extends ThroughlineError {
  constructor(problem: string, known: readonly string[]) {
    super("unknown-format", problem, `Name the format: ${known.join(", ")}.`);
  }
}
