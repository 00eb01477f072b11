import { ThroughlineError } from "./throughline-error.ts";

/**
 * The caller may not change this item: a memory in the scope `system` with the option `isSystemReadOnly`.
 *
 * @example
 * try {
 *   await tl.memory.forget("m1");
 * } catch (error) {
 *   if (error instanceof ForbiddenError) console.error(error.message);
 * }
 */
export class ForbiddenError extends ThroughlineError {
  constructor(item: string, hint: string) {
    super("forbidden", `Cannot change ${item}: permission denied.`, hint);
  }
}

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

  constructor(place: string, problem: string, advice = "Pass the unchanged result of export(). Nothing was imported.") {
    super(
      "invalid-import",
      place === "" ? `Invalid import: the data ${problem}.` : `Invalid import: ${place} ${problem}.`,
      advice,
    );
    this.place = place;
    this.problem = problem;
  }
}

/**
 * A memory was not saved because its text looks like a secret. The error does not contain the text.
 *
 * @example
 * try {
 *   await tl.memory.remember({ text: "The password is hunter2!secret" });
 * } catch (error) {
 *   if (error instanceof SecretRefusedError) console.error(error.kind);
 * }
 */
export class SecretRefusedError extends ThroughlineError {
  /** Kind of the secret: `api-key`, `token`, `private-key`, `password`, `card-number` or `account-number`. */
  readonly kind: string;

  constructor(kind: string) {
    super(
      "secret-refused",
      `Memory not saved: the text looks like a secret (${kind}).`,
      "Remove the secret, or set keepSecrets to save it anyway.",
    );
    this.kind = kind;
  }
}

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
