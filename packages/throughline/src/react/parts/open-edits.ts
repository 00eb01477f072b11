import { EDIT_RULES, type FactBook, type FactEdit } from "../../chat/fact-book/fact-book.ts";
import type { MemoryFact } from "../../chat/memory-fact.ts";
import { checkOptions } from "../../errors/check-options.ts";
import type { FactCategory } from "../../ports/memory.ts";
import { explainProblem, showFact } from "./format-memories.ts";

/** Size of an editor. `line`: text field; `full`: text area with the category. */
export type EditMode = "line" | "full";

/** An open edit of a fact. */
export interface OpenEdit {
  /** The fact at the time when the edit was opened. */
  readonly fact: MemoryFact;
  /** Size of the editor. */
  readonly mode: EditMode;
  /** Unsaved text. At first the fact as `showFact` returns it. */
  readonly text: string;
  /** Unsaved category. */
  readonly category: FactCategory;
  /** True if the edit is being saved. */
  readonly isSaving: boolean;
  /** Error of the last attempt to save. */
  readonly problem?: string;
}

type Edits = ReadonlyMap<string, OpenEdit>;

/**
 * Open edits of facts, for a list of `FactCard`s. They are kept apart from the facts, so that a reload, another tab or
 * a filter does not discard unsaved text.
 *
 * @example
 * const edits = new OpenEdits(book);
 * const open = useSyncExternalStore(edits.subscribe, edits.getSnapshot);
 */
export class OpenEdits {
  readonly #book: FactBook;
  readonly #listeners = new Set<() => void>();
  #edits: Edits = new Map();
  #wantsFocus: string | undefined;

  /** @param book Fact book that gets the saved edits. */
  constructor(book: FactBook) {
    this.#book = book;
  }

  /** Calls a listener after each change. Returns the unsubscribe function. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Returns the open edits by fact id; the same map until something changes. */
  readonly getSnapshot = (): Edits => this.#edits;

  /**
   * Opens an edit, or changes the mode of an open one and keeps its text.
   *
   * @param fact Fact to edit.
   * @param mode Size of the editor.
   *
   * @example
   * for (const fact of facts.slice(0, 1)) edits.open(fact, "full");
   */
  open(fact: MemoryFact, mode: EditMode): void {
    const edit = this.#edits.get(fact.id);
    this.#wantsFocus = fact.id;
    if (edit) this.#put({ ...edit, mode });
    else this.#put({ fact, mode, text: showFact(fact.fact), category: fact.category, isSaving: false });
  }

  /**
   * Changes the unsaved text or category. Does nothing if there is no edit of the fact.
   *
   * @param id Id of the fact.
   * @param change New text or category.
   * @throws InvalidOptionError if a field is invalid or unknown.
   *
   * @example
   * edits.write(id, { text: "Lives in Berlin" });
   */
  write(id: string, change: FactEdit): void {
    checkOptions("OpenEdits.write", change, EDIT_RULES);
    const edit = this.#edits.get(id);
    if (edit) this.#put(withoutProblem({ ...edit, ...change }));
  }

  /**
   * Closes an edit and discards it.
   *
   * @param id Id of the fact.
   *
   * @example
   * edits.cancel(id);
   */
  cancel(id: string): void {
    if (!this.#edits.has(id)) return;
    const edits = new Map(this.#edits);
    edits.delete(id);
    this.#tell(edits);
  }

  /**
   * Closes an edit if nothing was changed. Call it when the focus leaves the card.
   *
   * @param id Id of the fact.
   *
   * @example
   * edits.leave(id);
   */
  leave(id: string): void {
    const edit = this.#edits.get(id);
    if (edit && !edit.isSaving && !changesOf(edit)) this.cancel(id);
  }

  /**
   * Saves and closes an edit. A fact that was deleted in the meantime is saved as a new one.
   *
   * @param id Id of the fact.
   * @returns the id of the saved fact; `undefined` if saving failed, and then the edit stays open with its `problem`
   *   set.
   *
   * @example
   * const savedId = await edits.save(id);
   */
  async save(id: string): Promise<string | undefined> {
    const edit = this.#edits.get(id);
    if (!edit || edit.isSaving) return undefined;
    if (edit.text.trim() === "") {
      this.#put({ ...edit, problem: "Memory can't be empty." });
      return undefined;
    }
    const changes = changesOf(edit);
    if (!changes) {
      this.cancel(id);
      return id;
    }
    this.#put(withoutProblem({ ...edit, isSaving: true }));
    try {
      const savedId = await this.#write(edit, changes);
      this.cancel(id);
      return savedId;
    } catch (error) {
      this.#put({ ...edit, isSaving: false, problem: explainProblem(error) });
      return undefined;
    }
  }

  /**
   * Returns true once after an edit was opened, for its editor to take the focus.
   *
   * @param id Id of the fact.
   *
   * @example
   * if (edits.takeFocus(id)) document.querySelector("textarea")?.focus();
   */
  takeFocus(id: string): boolean {
    if (this.#wantsFocus !== id) return false;
    this.#wantsFocus = undefined;
    return true;
  }

  async #write({ fact, text, category }: OpenEdit, changes: FactEdit): Promise<string> {
    if (!this.#book.getSnapshot().facts.some(({ id }) => id === fact.id)) {
      const { fact: added } = await this.#book.add({ text: text.trim(), category });
      return added.id;
    }
    await this.#book.edit(fact.id, changes);
    return fact.id;
  }

  #put(edit: OpenEdit): void {
    this.#tell(new Map(this.#edits).set(edit.fact.id, edit));
  }

  #tell(edits: Edits): void {
    this.#edits = edits;
    for (const listener of this.#listeners) listener();
  }
}

/**
 * Returns the facts to show in a list: a fact with an open edit stays as it was when the edit was opened, even if it
 * was changed or deleted in the meantime.
 *
 * @param facts Current facts.
 * @param edits Open edits, from `OpenEdits.getSnapshot`.
 *
 * @example
 * const shown = keepOpenEdits(facts, edits.getSnapshot());
 */
export function keepOpenEdits(facts: readonly MemoryFact[], edits: Edits): readonly MemoryFact[] {
  if (edits.size === 0) return facts;
  const known = new Set(facts.map(({ id }) => id));
  const deletedEdits = [...edits.values()].filter(({ fact }) => !known.has(fact.id));
  return [...facts.map((fact) => edits.get(fact.id)?.fact ?? fact), ...deletedEdits.map(({ fact }) => fact)];
}

/**
 * Returns a message for the user if a fact was changed or deleted elsewhere while it was edited; `undefined` if its
 * text is the same.
 *
 * @param edit The open edit.
 * @param now The current fact; `undefined` if it was deleted.
 *
 * @example
 * const notices = [...edits.getSnapshot().values()].map((edit) =>
 *   explainMeanwhile(
 *     edit,
 *     facts.find((fact) => fact.id === edit.fact.id),
 *   ),
 * );
 */
export function explainMeanwhile(edit: OpenEdit, now: MemoryFact | undefined): string | undefined {
  if (edit.isSaving) return undefined;
  if (!now) return "Deleted in another tab. Save to restore it.";
  return now.fact === edit.fact.fact ? undefined : `Changed elsewhere to “${showFact(now.fact)}”`;
}

function changesOf({ fact, text, category }: OpenEdit): FactEdit | undefined {
  const hasText = ![fact.fact, showFact(fact.fact)].includes(text.trim());
  const hasCategory = category !== fact.category;
  if (!hasText && !hasCategory) return undefined;
  return { ...(hasText && { text: text.trim() }), ...(hasCategory && { category }) };
}

function withoutProblem({ problem: _, ...edit }: OpenEdit): OpenEdit {
  return edit;
}
