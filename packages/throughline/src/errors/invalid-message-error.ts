import { describePlace, type Place } from "./place.ts";
import { ThroughlineError } from "./throughline-error.ts";

/** A message that cannot be converted, with its position. */
export class InvalidMessageError extends ThroughlineError {
  readonly place: Place;
  readonly problem: string;

  constructor(place: Place, problem: string) {
    super("invalid-message", `Invalid ${describePlace(place)}: ${problem}.`, "Correct or remove that message.");
    this.place = place;
    this.problem = problem;
  }
}
