import { ThroughlineError } from "./throughline-error.ts";

/**
 * `tl.memory.import` got data that is no export, or that was changed. Nothing was imported.
 *
 * @example
 * try {
 *   await tl.memory.import(await readFile("memories.json", "utf8"));
 * } catch (error) {
 *   if (error instanceof InvalidImportError) console.error(error.place, error.problem);
 * }
 */
export class InvalidImportError extends ThroughlineError {
  /** Item and field: `memories[3].confidence`. Empty if the error concerns the whole import. */
  readonly place: string;
  /** The problem. */
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
