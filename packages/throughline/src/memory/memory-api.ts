import type { Artifact, FactCategory, Memory, MemoryKind, MemoryScope, MemorySource } from "../ports/memory.ts";
import type { TextSpan } from "./extract/extract-turn.ts";
import type { ShorterLevels } from "./text-levels/build-levels.ts";

/** A memory to save. */
export interface RememberInput {
  /**
   * Stable id of an episode, a pattern or a workflow, from `stableId`. Saving again under the same id overwrites the
   * stored memory; an archived or ended one stays unchanged. Not allowed for facts, which are matched by their content.
   */
  readonly id?: string;
  /** Statement to remember, at most 100,000 characters. */
  readonly text: string;
  /** Default: `fact`. */
  readonly kind?: MemoryKind;
  /** Makes the memory a chat fact, to which the limits on number, age and pins apply. Facts only. */
  readonly category?: FactCategory;
  /**
   * Attribute that the memory states: `db`. A new value of a single-valued key replaces the previous one of this
   * subject.
   */
  readonly key?: string;
  /** Value of the attribute: `PostgreSQL`. Without a key, both are read from the text of a fact. */
  readonly value?: string;
  /** Entity that the memory is about. Default: the user. */
  readonly subject?: string;
  /** Alternative names. */
  readonly aliases?: readonly string[];
  /** Default: `user-private`. */
  readonly scope?: MemoryScope;
  readonly pinned?: boolean;
  /** Start of validity: milliseconds since 1970, or a date. Default: `source.at`, or now without one. */
  readonly validFrom?: number | string | Date;
  /** Source of the memory. A memory without a source counts as saved by hand. */
  readonly source?: MemorySource;
  /** Ids of memories that this one replaces. Their validity ends when this one's begins. */
  readonly replaces?: string | readonly string[];
  /** Saved by hand: for example, text that a person selected in a message. Default: true without a `source`. */
  readonly byHand?: boolean;
  readonly artifacts?: readonly Artifact[];
  /** Title of an episode, a pattern or a workflow. */
  readonly title?: string;
  /** Steps of a workflow or a pattern, in order. */
  readonly steps?: readonly string[];
  /** Parts of a pattern with placeholders: `{ route: "{method} /api/{resource}" }`. */
  readonly template?: Readonly<Record<string, string>>;
  /** Texts of the shorter levels. Missing levels are built by rules. */
  readonly levels?: Partial<ShorterLevels>;
  /** The memory was stated as a change of an earlier state. */
  readonly updatesPrevious?: boolean;
  /** Accepts text that contains API keys, passwords or card numbers. Default: false, such text is refused. */
  readonly keepSecrets?: boolean;
}

/** Result of saving: a new memory, a merge into a known one, or the replacement of one that is no longer true. */
export type RememberOutcome = "added" | "merged" | "replaced";

/** Result of saving one memory. */
export interface Remembered {
  readonly memory: Memory;
  readonly outcome: RememberOutcome;
  /** Id of the replaced memory, if there is one. */
  readonly updatesFactId?: string;
  /**
   * Current facts about related things, at most five, the closest first. If the new memory makes one of them outdated,
   * save it again with `replaces: [id]`.
   */
  readonly related: readonly Memory[];
}

/** A message to store as evidence for memories. */
export interface IngestMessage {
  /** A message with an id is stored once per session. A message without an id is always stored as new. */
  readonly id?: string;
  readonly role: string;
  /** Name of the speaker, if there is more than one. */
  readonly name?: string;
  readonly text: string;
  /** Milliseconds since 1970, or a date. */
  readonly at?: number | string | Date;
  /** True for text that was inserted (recalled or injected) and not written by a person, or the spans of such text. */
  readonly synthetic?: boolean | readonly TextSpan[];
  /** False stores the text without extracting facts, because they are saved already. Default: true. */
  readonly extract?: boolean;
}

/** Messages of one session to ingest. */
export interface IngestInput {
  /** Id of the session that the messages belong to. */
  readonly sessionId: string;
  readonly messages: readonly IngestMessage[];
  /** Stores API keys, passwords and card numbers as they are. Default: false, they are redacted. */
  readonly keepSecrets?: boolean;
  /** Stops before the next commit, also while a model is asked. Messages of earlier commits stay stored. */
  readonly signal?: AbortSignal;
}

/** Result of ingesting messages. */
export interface Ingested {
  /** Ids of the newly stored turns. */
  readonly turns: readonly string[];
  /** Facts extracted from the new turns, with the outcome of saving each. */
  readonly memories: readonly Remembered[];
}

/** Options of `tl.memory.recall`. */
export interface RecallOptions {
  /** Maximum number of hits, 1 to 1,000. Default: 10. */
  readonly limit?: number;
  /** `calibrated` returns only relevant hits, possibly none; `none` fills the limit. Default: `calibrated`. */
  readonly cut?: "calibrated" | "none";
  /** Documents to search: memories, stored messages, or both. Default: `both`. */
  readonly from?: "both" | "memories" | "turns";
  /** Only memories of these kinds. Excludes turns. */
  readonly kinds?: readonly MemoryKind[];
  /** Only memories of this scope. Default: all scopes. */
  readonly scope?: MemoryScope;
  /** Searches the state at this time: milliseconds since 1970, or a date. Default: now. */
  readonly asOf?: number | string | Date;
  /** Maximum tokens of all hits together. Memories are shortened to fit. Default: no limit. */
  readonly budget?: number;
}

/** A memory or a turn that matches a query. */
export interface RecallHit {
  readonly type: "memory" | "turn";
  readonly id: string;
  readonly text: string;
  /** Relevance from 0 to 1. */
  readonly score: number;
  /** Reasons for the match, as readable phrases. */
  readonly reasons: readonly string[];
  readonly source: Omit<MemorySource, "quote">;
  /** The memory, if the hit is one. */
  readonly memory?: Memory;
}

/** Changes to a memory. `null` removes a value; a missing field leaves it unchanged. */
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
  /** Milliseconds since 1970, or a date. */
  readonly validFrom?: number | string | Date;
  /** Milliseconds since 1970, or a date. */
  readonly validTo?: number | string | Date | null;
  /** `true` archives the memory; `false` restores an archived one. */
  readonly archived?: boolean;
  /** `true` marks the memory as accepted by a person; `false` removes the mark. */
  readonly reviewed?: boolean;
  readonly artifacts?: readonly Artifact[];
  /** Ids of linked memories. */
  readonly links?: readonly string[];
  /** Accepts text that contains API keys, passwords or card numbers. Default: false, such text is refused. */
  readonly keepSecrets?: boolean;
}
