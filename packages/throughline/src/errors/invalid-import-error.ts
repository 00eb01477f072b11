import { ThroughlineError } from "./throughline-error.ts";

/** Memories that cannot be taken in. Says what is wrong and where; nothing of them was taken. */
export class InvalidImportError extends ThroughlineError {
  /** The item and the field: `memories[3].confidence`. Empty where it is about all of it. */
  readonly place: string;
  readonly problem: string;

  constructor(place: string, problem: string) {
    super(
      "invalid-import",
      place === "" ? `The import ${problem}.` : `${place} ${problem}.`,
      "Give what export() wrote, unchanged; nothing was imported.",
    );
    this.place = place;
    this.problem = problem;
  }
}
