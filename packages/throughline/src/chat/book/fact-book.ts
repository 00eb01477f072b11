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
  /** Removals that can be undone, latest last. */
  readonly removals: readonly Removal[];
  readonly clearing?: PendingClear;
  /** Time of the last clear that was not undone. Messages up to then are not extracted again. */
  readonly clearedAt?: number;
  /** The fact saved last, so that its card can show it. */
  readonly saved?: { readonly id: string; readonly at: number };
}

export interface NewFact {
  /** Text of the fact. */
  readonly text: string;
  /** Category. Default: classified by the model, or by rules. */
  readonly category?: FactCategory;
  /** Source of the text, if it was selected in a message. */
  readonly source?: { readonly conversationId: string; readonly messageId: string };
}

export interface FactEdit {
  /** New text. Default: unchanged. */
  readonly text?: string;
  /** New category. Default: unchanged. */
  readonly category?: FactCategory;
}

/**
 * Facts of one user for a panel, for any framework: subscribe, read the snapshot, call methods. Changes show
 * immediately; if one fails, it is rolled back and the promise rejects with a ThroughlineError. Changes run one after
 * another.
 */
export interface FactBook {
  subscribe(listener: () => void): () => void;
  /** Current state; the same object until something changes. */
  getSnapshot(): FactBookState;
  /** Reloads everything from the store. Never rejects: failures are part of the state. */
  refresh(): Promise<void>;
  /** Saves a fact by hand. Returns the fact and the outcome. */
  add(fact: NewFact): Promise<{ readonly fact: MemoryFact; readonly outcome: "added" | "merged" | "replaced" }>;
  edit(id: string, edit: FactEdit): Promise<void>;
  /** Pins or unpins a fact. Rejects with InvalidOptionError if ten facts are already pinned. */
  pin(id: string, pinned: boolean): Promise<void>;
  /** Deletes facts. Undo with `undoRemoval` while the removal is listed, or with `bringBack` later. */
  remove(ids: readonly string[]): Promise<Removal | undefined>;
  /** Restores the facts of a removal with their pins. Rejects with NotFoundError if its undo time is over. */
  undoRemoval(id: string): Promise<void>;
  /** Pauses the undo time of a removal. */
  pauseRemoval(id: string): void;
  resumeRemoval(id: string): void;
  /** Undoes the pending clear, or else the latest removal; `false` if there is nothing to undo. */
  undoLatest(): Promise<boolean>;
  bringBack(id: string): Promise<void>;
  /** Hides all facts now and erases them after eight seconds, in this tab or the next one that opens. */
  clear(): Promise<void>;
  /** Undoes the pending clear. Does nothing if the undo time is over. */
  undoClear(): Promise<void>;
  /** Stops all timers. A pending clear stays stored and is completed by the next fact book. */
  close(): void;
}
