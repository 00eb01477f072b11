import { ThroughlineError } from "./throughline-error.ts";

/** A format name that is not one of ours, or a text that is in none of the formats. */
export class UnknownFormatError extends ThroughlineError {
  /** The program or export that the text is known to come from. */
  readonly looksLike: string | undefined;

  /** @param advice what to do instead; by default, to name the format */
  constructor(problem: string, known: readonly string[], looksLike?: string, advice?: string) {
    super("unknown-format", problem, advice ?? `Name the format: ${known.join(", ")}.`);
    this.looksLike = looksLike;
  }
}
