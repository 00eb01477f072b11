import { findProfile, type ProfileName } from "./compact/profiles/find-profile.ts";
import type { SummaryProfile } from "./compact/profiles/profile.ts";
import type { AnyModel } from "./compact/to-model.ts";
import { type CompactionConfig, DEFAULT_COMPACTION_CONFIG } from "./overflow/compaction-config.ts";
import type { Clock } from "./ports/clock.ts";
import type { Store } from "./ports/store.ts";
import { Session } from "./session/session.ts";
import type { Logger } from "./session/session-context.ts";
import type { WorkingContext } from "./session/working-context.ts";
import { inProcessStore } from "./store/in-process.ts";
import { getModelLimits } from "./tokens/model-limits.ts";

export interface ThroughlineOptions {
  /** Where sessions are kept; in this process, where none is given. */
  readonly store?: Store;
  /** Writes the prose of summaries: any model of the AI SDK, or one behind our port; without it the ledger and an extract stand alone. */
  readonly model?: AnyModel;
  readonly clock?: Clock;
  readonly logger?: Logger;
}

export interface SessionOptions {
  readonly modelId?: string;
  readonly contextLimit?: number;
  readonly outputReserve?: number;
  readonly profile?: ProfileName | SummaryProfile;
  readonly config?: Partial<CompactionConfig>;
  /** Milliseconds after which a summariser is given up. */
  readonly summaryTimeLimit?: number;
  /** Milliseconds to wait while another process compacts the session, before `SessionBusyError`. */
  readonly lockWait?: number;
  /** The tools that the agent discovered: a compaction drops those that the window no longer names. */
  readonly workingContext?: WorkingContext;
}

export interface Throughline {
  session(id: string, options?: SessionOptions): Session;
  close(): Promise<void>;
}

const QUIET: Logger = { info: () => undefined, warn: () => undefined };
const DEFAULT_MODEL = "gpt-4o";
const DEFAULT_LOCK_WAIT = 2_000;

/**
 * The one place where the ports meet.
 *
 * @example
 * const tl = await createThroughline();
 * const session = tl.session("s1", { modelId: "claude-sonnet-4-5" });
 * await session.append([{ role: "user", content: "Hello" }]);
 * const turn = await session.prepare({ system: "Be brief." });
 */
export async function createThroughline(options: ThroughlineOptions = {}): Promise<Throughline> {
  const { store = inProcessStore(), model, clock = { now: () => Date.now() }, logger = QUIET } = options;
  const sessions = new Map<string, Session>();
  return {
    session(id, settings = {}) {
      const open = sessions.get(id);
      if (open !== undefined) return open;
      const modelId = settings.modelId ?? DEFAULT_MODEL;
      const limits = getModelLimits(modelId);
      if (settings.contextLimit === undefined && limits.warning !== undefined) logger.warn(limits.warning);
      const contextLimit = settings.contextLimit ?? limits.contextLimit;
      const config = { ...DEFAULT_COMPACTION_CONFIG, ...settings.config };
      const session = new Session(
        {
          sessionId: id,
          modelId,
          contextLimit,
          outputReserve: settings.outputReserve ?? Math.min(config.outputReserve, Math.floor(contextLimit / 4)),
          config,
          profile: findProfile(settings.profile),
          model,
          clock,
          logger,
          timeLimit: settings.summaryTimeLimit,
          lockWait: settings.lockWait ?? DEFAULT_LOCK_WAIT,
          workingContext: settings.workingContext,
        },
        store,
      );
      sessions.set(id, session);
      return session;
    },
    async close() {
      sessions.clear();
      await store.close();
    },
  };
}
