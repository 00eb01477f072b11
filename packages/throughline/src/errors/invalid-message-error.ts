import { ThroughlineError } from "./throughline-error.ts";

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
