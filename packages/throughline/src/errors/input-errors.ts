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
   * @param name Name of the option and of its function.
   * @param value The value, or a description of the problem.
   * @param wanted Description of valid values.
   */
  constructor(name: string, value: unknown, wanted: string) {
    const shown = typeof value === "string" && value !== "" ? value : describeValue(value);
    super("invalid-option", `Invalid ${name}: ${shown}.`, `Expected ${wanted}.`);
  }
}

const MAX_SHOWN_LENGTH = 40;

/** A short form of a value for an error. It does not repeat long or secret text. */
export function describeValue(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value === "string") return value.length > MAX_SHOWN_LENGTH ? "a long string" : JSON.stringify(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "an invalid date" : "a date";
  return Array.isArray(value) ? "a list" : `a value of type ${typeof value}`;
}

/** A position in a list of messages. Both numbers are zero-based. */
export interface Place {
  readonly message: number;
  readonly part?: number;
}

/**
 * A message cannot be converted, with its position in the list.
 *
 * @example
 * try {
 *   await session.append(history);
 * } catch (error) {
 *   if (error instanceof InvalidMessageError) console.error(`Message ${error.place.message}: ${error.problem}`);
 * }
 */
export class InvalidMessageError extends ThroughlineError {
  /** Position of the message, and of the part if one is at fault. */
  readonly place: Place;
  /** The problem. */
  readonly problem: string;

  constructor(place: Place, problem: string, advice = "Correct or remove that message.") {
    super("invalid-message", `Invalid ${describePlace(place)}: ${problem}.`, advice);
    this.place = place;
    this.problem = problem;
  }
}

/** Formats a position: `message 12, part 3`. */
export function describePlace({ message, part }: Place): string {
  return part === undefined ? `message ${message}` : `message ${message}, part ${part}`;
}

/**
 * `validateWindow` got a provider whose rules are not known.
 *
 * @example
 * try {
 *   validateWindow(messages, "openai");
 * } catch (error) {
 *   if (error instanceof UnknownProviderError) console.error(error.provider);
 * }
 */
export class UnknownProviderError extends ThroughlineError {
  /** Name that was passed. */
  readonly provider: string;

  constructor(provider: string, known: readonly string[]) {
    const names = `${known.slice(0, -1).join(", ")} or ${known.at(-1)}`;
    super(
      "unknown-provider",
      `Unknown provider "${provider}": expected ${names}.`,
      "Use the provider whose API the host implements.",
    );
    this.provider = provider;
  }
}

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
