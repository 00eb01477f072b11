import type { FactBook, FactEdit } from "../../chat/book/fact-book.ts";
import type { MemoryFact } from "../../chat/memory-fact.ts";
import type { FactCategory } from "../../ports/memory.ts";
import { explainProblem } from "./words.ts";

/** `line`: a quick fix in place; `full`: a text area with the category. */
export type EditMode = "line" | "full";

/** An edit that somebody has open. */
export interface OpenEdit {
  /** The fact as it stood when the edit was opened. */
  readonly fact: MemoryFact;
  readonly mode: EditMode;
  readonly text: string;
  readonly category: FactCategory;
  readonly isSaving: boolean;
  readonly problem?: string;
}

type Edits = ReadonlyMap<string, OpenEdit>;

/**
 * The edits that are open. They are kept apart from the facts, so that no refresh, no other tab and no filter of the
 * list takes away what somebody is writing.
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

  /** Opens a fact, or changes the mode of one that is open and keeps what was written. */
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

  /** Closes the edit if nothing was changed in it. */
  leave(id: string): void {
    const edit = this.#edits.get(id);
    if (edit && !edit.isSaving && !changesOf(edit)) this.cancel(id);
  }

  /**
   * Saves and closes. A fact that was deleted elsewhere in the meantime is remembered anew. Gives back the id under
   * which the words are now kept; nothing where they could not be saved, and then the edit stays open and says why.
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

  /** Whether the editor of this fact was just opened and shall have the focus. Answers with yes only once. */
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
 * The facts as a list shows them: one with an open edit stays as it stood when the edit was opened, even where it is
 * gone in the meantime.
 */
export function keepOpenEdits(facts: readonly MemoryFact[], edits: Edits): readonly MemoryFact[] {
  if (edits.size === 0) return facts;
  const known = new Set(facts.map(({ id }) => id));
  const gone = [...edits.values()].filter(({ fact }) => !known.has(fact.id));
  return [...facts.map((fact) => edits.get(fact.id)?.fact ?? fact), ...gone.map(({ fact }) => fact)];
}

/** What happened to a fact elsewhere while it was being edited, for a person. */
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
