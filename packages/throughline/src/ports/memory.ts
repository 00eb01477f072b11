export type MemoryKind = "fact" | "episode" | "pattern" | "workflow";
/** What a chat's fact is about. */
export type FactCategory = "identity" | "preference" | "project";
export type MemoryScope = "user-private" | "project-shared" | "system";
export type ArtifactType = "commit" | "pr" | "adr" | "file";

/** One thing said at four lengths, from all of it to a word that finds it. */
export interface MemoryLevels {
  readonly full: string;
  readonly summary: string;
  readonly compressed: string;
  readonly index: string;
}

/** Where a memory was said. */
export interface MemorySource {
  readonly sessionId?: string;
  readonly messageId?: string;
  readonly speaker?: string;
  /** Milliseconds since 1970. */
  readonly at?: number;
  /** The words that it rests on, as they were said. */
  readonly quote?: string;
}

/** How often it was given out, and what became of that. */
export interface MemoryUsage {
  readonly retrieved: number;
  readonly cited: number;
  readonly ignored: number;
  readonly lastAccessedAt?: number;
}

export interface Artifact {
  readonly type: ArtifactType;
  readonly ref: string;
}

/** One remembered thing. Never deleted but by a purge: what changes is journalled. */
export interface Memory {
  readonly id: string;
  readonly kind: MemoryKind;
  readonly levels: MemoryLevels;
  /** The level that is given out, where it is old enough to be told in short; all of it, where nothing is said. */
  readonly servedLevel?: Exclude<keyof MemoryLevels, "full">;
  /** What it is about, where it says one thing of something: `db`. */
  readonly key?: string;
  readonly value?: string;
  /** Of whom or what it is true; the user, where nothing is said. */
  readonly subject?: string;
  /** Other names under which it is found. */
  readonly aliases: readonly string[];
  /** Words that it was asked for by, and how often: they may become names of it. */
  readonly heard?: Readonly<Record<string, number>>;
  readonly category?: FactCategory;
  readonly confidence: number;
  readonly mentions: number;
  readonly pinned: boolean;
  /** Told by hand, not extracted. */
  readonly byHand: boolean;
  readonly owner: string;
  readonly projectId?: string;
  readonly scope: MemoryScope;
  /** When it was written down, and when it was last said or confirmed. */
  readonly createdAt: number;
  readonly lastSeenAt: number;
  /** When it is true; without an end it still is. */
  readonly validFrom: number;
  readonly validTo?: number;
  /** Put away: it is not recalled any more, and still there. */
  readonly archivedAt?: number;
  readonly supersedes?: string;
  readonly supersededBy?: string;
  readonly usage: MemoryUsage;
  readonly source: MemorySource;
  /** Where it was said before that, the latest first. */
  readonly earlierSources?: readonly MemorySource[];
  readonly artifacts: readonly Artifact[];
  /** Ids of memories that belong to it. */
  readonly links: readonly string[];
}

/** A stretch of a turn's text, from `start` up to and without `end`, that does not hold any more. */
export interface StaleSpan {
  readonly start: number;
  readonly end: number;
  /** Since when that is known, in milliseconds since 1970. */
  readonly since: number;
}

/** By what something that was said is outdated. */
export interface StaleMark {
  /** The id of the turn or the memory that said so; nothing where that is not known. */
  readonly by?: string;
  /** Since when that is known, in milliseconds since 1970. */
  readonly since: number;
  /** Which stretches of the text; all of it, where none is named. */
  readonly spans?: readonly { readonly start: number; readonly end: number }[];
}

/** A fact that was found in what somebody said, and is to be remembered. */
export interface PendingFact {
  readonly text: string;
  readonly category?: FactCategory;
  readonly key?: string;
  readonly value?: string;
  readonly subject?: string;
  readonly updatesPrevious?: true;
  readonly source: MemorySource;
}

/** What somebody said, as it was said: the evidence that memories rest on. */
export interface Turn {
  readonly id: string;
  readonly sessionId: string;
  /** The how manieth of its session. */
  readonly position: number;
  /** Its message's id, where it came with one. */
  readonly messageId?: string;
  readonly role: string;
  readonly speaker?: string;
  readonly text: string;
  /** When it was said, in milliseconds since 1970, and when it was written down. */
  readonly at?: number;
  readonly createdAt: number;
  readonly owner: string;
  readonly projectId?: string;
  /** Since when what it says is known to be outdated. */
  readonly staleSince?: number;
  /** The parts of it that are, where the rest still holds. */
  readonly staleSpans?: readonly StaleSpan[];
  /** What outdated it, in the order in which that was said: `staleSince` and `staleSpans` follow from it. */
  readonly marks?: readonly StaleMark[];
  /** Nobody said it: it was put in, recalled or injected. It is never given out. */
  readonly synthetic?: true;
  /** Facts in the turns that were written with it, of which it is the last, that are not remembered yet. */
  readonly pending?: readonly PendingFact[];
}

/** How a contradiction was settled. */
export type Resolution = "a_wins" | "b_wins" | "both_valid" | "merged";

/** Two memories that cannot both be true, from when it was seen until somebody settles it. */
export interface Contradiction {
  readonly id: string;
  /** Ids of the two memories. */
  readonly memoryA: string;
  readonly memoryB: string;
  /** Milliseconds since 1970. */
  readonly detectedAt: number;
  readonly reason: string;
  readonly status: "open" | "resolved";
  readonly resolvedAt?: number;
  readonly resolution?: Resolution;
  readonly note?: string;
}
