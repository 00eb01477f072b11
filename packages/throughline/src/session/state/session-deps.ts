import type { CompactionLimits } from "../../compact/compaction-sizes.ts";
import { SESSION_POLICY } from "../../compact/policy.ts";
import type { WorkingContext } from "../../compact/presets/working-context.ts";
import type { SummaryProfile } from "../../compact/profiles.ts";
import type { AnyModel } from "../../compact/prose/to-model.ts";
import { messageOf } from "../../internal/text.ts";
import type { Provider } from "../../message/legality-rules.ts";
import { thresholdAbove } from "../../overflow/check-overflow.ts";
import type { CompactionConfig, Reserves } from "../../overflow/compaction-config.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Logger } from "../../ports/logger.ts";
import type { ContextSignals } from "../../ports/workspace.ts";
import type { Telemetry } from "../../telemetry/with-span.ts";
import type { SummaryUsage } from "../summary-meter.ts";

/** A request for the memories of one turn. */
export interface RecallForTurn {
  /** Text that the memories should match: by default the last message of the user. */
  readonly question: string;
  /** Signals about the current work, as passed to `session.prepare`. */
  readonly signals?: ContextSignals;
  /** Maximum size of the block, in counted tokens. */
  readonly budget: number;
  /** Current size of the window, in counted tokens. */
  readonly windowTokens: number;
  /** Context limit of the model in tokens. */
  readonly contextLimit: number;
  /** True if a message is in the window already, so that memories of it can be left out. */
  readonly isInWindow: (messageId: string) => boolean;
}

/** Memories for a turn, as they are added to the system prompt. */
export interface RecalledBlock {
  /** Text to append to the system prompt. */
  readonly text: string;
  /** Ids of the memories, in the order of the text. */
  readonly sources: readonly string[];
  /** Reason for each memory, by id. */
  readonly reasons?: Readonly<Record<string, string>>;
}

/**
 * Finds the memories for a turn; resolves to `undefined` if none fits. Pass your own as `session.prepare({ memory })`.
 */
export type Recaller = (wanted: RecallForTurn) => Promise<RecalledBlock | undefined>;

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
  readonly appended?: (count: number) => void;
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

interface RunningWork {
  readonly name: string;
  readonly controller: AbortController;
  /** Never rejects. */
  readonly done: Promise<void>;
}

/** Background work. `close` ends it at the latest; failures are logged. */
export class BackgroundWork {
  readonly #logger: Logger;
  /** Keeps a short-lived process alive until a promise settles. */
  readonly #waitUntil: ((work: Promise<void>) => void) | undefined;
  readonly #running = new Set<RunningWork>();
  #isClosed = false;

  constructor(logger: Logger, waitUntil?: (work: Promise<void>) => void) {
    this.#logger = logger;
    this.#waitUntil = waitUntil;
  }

  /**
   * Starts work, unless `close` was called.
   *
   * @param name Session that the work is for.
   * @param work Has to end soon after its signal is aborted.
   * @returns a function that stops the work; `undefined` if it was not started.
   */
  run(name: string, work: (signal: AbortSignal) => Promise<void>): AbortController | undefined {
    if (this.#isClosed) return undefined;
    const controller = new AbortController();
    const done = work(controller.signal)
      .catch((error: unknown) => this.#logger.warn(`Background work for session ${name} failed: ${messageOf(error)}`))
      .finally(() => this.#running.delete(running));
    const running = { name, controller, done };
    this.#running.add(running);
    try {
      this.#waitUntil?.(done);
    } catch (error) {
      this.#logger.warn(`waitUntil failed: ${messageOf(error)}`);
    }
    return controller;
  }

  /** Stops the work for a session and waits for its end. */
  stop(name: string): Promise<void> {
    return this.#end([...this.#running].filter((work) => work.name === name));
  }

  /** Stops all work and waits for its end. No work starts after that. */
  close(): Promise<void> {
    this.#isClosed = true;
    return this.#end([...this.#running]);
  }

  async #end(all: readonly RunningWork[]): Promise<void> {
    for (const { controller } of all) controller.abort();
    await Promise.all(all.map(({ done }) => done));
  }
}
