import { ThroughlineError } from "./throughline-error.ts";

/** A change cannot be undone because its items were changed later. */
export class UndoRefusedError extends ThroughlineError {
  /** Ids of the memories and contradictions that changed later. */
  readonly changed: readonly string[];

  constructor(journalId: string, changed: readonly string[]) {
    super(
      "undo-refused",
      `Cannot undo ${journalId}: ${changed.slice(0, 5).join(", ")}${changed.length > 5 ? " and others" : ""} changed since.`,
      "Undo the later changes first; the journal lists them.",
    );
    this.changed = changed;
  }
}
