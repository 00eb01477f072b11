import { ThroughlineError } from "./throughline-error.ts";

/** An unknown format name, or a text in none of the known formats. */
export class UnknownFormatError extends ThroughlineError {
  /** Program or export that the text seems to come from. */
  readonly looksLike: string | undefined;

  /** @param advice What to do instead. Default: name the format. */
  constructor(problem: string, known: readonly string[], looksLike?: string, advice?: string) {
    super("unknown-format", problem, advice ?? `Name the format: ${known.join(", ")}.`);
    this.looksLike = looksLike;
  }
}
