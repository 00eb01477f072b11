import type { CompactionLimits } from "../compact/divide-window.ts";
import { SESSION_POLICY } from "../compact/policy.ts";
import type { SummaryProfile } from "../compact/profiles.ts";
import type { AnyModel } from "../compact/prose/model-adapter.ts";
import type { WorkingContext } from "../compact/working-context.ts";
import type { Provider } from "../message/legality-rules.ts";
import { thresholdAbove } from "../overflow/check-overflow.ts";
import type { CompactionConfig, Reserves } from "../overflow/compaction-config.ts";
import type { Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import type { Telemetry } from "../telemetry/with-span.ts";
import type { BackgroundWork, SummaryUsage } from "./background-summary.ts";
import type { Recaller } from "./session-options.ts";

/** Settings and ports of one session. */
export interface SessionDeps {
  /** The user the session belongs to. */
  readonly userId: string;
  readonly sessionId: string;
  readonly modelId: string;
  /** Provider that windows have to be legal for; `undefined` for all. */
  readonly provider: Provider | undefined;
  readonly contextLimit: number;
  readonly outputReserve: number;
  readonly config: CompactionConfig;
  /** Reserves that the caller set. The others depend on the context limit. */
  readonly reserves: Partial<Reserves>;
  /** Tokens of a request at which a compaction is due. */
  readonly threshold: number;
  /** Limits that every compaction of the session keeps: the size of its tail, and the reader of its summary. */
  readonly keep: Pick<
    CompactionLimits,
    "keepTokens" | "keepShare" | "keepMessages" | "minTurns" | "reader" | "hasHistory"
  >;
  readonly profile: SummaryProfile;
  readonly model: AnyModel | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Timeout for the summarizer, in milliseconds. */
  readonly timeLimit: number | undefined;
  /** Maximum use of the model for summaries, over the whole life of the session. */
  readonly summaryLimits: SummaryUsage;
  /** Runs summaries that are written before they are needed. */
  readonly background: BackgroundWork;
  /** Milliseconds to wait for a compaction that another process is running. */
  readonly lockWait: number;
  /** Milliseconds after which the lease of a dead process expires. */
  readonly lockTime: number;
  /** Tools the agent discovered; a compaction drops those that the window no longer names. */
  readonly workingContext: WorkingContext | undefined;
  readonly telemetry?: Telemetry | undefined;
  readonly recall?: Recaller;
  /** Called with the number of messages after each append. */
  readonly onAppend?: (count: number) => void;
}

/** Tokens of a request at which a compaction is due, with the reserves that the caller set. */
export function thresholdOf({
  contextLimit,
  outputReserve,
  reserves,
  config: { thresholdPercent },
}: Pick<SessionDeps, "contextLimit" | "outputReserve" | "reserves" | "config">): number {
  // The provider may have reported a context limit for which the reserve was lowered.
  const own = reserves.outputReserve === undefined ? {} : { outputReserve };
  const config = { thresholdPercent, ...reserves, ...own, modelContextLimit: contextLimit };
  return thresholdAbove(SESSION_POLICY.minTrigger, config);
}
