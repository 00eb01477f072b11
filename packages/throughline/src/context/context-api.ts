import { InvalidOptionError } from "../errors/input-errors.ts";
import { isRecord } from "../internal/json.ts";
import type { Memory, MemoryLevels, MemorySource } from "../ports/memory.ts";
import type { ContextSignals } from "../ports/workspace.ts";

export type { ContextSignals } from "../ports/workspace.ts";

export const TIERS = ["critical", "relevant", "background", "index"] as const satisfies readonly Tier[];
/** Part of an assembled context, by importance. The index only names topics; `expand` returns their memories. */
export type Tier = "critical" | "relevant" | "background" | "index";

/** Share of the token budget for each tier. The shares add up to 1; a tier with share 0 is left out. */
export type TierShares = Readonly<Record<Tier, number>>;

/** Options of `tl.context.assemble`. */
export interface AssembleOptions {
  /** Maximum tokens of the context. Default: 8,000. */
  readonly budget?: number;
  /** Signals about the user's current work. */
  readonly signals?: ContextSignals;
  /** The user's message or task. Memories that match it count as relevant. */
  readonly message?: string;
  /** Share of the budget for each tier. Default: the shares of the activity. */
  readonly shares?: TierShares;
  /**
   * Returns true if the prompt already contains a memory, by its id, or the source of one. It is left out. Default: the
   * prompt contains none.
   */
  readonly isKnown?: (known: Pick<MemorySource, "sessionId" | "messageId"> & { readonly id?: string }) => boolean;
  /** False for tools that only show the context: its memories do not count as used. Default: true. */
  readonly countUse?: boolean;
}

/** A memory in an assembled context. */
export interface ContextItem {
  readonly id: string;
  readonly tier: Tier;
  /** Length at which the memory is included. */
  readonly level: keyof MemoryLevels;
  readonly tokens: number;
  /** Rule of the tier that selected the memory: `open-contradiction`, `recent-error`, `predicted`. */
  readonly rule: string;
  /** Reasons for the selection, as readable phrases. */
  readonly reasons: readonly string[];
}

/** A memory that came close to an assembled context, and why it is not in it. */
export interface ContextMiss extends ContextItem {
  /**
   * `no-room`: it did not fit into the budget. `section-full`: its section has as many items as it may have. `repeated`:
   * the text of another memory, as the context shows it, has its words.
   */
  readonly cause: "no-room" | "section-full" | "repeated";
  /** Id of the memory that has its words, for `repeated`. */
  readonly repeats?: string;
}

/** Account of an assembled context: its items with their reasons, and its budget. */
export interface ContextReceipt {
  /** Maximum tokens. */
  readonly budget: number;
  /** Used tokens. */
  readonly tokens: number;
  /** Activity whose shares and rules were applied. */
  readonly activity: string;
  /** Tokens available to each tier, including unused tokens of earlier tiers. */
  readonly allotted: Readonly<Record<Tier, number>>;
  readonly items: readonly ContextItem[];
  /** Candidates that are not in the context, each with the cause. */
  readonly nearMisses: readonly ContextMiss[];
  /** Deviations from the request, as readable sentences: an unknown activity, for example. */
  readonly notes: readonly string[];
}

/** Result of `tl.context.assemble`. */
export interface AssembledContext {
  /** Block for a prompt. Empty if no memory fits. */
  readonly context: string;
  readonly tokenCount: number;
  /** Tokens of each tier: critical, relevant, background and index. */
  readonly tiers: { readonly tier1: number; readonly tier2: number; readonly tier3: number; readonly tier4: number };
  readonly receipt: ContextReceipt;
}

/** An event in the user's work, from which the predictor derives the memories and files needed next. */
export interface PredictInput {
  /** Path relative to the project root. */
  readonly fileOpened?: string;
  /** Git branch. */
  readonly branch?: string;
  /** Error message. */
  readonly error?: string;
  /** Milliseconds since 1970. Default: now. */
  readonly at?: number;
  /** Name of another person who works on the same task. */
  readonly collaborator?: string;
  /** Files that the session has used, newest last. They are not predicted again. */
  readonly recentFiles?: readonly string[];
  /** Text of the session so far. Paths in it are candidates. */
  readonly seen?: string;
  /** Maximum number of memories, and of files, 1 to 50. Default: 10. */
  readonly limit?: number;
}

/** A memory that will probably be needed. */
export interface PredictedMemory {
  readonly memory: Memory;
  /** Calibrated probability: about 80% of the memories with 0.8 are used. */
  readonly confidence: number;
  readonly reasons: readonly string[];
}

/** A file that will probably be needed. */
export interface PredictedFile {
  /** Path relative to the project root. */
  readonly path: string;
  /** Calibrated probability: about 80% of the files with 0.8 are used. */
  readonly confidence: number;
  readonly reasons: readonly string[];
}

/** Result of `tl.context.predict`. Both lists have the best first. */
export interface Prediction {
  readonly memories: readonly PredictedMemory[];
  readonly files: readonly PredictedFile[];
  /** Probability that at least one of the predictions is used. */
  readonly confidence: number;
}

/** An event in a session, which the predictor learns from and prefetches for. */
export interface Signal extends PredictInput {
  /** Session of the event. Files and memories of one session count as used together. */
  readonly sessionId?: string;
  /** Ids of memories that were useful. The predictor suggests them again for similar events. */
  readonly memoriesUsed?: readonly string[];
}

/** A memory behind a pointer of the index tier. */
export interface Expanded {
  readonly id: string;
  /** Full text. */
  readonly text: string;
  readonly memory: Memory;
}

/** Start of the id of a topic in the index. */
export const TOPIC_ID = "topic:";
/** Start of the id of a predicted file. */
export const FILE_ID = "file:";

/** @throws InvalidOptionError if a share is not from 0 to 1, or the shares do not add up to 1. */
export function checkShares(shares: TierShares): void {
  const values = isRecord(shares) ? TIERS.map((tier) => shares[tier]) : [];
  const isSound = values.length > 0 && values.every((value) => typeof value === "number" && value >= 0 && value <= 1);
  const sum = values.reduce((total, value) => total + value, 0);
  if (!isSound || Math.abs(sum - 1) > 1e-6) {
    throw new InvalidOptionError("shares", JSON.stringify(shares), `${TIERS.join(", ")}, from 0 to 1, together 1`);
  }
}
