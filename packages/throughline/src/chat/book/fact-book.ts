import type { FactCategory } from "../../ports/memory.ts";
import type { MemoryFact } from "../memory-fact.ts";

/** Facts by category, for fast filters. */
export type MemoryIndex = Readonly<Record<FactCategory, readonly MemoryFact[]>>;

/** Facts that were just deleted together, and can be brought back with one step. */
export interface Removal {
  readonly id: string;
  readonly facts: readonly MemoryFact[];
  /** Milliseconds that are left for it on the screen, when it was last looked at; it does not run while it is paused. */
  readonly remaining: number;
  readonly isPaused: boolean;
}

/** All facts are cleared for the eye, and erased when the time is over. */
export interface PendingClear {
  readonly count: number;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly endsAt: number;
}

export interface FactBookState {
  /** `failed`: memories cannot be read or written; `problem` says why, for a person. */
  readonly status: "loading" | "ready" | "failed";
  readonly problem?: string;
  /** Current facts: pinned first, then by category (project, preference, identity), then the latest. */
  readonly facts: readonly MemoryFact[];
  readonly index: MemoryIndex;
  readonly pinned: number;
  /** Deleted lately and not purged, the latest first. */
  readonly deleted: readonly MemoryFact[];
  /** The removals that can be undone right now, the latest last. */
  readonly removals: readonly Removal[];
  readonly clearing?: PendingClear;
  /** When everything was cleared last, where that was not undone: what was said by then is not to be learned again. */
  readonly clearedAt?: number;
  /** What was saved last, so that its card can show it. */
  readonly saved?: { readonly id: string; readonly at: number };
}

export interface NewFact {
  readonly text: string;
  /** Told from the text where it is not given: by the model where there is one, else by rules. */
  readonly category?: FactCategory;
  /** Where the words were found, where they were highlighted in a message. */
  readonly source?: { readonly conversationId: string; readonly messageId: string };
}

export interface FactEdit {
  readonly text?: string;
  readonly category?: FactCategory;
}

/**
 * The facts of one person as a panel shows them: what is there, what was just deleted, what is being cleared. It is
 * made for any framework: subscribe, read the snapshot, call a verb. What is done is seen at once; where it fails it is
 * taken back, and the promise rejects with an error of ours. One thing is done after the other.
 */
export interface FactBook {
  subscribe(listener: () => void): () => void;
  /** The same object as long as nothing changes. */
  getSnapshot(): FactBookState;
  /** Reads everything anew from the store. It does not reject: what fails is said in the state. */
  refresh(): Promise<void>;
  /** Remembers by hand. Gives back the fact, and whether it was new, known, or put in another's place. */
  add(fact: NewFact): Promise<{ readonly fact: MemoryFact; readonly outcome: "added" | "merged" | "replaced" }>;
  edit(id: string, edit: FactEdit): Promise<void>;
  /** Pins or unpins. Rejects with InvalidOptionError where ten are pinned. */
  pin(id: string, pinned: boolean): Promise<void>;
  /** Deletes at once; undone by `undoRemoval` while the removal stands, and by `bringBack` later. */
  remove(ids: readonly string[]): Promise<Removal | undefined>;
  /** Brings the facts back as they were, with their pins. Rejects with NotFoundError where its time is over. */
  undoRemoval(id: string): Promise<void>;
  /** A removal does not run out while somebody looks at it. */
  pauseRemoval(id: string): void;
  resumeRemoval(id: string): void;
  /** Undoes the clearing, or else the latest removal. `false` where there is nothing to undo. */
  undoLatest(): Promise<boolean>;
  bringBack(id: string): Promise<void>;
  /** Clears for the eye now, and erases for good in eight seconds, in this tab or in the next one that opens. */
  clear(): Promise<void>;
  /** Does nothing where the time is over. */
  undoClear(): Promise<void>;
  /** Stops its timers. What is being cleared stays marked, and is erased by the next book. */
  close(): void;
}
