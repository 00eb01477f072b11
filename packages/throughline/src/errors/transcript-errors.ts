import { ThroughlineError } from "./throughline-error.ts";

/**
 * A transcript format is unknown, or a text is in none of the known formats.
 *
 * @example
 * try {
 *   parseTranscript("Hello");
 * } catch (error) {
 *   if (error instanceof UnknownFormatError) console.error(error.looksLike ?? error.message);
 * }
 */
export class UnknownFormatError extends ThroughlineError {
  /** Program or export that the text seems to come from; `undefined` if nothing points to one. */
  readonly looksLike: string | undefined;

  /** @param advice What to do instead. Default: name the format. */
  constructor(problem: string, known: readonly string[], looksLike?: string, advice?: string) {
    super("unknown-format", problem, advice ?? `Name the format: ${known.join(", ")}.`);
    this.looksLike = looksLike;
  }
}

/**
 * A transcript is empty, or has no readable message of its format.
 *
 * @example
 * try {
 *   parseTranscript("", "claude-code");
 * } catch (error) {
 *   if (error instanceof UnreadableTranscriptError) console.error(error.message);
 * }
 */
export class UnreadableTranscriptError extends ThroughlineError {
  constructor(problem: string, hint: string) {
    super("unreadable-transcript", problem, hint);
  }
}
