import { ThroughlineError } from "./throughline-error.ts";

/** Something that was done cannot be undone any more, because what it changed was changed since. */
export class UndoRefusedError extends ThroughlineError {
  /** Ids of the memories and contradictions that are in the way. */
  readonly changed: readonly string[];

  constructor(journalId: string, changed: readonly string[]) {
    super(
      "undo-refused",
      `${journalId} cannot be undone: ${changed.slice(0, 5).join(", ")}${changed.length > 5 ? " and others" : ""} changed since.`,
      "Undo what was done later first; the journal lists it.",
    );
    this.changed = changed;
  }
}
