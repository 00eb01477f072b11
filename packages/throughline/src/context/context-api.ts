import type { ContextSignals } from "../ports/context-signals.ts";
import type { Memory, MemoryLevels, MemorySource } from "../ports/memory.ts";

export type { ContextSignals } from "../ports/context-signals.ts";

export const TIERS = ["critical", "relevant", "background", "index"] as const;
export type Tier = (typeof TIERS)[number];

/** How a budget is divided, as shares of it. They add up to 1; a tier without a share is left out. */
export type TierShares = Readonly<Record<Tier, number>>;

export interface AssembleOptions {
  /** Tokens for all of it; 8,000, where nothing is said. */
  readonly budget?: number;
  readonly signals?: ContextSignals;
  /** What the user wants: memories that fit it are relevant. */
  readonly message?: string;
  /** Other shares than those of the activity. */
  readonly shares?: TierShares;
  /** What the prompt says already: what was said there is left out. */
  readonly isKnown?: (source: Pick<MemorySource, "sessionId" | "messageId">) => boolean;
}

/** One memory in an assembled context, or one that did not get in. */
export interface ContextItem {
  readonly id: string;
  readonly tier: Tier;
  readonly level: keyof MemoryLevels;
  readonly tokens: number;
  /** Which of the tier's rules put it there: `open-contradiction`, `recent-error`, `predicted`. */
  readonly rule: string;
  readonly reasons: readonly string[];
}

export interface ContextReceipt {
  readonly budget: number;
  readonly tokens: number;
  readonly activity: string;
  /** Tokens that each tier was given, unused ones of the tiers before it included. */
  readonly allotted: Readonly<Record<Tier, number>>;
  readonly items: readonly ContextItem[];
  readonly nearMisses: readonly ContextItem[];
  /** What went differently from what was asked for, in words. */
  readonly notes: readonly string[];
}

export interface AssembledContext {
  readonly context: string;
  readonly tokenCount: number;
  readonly tiers: { readonly tier1: number; readonly tier2: number; readonly tier3: number; readonly tier4: number };
  readonly receipt: ContextReceipt;
}

/** Something that happened: what will be needed is told from it. */
export interface PredictInput {
  /** A path from the project's root. */
  readonly fileOpened?: string;
  readonly branch?: string;
  readonly error?: string;
  /** Milliseconds since 1970; now, where nothing is said. */
  readonly at?: number;
  readonly collaborator?: string;
  /** Files that the session touched so far, the newest last. They are at hand, and not predicted. */
  readonly recentFiles?: readonly string[];
  /** What the session has said and shown so far: paths in it are candidates. */
  readonly seen?: string;
  readonly limit?: number;
}

export interface PredictedMemory {
  readonly memory: Memory;
  /** Calibrated: of those at 0.8, about 80% are used. */
  readonly confidence: number;
  readonly reasons: readonly string[];
}

export interface PredictedFile {
  readonly path: string;
  /** Calibrated: of those at 0.8, about 80% are used. */
  readonly confidence: number;
  readonly reasons: readonly string[];
}

export interface Prediction {
  readonly memories: readonly PredictedMemory[];
  readonly files: readonly PredictedFile[];
  /** That something of it will be used. */
  readonly confidence: number;
}

/** Something that happened in a session, for the predictor to learn from and to prefetch by. */
export interface Signal extends PredictInput {
  /** What belongs to one session was used together. */
  readonly sessionId?: string;
  /** Ids of memories that were of use: they will be where the same happens again. */
  readonly memoriesUsed?: readonly string[];
}

/** What a pointer in the index stands for. */
export interface Expanded {
  readonly id: string;
  readonly text: string;
  readonly memory: Memory;
}
