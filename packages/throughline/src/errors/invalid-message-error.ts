import { describePlace, type Place } from "./place.ts";
import { ThroughlineError } from "./throughline-error.ts";

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
