import type { SummaryProfile } from "../compact/profiles/profile.ts";
import type { AnyModel } from "../compact/to-model.ts";
import type { Message } from "../message/message.ts";
import type { Part } from "../message/part.ts";
import type { CompactionConfig } from "../overflow/compaction-config.ts";
import type { Clock } from "../ports/clock.ts";
import type { ContextSignals } from "../ports/context-signals.ts";
import type { Logger } from "../ports/logger.ts";
import type { Telemetry } from "../telemetry/with-span.ts";
import { type Calibration, calibrationRatio } from "../tokens/calibration.ts";
import { countMessageTokens, countPartTokens } from "../tokens/count-message.ts";
import { counterFor } from "../tokens/count-tokens.ts";
import type { WorkingContext } from "./working-context.ts";

/** From this share of a budget on, the log says how much of it is taken. */
export const NEAR = 0.9;

/** What memories are wanted for. */
export interface RecallForTurn {
  readonly question: string;
  /** What is going on, where somebody said so. */
  readonly signals?: ContextSignals;
  /** In at most so many tokens. */
  readonly budget: number;
  /** What the window takes as it stands, in our tokens, and what the model takes in all. */
  readonly windowTokens: number;
  readonly contextLimit: number;
  /** What stands in the window need not be recalled. */
  readonly isInWindow: (messageId: string) => boolean;
}

/** Memories that fit a turn, as they stand in the system prompt. */
export interface RecalledBlock {
  readonly text: string;
  /** Ids of what it says, in its order. */
  readonly sources: readonly string[];
  /** Why each is here, by its id. */
  readonly reasons?: Readonly<Record<string, string>>;
}

/** Finds the memories for a turn; nothing where nothing fits. */
export type Recaller = (wanted: RecallForTurn) => Promise<RecalledBlock | undefined>;

/** What the stages of a turn need to know of their session. */
export interface SessionContext {
  /** Whose session it is. */
  readonly owner: string;
  readonly sessionId: string;
  readonly modelId: string;
  readonly contextLimit: number;
  readonly outputReserve: number;
  readonly config: CompactionConfig;
  /** Exactly so many messages stay at the end where a session is compacted; else the tail is measured in tokens. */
  readonly recentMessages: number | undefined;
  readonly profile: SummaryProfile;
  readonly model: AnyModel | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly timeLimit: number | undefined;
  /** Milliseconds to wait for a compaction that another process is at. */
  readonly lockWait: number;
  /** Milliseconds after which the lock of a process that is gone is free. */
  readonly lockTime: number;
  /** The tools that the agent discovered: they follow the window. */
  readonly workingContext: WorkingContext | undefined;
  /** Told of what is done and how long it takes. */
  readonly telemetry?: Telemetry | undefined;
  readonly recall?: Recaller;
  /** Told how many messages were appended. */
  readonly appended?: (count: number) => void;
}

/** Counts for one model. Parts are counted without margin and kept so; what a total is multiplied by may change. */
export interface Tally {
  readonly text: (text: string) => number;
  readonly part: (part: Part) => number;
  readonly message: (message: Message) => number;
  readonly messages: (messages: readonly Message[]) => number;
  /** What the provider will count for so many of ours. */
  readonly factor: number;
}

export function createTally(modelId: string, calibration: Calibration): Tally {
  const counter = counterFor(modelId, 1);
  const options = { modelId, counter };
  const message = (one: Message) => countMessageTokens(one, options);
  return {
    text: (text) => counter.count(text),
    part: (part) => countPartTokens(part, options),
    message,
    messages: (messages) => messages.reduce((sum, one) => sum + message(one), 0),
    factor: factorFor(modelId, calibration),
  };
}

/** An exact count is never taken for less than it is: a report below it leaves something out, cached tokens perhaps. */
function factorFor(modelId: string, calibration: Calibration): number {
  const { exact, margin } = counterFor(modelId);
  const reported = calibrationRatio(calibration, modelId) ?? margin;
  return exact ? Math.max(1, reported) : reported;
}
