import { ThroughlineError } from "./throughline-error.ts";

/**
 * A change of memories cannot be undone because the same memories were changed later.
 *
 * @example
 * const [latest] = await tl.memory.journal({ limit: 1 });
 * try {
 *   if (latest !== undefined) await tl.memory.undo(latest.id);
 * } catch (error) {
 *   if (error instanceof UndoRefusedError) console.error(`Changed since: ${error.changed.join(", ")}`);
 * }
 */
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
