import { findProfile, type ProfileName } from "./compact/profiles/find-profile.ts";
import type { SummaryProfile } from "./compact/profiles/profile.ts";
import type { AnyModel } from "./compact/to-model.ts";
import type { WorkingContext } from "./compact/working-context.ts";
import type { Signal } from "./context/context-api.ts";
import { ContextService } from "./context/context-service.ts";
import { EndedSessions } from "./context/episodes/ended-sessions.ts";
import { sessionRecaller } from "./context/session-recaller.ts";
import type { OwnActivities } from "./context/tiers/activity-plan.ts";
import { wordEmbedder } from "./embed/word-embedder.ts";
import { InvalidOptionError } from "./errors/invalid-option-error.ts";
import { isRecord } from "./internal/json.ts";
import { MemoryService } from "./memory/service/memory-service.ts";
import type { PurgeSessionOptions } from "./memory/service/purge-memory.ts";
import { SessionReader } from "./memory/service/session-reader.ts";
import { type CompactionConfig, DEFAULT_COMPACTION_CONFIG } from "./overflow/compaction-config.ts";
import type { Clock } from "./ports/clock.ts";
import type { Embedder } from "./ports/embedder.ts";
import { type Logger, QUIET } from "./ports/logger.ts";
import type { SessionSummary, Store } from "./ports/store.ts";
import type { Workspace } from "./ports/workspace.ts";
import { OpenedSessions } from "./session/opened-sessions.ts";
import { Session } from "./session/session.ts";
import type { SessionDeps } from "./session/session-deps.ts";
import { inProcessStore } from "./store/in-process.ts";
import type { Tracer } from "./telemetry/tracer.ts";
import type { Telemetry } from "./telemetry/with-span.ts";
import { loadTokenRanks } from "./tokens/bpe/token-ranks.ts";
import { getModelLimits } from "./tokens/model-limits.ts";

export interface ThroughlineOptions {
  /** Where sessions are kept; in this process, where none is given. */
  readonly store?: Store;
  /** Writes the prose of summaries: any model of the AI SDK, or one behind our port; without it the ledger and an extract stand alone. */
  readonly model?: AnyModel;
  /** Turns texts into vectors; the small one that ships with the package, where none is given. */
  readonly embedder?: Embedder;
  readonly clock?: Clock;
  readonly logger?: Logger;
  /** OpenTelemetry's: gets a span for every turn, compaction, pruning and operation on memories. */
  readonly tracer?: Tracer;
  /** Whether spans may hold texts: what is asked, remembered and summarised. They hold numbers and ids, where nothing is said. */
  readonly recordContent?: boolean;
  /** Whose sessions and memories these are: nobody sees another's. */
  readonly userId?: string;
  /** The project that is worked on: what is remembered in it is recalled only there, and can be shared in it. */
  readonly projectId?: string;
  /**
   * Looks at memories from all projects at once: private ones of any project, and those shared in the projects listed here.
   * For tools that list, export or erase everything.
   */
  readonly allProjects?: readonly string[];
  /** What everybody has (the scope `system`) is read and not changed: for a server that many people share. */
  readonly isSystemReadOnly?: boolean;
  /** The project's files and history: what is needed next is told from them. */
  readonly workspace?: Workspace;
  /** How activities of your own divide the budget of an assembled context. */
  readonly activities?: OwnActivities;
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
  /**
   * Reads along: what is said becomes evidence, and the facts in it are remembered, every five messages and at the end. What came
   * of the session becomes episodes and workflows when everything is closed.
   */
  readonly remember?: boolean;
  /** The tools that the agent discovered: a compaction drops those that the window no longer names. */
  readonly workingContext?: WorkingContext;
}

export interface Throughline {
  /** Opens a session. Options given later hold from then on; without any, the session is as it was opened. */
  session(id: string, options?: SessionOptions): Session;
  /** What is remembered across sessions. */
  readonly memory: MemoryService;
  /** Memories that are ready before they are needed, in tiers within a budget. */
  readonly context: ContextService;
  /** The user's sessions by id, at most `limit` behind `after`. */
  sessions(page?: { readonly after?: string; readonly limit?: number }): Promise<readonly SessionSummary[]>;
  /** Erases a session and everything of it, for good: also its turns and, unless it is kept, what was extracted from them. */
  purgeSession(id: string, options?: PurgeSessionOptions): Promise<void>;
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
  checkModel(model);
  await loadTokenRanks();
  const { store = inProcessStore(clock) } = options;
  const { messages, documents, memories: shelf } = store;
  const { embedder = wordEmbedder(), projectId, allProjects, isSystemReadOnly, activities, workspace } = options;
  const ports = { owner, model, clock, logger, telemetry: readTelemetry(options) };
  const opened = new OpenedSessions();
  const memory = new MemoryService({ ...ports, projectId, allProjects, isSystemReadOnly, shelf, embedder });
  const context = new ContextService({ ...ports, projectId, shelf, documents, memory, workspace, activities });
  const reader = new SessionReader({ messages, logger, ingest: (input) => memory.ingest(input) });
  const observe = (signal: Signal) => context.observe(signal);
  const ended = new EndedSessions({ ...ports, projectId, memory, messages, documents, observe });
  const readAlong = (sessionId: string, count: number): void => {
    reader.note({ owner, sessionId }, count);
    ended.note(sessionId);
  };
  const memoryOf = (sessionId: string, { remember = false }: SessionOptions = {}): SessionMemory => ({
    recall: sessionRecaller(memory, context, sessionId),
    ...(remember && { appended: (count: number) => readAlong(sessionId, count) }),
  });
  return {
    memory,
    context,
    session(id, settings) {
      const known = opened.find(id, settings);
      if (known !== undefined) return known;
      const own = { sessionId: id, ...memoryOf(id, settings), ...settle(settings ?? {}, logger) };
      const session = new Session({ ...ports, ...own }, store);
      opened.keep(session, settings);
      return session;
    },
    sessions: (page) => store.sessions.list(owner, page),
    async purgeSession(sessionId, settings) {
      opened.drop(sessionId);
      await reader.drop(sessionId);
      await ended.erase(sessionId);
      await context.forgetSession(sessionId);
      // The session goes last: where something fails, it is still there to be purged again.
      await memory.purgeSession(sessionId, settings);
      await store.sessions.purge({ owner, sessionId });
    },
    async close() {
      opened.clear();
      await reader.end(owner);
      await Promise.all([ended.end(), context.settle()]);
      await store.close();
    },
  };
}

function checkModel(model: unknown): void {
  const isModel = isRecord(model) && [model.doGenerate, model.generate].some((method) => typeof method === "function");
  if (model !== undefined && !isModel) {
    throw new InvalidOptionError("model", model, "a model of the AI SDK, not its name, or one with `generate`");
  }
}

function readTelemetry({ tracer, recordContent = false }: ThroughlineOptions): Telemetry | undefined {
  if (tracer === undefined) return undefined;
  if (typeof tracer?.startActiveSpan === "function") return { tracer, recordContent };
  throw new InvalidOptionError("tracer", tracer, "a tracer of OpenTelemetry: trace.getTracer(name)");
}

type SessionMemory = Pick<SessionDeps, "recall" | "appended">;
type Ports = Pick<SessionDeps, "owner" | "model" | "clock" | "logger" | "telemetry">;
type Settled = Omit<SessionDeps, "sessionId" | keyof Ports | keyof SessionMemory>;

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
