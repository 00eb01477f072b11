/** Kind of a memory: a statement, something that happened, a coding pattern, or a sequence of steps. */
export type MemoryKind = "fact" | "episode" | "pattern" | "workflow";
/** Topic of a chat fact. */
export type FactCategory = "identity" | "preference" | "project";
/** Visibility of a memory: its user, all users of its project, or all users. */
export type MemoryScope = "user-private" | "project-shared" | "system";
/** Type of an artifact. */
export type ArtifactType = "commit" | "pr" | "adr" | "file";

/** Text of a memory at four lengths. No level has more tokens than the one before it. */
export interface MemoryLevels {
  readonly full: string;
  readonly summary: string;
  /** One line. */
  readonly compressed: string;
  /** Index entry of at most 50 characters: `db:pg`. */
  readonly index: string;
}

/** Source of a memory. */
export interface MemorySource {
  readonly sessionId?: string;
  readonly messageId?: string;
  readonly speaker?: string;
  /** Milliseconds since 1970. */
  readonly at?: number;
  /** Quote that the memory is based on. */
  readonly quote?: string;
}

/** Usage counters of a memory. */
export interface MemoryUsage {
  /** Number of times that the memory was returned. */
  readonly retrieved: number;
  /** Number of times that it was useful. */
  readonly cited: number;
  /** Number of times that it was not useful. */
  readonly ignored: number;
  /** Milliseconds since 1970. */
  readonly lastAccessedAt?: number;
}

/** A commit, pull request, decision record or file that a memory refers to. */
export interface Artifact {
  readonly type: ArtifactType;
  /** Hash, number or path. */
  readonly ref: string;
}

/** One memory. Only a purge deletes it; all changes are journalled. */
export interface Memory {
  readonly id: string;
  readonly kind: MemoryKind;
  readonly levels: MemoryLevels;
  /** Level that is served for an old memory. Default: `full`. */
  readonly servedLevel?: Exclude<keyof MemoryLevels, "full">;
  /** Attribute, if the memory states one attribute of something: `db`. */
  readonly key?: string;
  readonly value?: string;
  /** Entity that the memory is about. Default: the user. */
  readonly subject?: string;
  /** Alternative names. */
  readonly aliases: readonly string[];
  /** Search terms that led to the memory, with their counts. Frequent terms may become aliases. */
  readonly heard?: Readonly<Record<string, number>>;
  readonly category?: FactCategory;
  readonly confidence: number;
  readonly mentions: number;
  readonly pinned: boolean;
  /** Saved by hand, not extracted. */
  readonly byHand: boolean;
  readonly owner: string;
  readonly projectId?: string;
  readonly scope: MemoryScope;
  /** Time of creation, and of the last mention or confirmation. */
  readonly createdAt: number;
  readonly lastSeenAt: number;
  /** Validity interval; open-ended without `validTo`. */
  readonly validFrom: number;
  readonly validTo?: number;
  /** Time of archiving. Archived memories are kept but not recalled. */
  readonly archivedAt?: number;
  /** Time at which a person accepted the memory. */
  readonly reviewedAt?: number;
  readonly supersedes?: string;
  readonly supersededBy?: string;
  readonly usage: MemoryUsage;
  readonly source: MemorySource;
  /** Earlier sources, latest first. */
  readonly earlierSources?: readonly MemorySource[];
  readonly artifacts: readonly Artifact[];
  /** Ids of linked memories. */
  readonly links: readonly string[];
}

/** True if a memory has no end and is not archived. */
export function isCurrent({ validTo, archivedAt }: Memory): boolean {
  return validTo === undefined && archivedAt === undefined;
}

/** True if a memory was deleted or evicted, not replaced by another one. It can be restored. */
export function isDeleted({ archivedAt, validTo, supersededBy }: Memory): boolean {
  return archivedAt !== undefined && validTo === undefined && supersededBy === undefined;
}

/** A range of a turn's text, `end` exclusive, that is outdated. */
export interface StaleSpan {
  readonly start: number;
  readonly end: number;
  /** Time at which the range became outdated, in milliseconds since 1970. */
  readonly since: number;
}

/** Reason why a text is outdated. */
export interface StaleMark {
  /** Id of the turn or memory that outdated the text, if known. */
  readonly by?: string;
  /** Time at which the text became outdated, in milliseconds since 1970. */
  readonly since: number;
  /** Outdated ranges of the text. Default: all of it. */
  readonly spans?: readonly { readonly start: number; readonly end: number }[];
}

/** An extracted fact that is not saved yet. */
export interface PendingFact {
  readonly text: string;
  readonly category?: FactCategory;
  readonly key?: string;
  readonly value?: string;
  readonly subject?: string;
  readonly updatesPrevious?: true;
  readonly source: MemorySource;
  /** Message whose end is part of the text, as `[re: …]`. */
  readonly referent?: MemorySource;
}

/** One stored utterance, verbatim: the evidence for memories. */
export interface Utterance {
  readonly id: string;
  readonly sessionId: string;
  /** Zero-based position in the session. */
  readonly position: number;
  /** Id of its message, if it had one. */
  readonly messageId?: string;
  readonly role: string;
  readonly speaker?: string;
  readonly text: string;
  /** Time of the utterance and of its storage, in milliseconds since 1970. */
  readonly at?: number;
  readonly createdAt: number;
  readonly owner: string;
  readonly projectId?: string;
  /** Time since which its content is outdated. */
  readonly staleSince?: number;
  /** Outdated ranges, if the rest is still valid. */
  readonly staleSpans?: readonly StaleSpan[];
  /** Reasons in order; `staleSince` and `staleSpans` are derived from them. */
  readonly marks?: readonly StaleMark[];
  /** True for inserted text (recalled or injected) without a speaker. Never returned by recall. */
  readonly synthetic?: true;
  /** Extracted facts that are not saved yet, of all turns stored in the same batch. Set on the last turn of a batch. */
  readonly pending?: readonly PendingFact[];
}

/** Outcome of a resolved contradiction: `memoryA` wins, `memoryB` wins, both stay, or a merged memory replaces both. */
export type Resolution = "a_wins" | "b_wins" | "both_valid" | "merged";

/** Two memories that cannot both be true. */
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
