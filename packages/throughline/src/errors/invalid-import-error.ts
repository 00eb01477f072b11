import { ThroughlineError } from "./throughline-error.ts";

/** Invalid import data. Nothing was imported. */
export class InvalidImportError extends ThroughlineError {
  /** Item and field: `memories[3].confidence`. Empty if the error concerns the whole import. */
  readonly place: string;
  readonly problem: string;

  constructor(place: string, problem: string) {
    super(
      "invalid-import",
      place === "" ? `Invalid import: it ${problem}.` : `Invalid import: ${place} ${problem}.`,
      "Pass the unchanged result of export(). Nothing was imported.",
    );
    this.place = place;
    this.problem = problem;
  }
}
