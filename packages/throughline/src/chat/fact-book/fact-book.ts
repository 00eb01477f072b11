import { type OptionRules, TEXT } from "../../errors/check-options.ts";
import { CATEGORY } from "../../memory/memory-kinds.ts";
import type { FactCategory } from "../../ports/memory.ts";
import type { MemoryFact } from "../memory-fact.ts";

/** Facts by category. */
export type MemoryIndex = Readonly<Record<FactCategory, readonly MemoryFact[]>>;

/** Facts that were deleted together and can be restored in one step. */
export interface Removal {
  readonly id: string;
  readonly facts: readonly MemoryFact[];
  /** Remaining undo time in milliseconds when last updated; does not run while paused. */
  readonly remaining: number;
  readonly isPaused: boolean;
}

/** All facts are hidden, and erased when the undo time is over. */
export interface PendingClear {
  readonly count: number;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly endsAt: number;
}

/** State of a fact book. */
export interface FactBookState {
  /** `failed`: memories cannot be read or written; `problem` explains it to the user. */
  readonly status: "loading" | "ready" | "failed";
  readonly problem?: string;
  /** Current facts: pinned first, then by category (project, preference, identity), then the latest. */
  readonly facts: readonly MemoryFact[];
  readonly index: MemoryIndex;
  readonly pinned: number;
  /** Recently deleted facts that are not purged, latest first. */
  readonly deleted: readonly MemoryFact[];
  /** Facts that others replaced, latest first: the history of a fact is the chain of `updatesFactId`. */
  readonly past: readonly MemoryFact[];
  /** Removals that can be undone, latest last. */
  readonly removals: readonly Removal[];
  readonly clearing?: PendingClear;
  /** Time of the last clear that was not undone. Messages up to then are not extracted again. */
  readonly clearedAt?: number;
  /** The fact saved last, so that its card can show it. */
  readonly saved?: { readonly id: string; readonly at: number };
}

/** A fact to save. */
export interface NewFact {
  /** Text of the fact. */
  readonly text: string;
  /** Category. Default: classified by the model, or by rules. */
  readonly category?: FactCategory;
  /** Saves text that looks like a secret, which is refused otherwise. Default: `false`. */
  readonly keepSecrets?: boolean;
  /** Source of the text, if it was selected in a message. */
  readonly source?: { readonly conversationId: string; readonly messageId: string };
}

/** Changes of a fact. */
export interface FactEdit {
  /** New text. Default: unchanged. */
  readonly text?: string;
  /** New category. Default: unchanged. */
  readonly category?: FactCategory;
}

/** Checks of the changes. */
export const EDIT_RULES: OptionRules<FactEdit> = { text: TEXT, category: CATEGORY };

/**
 * Facts of one user for a panel, for any framework: subscribe, read the snapshot, call methods. Changes show
 * immediately; if one fails, it is rolled back and the promise rejects with a ThroughlineError. Changes run one after
 * another.
 */
export interface FactBook {
  /**
   * Calls a listener after each change of the state.
   *
   * @param listener Called without arguments; read the state with `getSnapshot`.
   * @returns a function that removes the listener.
   *
   * @example
   * const stop = book.subscribe(() => console.log(book.getSnapshot().facts.length));
   */
  subscribe(listener: () => void): () => void;
  /**
   * Returns the current state; the same object until something changes.
   *
   * @example
   * const { facts, pinned } = book.getSnapshot();
   */
  getSnapshot(): FactBookState;
  /**
   * Reloads everything from the store. Never rejects: failures are part of the state.
   *
   * @example
   * await book.refresh();
   */
  refresh(): Promise<void>;
  /**
   * Saves a fact by hand.
   *
   * @param fact Text, and optionally category and source.
   * @returns the saved fact, and whether it was added, merged with a known one, or replaced one.
   *
   * @example
   * const { fact, outcome } = await book.add({ text: "I prefer short answers." });
   */
  add(fact: NewFact): Promise<{ readonly fact: MemoryFact; readonly outcome: "added" | "merged" | "replaced" }>;
  /**
   * Changes the text or the category of a fact. Does nothing if neither differs.
   *
   * @param id Id of the fact.
   * @param edit New text, new category, or both.
   *
   * @example
   * await book.edit(id, { text: "Lives in Berlin", category: "identity" });
   */
  edit(id: string, edit: FactEdit): Promise<void>;
  /**
   * Pins or unpins a fact. Rejects with InvalidOptionError if ten facts are already pinned.
   *
   * @param id Id of the fact.
   * @param pinned `true` to pin, `false` to unpin.
   *
   * @example
   * await book.pin(id, true);
   */
  pin(id: string, pinned: boolean): Promise<void>;
  /**
   * Deletes facts. Undo it with `undoRemoval` while the removal is listed, or with `bringBack` later.
   *
   * @param ids Ids of the facts. Unknown ids are skipped.
   * @returns the removal, or `undefined` if no id is known.
   *
   * @example
   * const removal = await book.remove([id]);
   */
  remove(ids: readonly string[]): Promise<Removal | undefined>;
  /**
   * Restores the facts of a removal with their pins. Rejects with NotFoundError if its undo time is over.
   *
   * @param id Id of the removal.
   *
   * @example
   * const removal = await book.remove([id]);
   * if (removal !== undefined) await book.undoRemoval(removal.id);
   */
  undoRemoval(id: string): Promise<void>;
  /**
   * Pauses the undo time of a removal, e.g. while the pointer is on its notice.
   *
   * @param id Id of the removal.
   *
   * @example
   * for (const removal of book.getSnapshot().removals) book.pauseRemoval(removal.id);
   */
  pauseRemoval(id: string): void;
  /**
   * Continues the undo time of a paused removal.
   *
   * @param id Id of the removal.
   *
   * @example
   * for (const removal of book.getSnapshot().removals) book.resumeRemoval(removal.id);
   */
  resumeRemoval(id: string): void;
  /**
   * Undoes the pending clear, or else the latest removal.
   *
   * @returns `false` if there is nothing to undo.
   *
   * @example
   * const wasUndone = await book.undoLatest();
   */
  undoLatest(): Promise<boolean>;
  /**
   * Restores a deleted fact, also after its undo time. Rejects with NotFoundError if it is not among the deleted facts.
   *
   * @param id Id of the fact.
   *
   * @example
   * for (const fact of book.getSnapshot().deleted) await book.bringBack(fact.id);
   */
  bringBack(id: string): Promise<void>;
  /**
   * Deletes facts, and restores the facts that they replaced: undoes what was learned.
   *
   * @param ids Ids of the facts. Unknown ids are skipped.
   *
   * @example
   * const { fact } = await book.add({ text: "I live in Berlin" });
   * await book.revert([fact.id]);
   */
  revert(ids: readonly string[]): Promise<void>;
  /**
   * Hides all facts now and erases them after eight seconds, in this tab or the next one that opens.
   *
   * @example
   * await book.clear();
   */
  clear(): Promise<void>;
  /**
   * Undoes the pending clear. Does nothing if the undo time is over.
   *
   * @example
   * await book.undoClear();
   */
  undoClear(): Promise<void>;
  /**
   * Stops all timers. A pending clear stays stored and is completed by the next fact book.
   *
   * @example
   * book.close();
   */
  close(): void;
}
