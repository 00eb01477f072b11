import { findProfile, type ProfileName } from "./compact/profiles/find-profile.ts";
import type { SummaryProfile } from "./compact/profiles/profile.ts";
import type { AnyModel } from "./compact/to-model.ts";
import { InvalidOptionError } from "./errors/invalid-option-error.ts";
import { isRecord } from "./message/read-json.ts";
import { type CompactionConfig, DEFAULT_COMPACTION_CONFIG } from "./overflow/compaction-config.ts";
import type { Clock } from "./ports/clock.ts";
import type { SessionSummary, Store } from "./ports/store.ts";
import { Session } from "./session/session.ts";
import { type Logger, QUIET, type SessionContext } from "./session/session-context.ts";
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
  /** Whose sessions these are: nobody sees another's. */
  readonly userId?: string;
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
  /** Milliseconds after which the lock of a process that was killed while it compacted is free again. */
  readonly lockTime?: number;
  /** The tools that the agent discovered: a compaction drops those that the window no longer names. */
  readonly workingContext?: WorkingContext;
}

export interface Throughline {
  /** Opens a session. Options given later hold from then on; without any, the session is as it was opened. */
  session(id: string, options?: SessionOptions): Session;
  /** The user's sessions by id, at most `limit` behind `after`. */
  sessions(page?: { readonly after?: string; readonly limit?: number }): Promise<readonly SessionSummary[]>;
  /** Erases a session and everything of it, for good. */
  purgeSession(id: string): Promise<void>;
  close(): Promise<void>;
}

const DEFAULT_MODEL = "gpt-4o";
const DEFAULT_LOCK_WAIT = 2_000;
const DEFAULT_LOCK_TIME = 15_000;
const DEFAULT_USER = "local";

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
  const { model, clock = { now: () => Date.now() }, logger = QUIET, userId: owner = DEFAULT_USER } = options;
  if (model !== undefined && !isModel(model)) {
    throw new InvalidOptionError("model", model, "a model of the AI SDK, not its name, or one with `generate`");
  }
  const store = options.store ?? inProcessStore(clock);
  const opened = new Map<string, Session>();
  return {
    session(id, settings) {
      const known = opened.get(id);
      if (known !== undefined && settings === undefined) return known;
      const ports = { owner, sessionId: id, model, clock, logger };
      const session = new Session({ ...ports, ...settle(settings ?? {}, logger) }, store);
      opened.set(id, session);
      return session;
    },
    sessions: (page) => store.sessions.list(owner, page),
    async purgeSession(sessionId) {
      opened.delete(sessionId);
      await store.sessions.purge({ owner, sessionId });
    },
    async close() {
      opened.clear();
      await store.close();
    },
  };
}

function isModel(model: unknown): boolean {
  return isRecord(model) && [model.doGenerate, model.generate].some((method) => typeof method === "function");
}

type Settled = Omit<SessionContext, "owner" | "sessionId" | "model" | "clock" | "logger">;

/** What the options say, and what holds where they say nothing. */
function settle(settings: SessionOptions, logger: Logger): Settled {
  const modelId = settings.modelId ?? DEFAULT_MODEL;
  const limits = getModelLimits(modelId);
  const given = settings.contextLimit ?? settings.config?.modelContextLimit;
  if (given === undefined && limits.warning !== undefined) logger.warn(limits.warning);
  const contextLimit = given ?? limits.contextLimit;
  const config = { ...DEFAULT_COMPACTION_CONFIG, ...settings.config, modelContextLimit: contextLimit };
  return {
    modelId,
    contextLimit,
    outputReserve: settings.outputReserve ?? Math.min(config.outputReserve, Math.floor(contextLimit / 4)),
    config,
    recentMessages: settings.config?.recentMessagesToKeep,
    profile: findProfile(settings.profile),
    timeLimit: settings.summaryTimeLimit,
    lockWait: settings.lockWait ?? DEFAULT_LOCK_WAIT,
    lockTime: settings.lockTime ?? DEFAULT_LOCK_TIME,
    workingContext: settings.workingContext,
  };
}
