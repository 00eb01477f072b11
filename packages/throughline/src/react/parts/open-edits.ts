import type { FactBook, FactEdit } from "../../chat/book/fact-book.ts";
import type { MemoryFact } from "../../chat/memory-fact.ts";
import type { FactCategory } from "../../ports/memory.ts";
import { explainProblem } from "./words.ts";

/** `line`: inline text field; `full`: text area with the category. */
export type EditMode = "line" | "full";

/** An open edit of a fact. */
export interface OpenEdit {
  /** The fact at the time when the edit was opened. */
  readonly fact: MemoryFact;
  readonly mode: EditMode;
  readonly text: string;
  readonly category: FactCategory;
  readonly isSaving: boolean;
  readonly problem?: string;
}

type Edits = ReadonlyMap<string, OpenEdit>;

/**
 * Open edits of facts. They are stored apart from the facts, so that a refresh, another tab or a filter of the list does
 * not discard unsaved text.
 */
export class OpenEdits {
  readonly #book: FactBook;
  readonly #listeners = new Set<() => void>();
  #edits: Edits = new Map();
  #wantsFocus: string | undefined;

  constructor(book: FactBook) {
    this.#book = book;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly getSnapshot = (): Edits => this.#edits;

  /** Opens an edit, or changes the mode of an open one and keeps its text. */
  open(fact: MemoryFact, mode: EditMode): void {
    const edit = this.#edits.get(fact.id);
    this.#wantsFocus = fact.id;
    if (edit) this.#put({ ...edit, mode });
    else this.#put({ fact, mode, text: fact.fact, category: fact.category, isSaving: false });
  }

  write(id: string, change: FactEdit): void {
    const edit = this.#edits.get(id);
    if (edit) this.#put(withoutProblem({ ...edit, ...change }));
  }

  cancel(id: string): void {
    if (!this.#edits.has(id)) return;
    const edits = new Map(this.#edits);
    edits.delete(id);
    this.#tell(edits);
  }

  /** Closes the edit if it has no changes. */
  leave(id: string): void {
    const edit = this.#edits.get(id);
    if (edit && !edit.isSaving && !changesOf(edit)) this.cancel(id);
  }

  /**
   * Saves and closes an edit. A fact that was deleted in the meantime is saved as a new one. Resolves to the id of the
   * saved fact; `undefined` if saving failed, and then the edit stays open with its `problem` set.
   */
  async save(id: string): Promise<string | undefined> {
    const edit = this.#edits.get(id);
    if (!edit || edit.isSaving) return undefined;
    if (edit.text.trim() === "") {
      this.#put({ ...edit, problem: "A memory needs some words." });
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

  /** Whether the editor of this fact was just opened and needs the focus. Returns true only once. */
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
 * Facts for display in a list. A fact with an open edit is shown as it was when the edit was opened, even if it was
 * deleted in the meantime.
 */
export function keepOpenEdits(facts: readonly MemoryFact[], edits: Edits): readonly MemoryFact[] {
  if (edits.size === 0) return facts;
  const known = new Set(facts.map(({ id }) => id));
  const gone = [...edits.values()].filter(({ fact }) => !known.has(fact.id));
  return [...facts.map((fact) => edits.get(fact.id)?.fact ?? fact), ...gone.map(({ fact }) => fact)];
}

/** Message about a change to a fact, made elsewhere while it was edited; `undefined` if its text did not change. */
export function explainMeanwhile(edit: OpenEdit, now: MemoryFact | undefined): string | undefined {
  if (edit.isSaving) return undefined;
  if (!now) return "Deleted meanwhile. Saving remembers it again.";
  return now.fact === edit.fact.fact ? undefined : `Changed meanwhile to “${now.fact}”.`;
}

function changesOf({ fact, text, category }: OpenEdit): FactEdit | undefined {
  const hasText = text.trim() !== fact.fact;
  const hasCategory = category !== fact.category;
  if (!hasText && !hasCategory) return undefined;
  return { ...(hasText && { text: text.trim() }), ...(hasCategory && { category }) };
}

function withoutProblem({ problem: _, ...edit }: OpenEdit): OpenEdit {
  return edit;
}
