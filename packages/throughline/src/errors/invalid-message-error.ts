import { describePlace, type Place } from "./place.ts";
import { ThroughlineError } from "./throughline-error.ts";

/** A message that no converter can read. Says which one and which part of it. */
export class InvalidMessageError extends ThroughlineError {
  readonly place: Place;
  readonly problem: string;

  constructor(place: Place, problem: string) {
    super("invalid-message", `${describePlace(place)}: ${problem}`, "Correct that message, or leave it out.");
    this.place = place;
    this.problem = problem;
  }
}
