import type { Artifact, FactCategory, Memory, MemoryKind, MemoryScope, MemorySource } from "../../ports/memory.ts";
import type { TextSpan } from "../extract/extract-turn.ts";
import type { ShorterLevels } from "../levels/levels-input.ts";

/** Something to remember. */
export interface RememberInput {
  /**
   * The id under which an episode, a pattern or a workflow is told anew as it goes on: there is one memory under it, and what
   * was put away stays away. Facts have none: they are known by what they say. See `stableId`.
   */
  readonly id?: string;
  readonly text: string;
  /** A fact, where nothing is said. */
  readonly kind?: MemoryKind;
  /** Makes it a fact of the chat, with its caps, its expiry and its pins. */
  readonly category?: FactCategory;
  /** What it is about: `db`. A key that takes one value replaces what was said of it before. */
  readonly key?: string;
  readonly value?: string;
  /** Of whom or what it is true; the user, where nothing is said. */
  readonly subject?: string;
  readonly aliases?: readonly string[];
  readonly scope?: MemoryScope;
  readonly pinned?: boolean;
  /** When it came to be true, in milliseconds since 1970; now, where nothing is said. */
  readonly validFrom?: number;
  /** Where it was said. Without it, it counts as told by hand. */
  readonly source?: MemorySource;
  /** Ids of memories that this one replaces. They end when this one begins. */
  readonly replaces?: string | readonly string[];
  /** Told by hand, though it was said somewhere: words that a person marked. */
  readonly byHand?: boolean;
  readonly artifacts?: readonly Artifact[];
  /** What an episode, a pattern or a workflow is called. */
  readonly title?: string;
  readonly steps?: readonly string[];
  readonly template?: Readonly<Record<string, string>>;
  /** What it says at its shorter lengths, where that is written already; by rules otherwise. */
  readonly levels?: Partial<ShorterLevels>;
  /** It was said as a change of something that was so before. */
  readonly updatesPrevious?: boolean;
  /** Keys, passwords and card numbers are refused, unless this says that they are meant to be kept. */
  readonly keepSecrets?: boolean;
}

/** What became of something that was said: it is new, it was known, or something else no longer holds. */
export type RememberOutcome = "added" | "merged" | "replaced";

export interface Remembered {
  readonly memory: Memory;
  readonly outcome: RememberOutcome;
  /** The memory that no longer holds, where one was replaced. */
  readonly updatesFactId?: string;
}

/** Something that was said, to be kept as evidence. */
export interface IngestMessage {
  /** Ingested again under the same id, it is kept once. Without an id it is always taken for something new. */
  readonly id?: string;
  readonly role: string;
  /** Who speaks, where more than one person does. */
  readonly name?: string;
  readonly text: string;
  /** Milliseconds since 1970, or a date. */
  readonly at?: number | string | Date;
  /** What nobody said: all of it, or the spans of the text that were put in, recalled or injected. */
  readonly synthetic?: boolean | readonly TextSpan[];
}

export interface IngestInput {
  readonly sessionId: string;
  readonly messages: readonly IngestMessage[];
  /** Keys, passwords and card numbers are blanked, unless this says that they are meant to be kept. */
  readonly keepSecrets?: boolean;
}

/** What came of it. */
export interface Ingested {
  /** Ids of the turns that are new. */
  readonly turns: readonly string[];
  /** Facts that were found in them, and what became of each. */
  readonly memories: readonly Remembered[];
}

export interface RecallOptions {
  /** At the most so many; 10, where nothing is said. */
  readonly limit?: number;
  /** `calibrated` gives only what fits, perhaps nothing; `none` fills the limit. */
  readonly cut?: "calibrated" | "none";
  readonly from?: "both" | "memories" | "turns";
  readonly kinds?: readonly MemoryKind[];
  readonly scope?: MemoryScope;
  /** As it was at that time: milliseconds since 1970, or a date. */
  readonly asOf?: number | string | Date;
  /** Tokens that all hits together take at the most. */
  readonly budget?: number;
}

/** Something that fits a question. */
export interface RecallHit {
  readonly type: "memory" | "turn";
  readonly id: string;
  readonly text: string;
  readonly score: number;
  /** Why it is here, for a person. */
  readonly reasons: readonly string[];
  readonly source: Omit<MemorySource, "quote">;
  readonly memory?: Memory;
}

/** What may be changed of a memory by hand. `null` takes something away. */
export interface MemoryPatch {
  readonly text?: string;
  readonly category?: FactCategory | null;
  readonly key?: string | null;
  readonly value?: string | null;
  readonly subject?: string | null;
  readonly aliases?: readonly string[];
  readonly confidence?: number;
  readonly pinned?: boolean;
  readonly scope?: MemoryScope;
  readonly validFrom?: number;
  readonly validTo?: number | null;
  /** `false` brings a forgotten memory back. */
  readonly archived?: boolean;
  readonly artifacts?: readonly Artifact[];
  readonly links?: readonly string[];
  readonly keepSecrets?: boolean;
}
