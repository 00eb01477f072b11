import { isLanguageModel } from "./compact/language-model.ts";
import { MODEL_SUMMARY_POLICY } from "./compact/policy.ts";
import { findProfile, type ProfileName } from "./compact/profiles/find-profile.ts";
import type { SummaryProfile } from "./compact/profiles/profile.ts";
import { type AnyModel, loadModelFinder, withCallListener } from "./compact/to-model.ts";
import type { WorkingContext } from "./compact/working-context.ts";
import type { Signal } from "./context/context-api.ts";
import { ContextService } from "./context/context-service.ts";
import { EndedSessions } from "./context/episodes/ended-sessions.ts";
import { sessionRecaller } from "./context/session-recaller.ts";
import type { OwnActivities } from "./context/tiers/activity-plan.ts";
import { wordEmbedder } from "./embed/word-embedder.ts";
import {
  ABOVE_ZERO,
  AT_LEAST_ZERO,
  CHECKED_LATER,
  checkOptions,
  FLAG,
  FUNCTION,
  OBJECT,
  type OptionRules,
  oneOf,
  SHARE,
  TEXT,
  TEXTS,
  withMethods,
} from "./errors/check-options.ts";
import { InvalidOptionError } from "./errors/invalid-option-error.ts";
import { isRecord, omitUndefined } from "./internal/json.ts";
import { indexCache } from "./memory/service/index-cache.ts";
import { MemoryService } from "./memory/service/memory-service.ts";
import type { PurgeSessionOptions } from "./memory/service/purge-memory.ts";
import { SessionReader } from "./memory/service/session-reader.ts";
import { PROVIDERS, type Provider } from "./message/legality-rules.ts";
import { type CompactionConfig, DEFAULT_CONFIG } from "./overflow/compaction-config.ts";
import type { Clock } from "./ports/clock.ts";
import { DEFAULT_OWNER } from "./ports/commit-session.ts";
import type { Embedder } from "./ports/embedder.ts";
import { type Logger, QUIET } from "./ports/logger.ts";
import type { ModelCall } from "./ports/model.ts";
import type { SessionSummary, Store } from "./ports/store.ts";
import type { Workspace } from "./ports/workspace.ts";
import { BackgroundWork } from "./session/background-work.ts";
import { OpenedSessions } from "./session/opened-sessions.ts";
import { Session } from "./session/session.ts";
import { type SessionDeps, thresholdOf } from "./session/session-deps.ts";
import { inProcessStore } from "./store/in-process.ts";
import type { Tracer } from "./telemetry/tracer.ts";
import type { Telemetry } from "./telemetry/with-span.ts";
import { loadTokenRanks } from "./tokens/bpe/token-ranks.ts";
import { getModelLimits } from "./tokens/model-limits.ts";

/** Options of `createThroughline`. */
export interface ThroughlineOptions {
  /** Where sessions and memories are stored. Default: in this process. */
  readonly store?: Store;
  /** Writes the prose of summaries and extracts facts: an AI SDK model or its id, or your own `Model`. Default: rules alone. */
  readonly model?: AnyModel;
  /** Called after each request to the model with its outcome. Use it to count calls and failures. Default: none. */
  readonly onModelCall?: (call: ModelCall) => void;
  /** Turns texts into vectors for search. Default: the small one that ships with the package. */
  readonly embedder?: Embedder;
  /**
   * Maximum memory for search indexes in bytes, of all users and stores of this process together: the last value that is
   * set counts. An index that does not fit is read again when it is used. Default: 1 GiB.
   */
  readonly maxIndexBytes?: number;
  /** Source of the time. Default: the system clock. */
  readonly clock?: Clock;
  /** Receives warnings and notes. Default: none. */
  readonly logger?: Logger;
  /** An OpenTelemetry tracer: gets a span for every turn, compaction, pruning and operation on memories. */
  readonly tracer?: Tracer;
  /** Adds queries, memories and summaries to spans. Default: `false`, spans hold numbers and ids only. */
  readonly recordContent?: boolean;
  /** Owner of the sessions and memories. Users never see each other's. Default: `local`. */
  readonly userId?: string;
  /** The current project. Memories saved with it are recalled only there, and can be shared in it. */
  readonly projectId?: string;
  /** Reads memories of all projects: private ones of any project, and shared ones of these. For tools that list, export or erase. */
  readonly allProjects?: readonly string[];
  /** Refuses changes of memories in the scope `system`, which everybody has. For servers with many users. */
  readonly isSystemReadOnly?: boolean;
  /** Files and history of the project, to predict what is needed next. */
  readonly workspace?: Workspace;
  /** Shares of the context budget for activities of your own. */
  readonly activities?: OwnActivities;
  /**
   * Gets the promise of each piece of background work, such as a summary by the model, which never rejects. Pass the
   * function of your serverless platform, so that the work is not cut off after a response.
   */
  readonly waitUntil?: (work: Promise<void>) => void;
}

/** Options of `tl.session`. */
export interface SessionOptions {
  /** Model that the windows are for: sets the tokenizer and the context limit. Default: `gpt-4o`. */
  readonly modelId?: string;
  /** Provider that the windows are for. With `openai`, system messages after the start stay. Default: legal for all. */
  readonly provider?: Provider;
  /** Context limit in tokens. Default: that of the model. */
  readonly contextLimit?: number;
  /**
   * Tokens reserved for the reply. If you set it, the threshold reserves as many. Default: 4,000, at most a quarter of
   * the context limit.
   */
  readonly outputReserve?: number;
  /** Sections of summaries. Default: `coding`. */
  readonly profile?: ProfileName | SummaryProfile;
  /** Size of the verbatim tail after a compaction, in tokens. 0 keeps none. Default: see `keepShare`. */
  readonly keepTokens?: number;
  /** Size of the verbatim tail after a compaction, as a share of the threshold from 0 to 1. Default: 0.3. */
  readonly keepShare?: number;
  /** Thresholds and limits of pruning and compaction. */
  readonly config?: Partial<CompactionConfig>;
  /** Timeout of the model that writes summaries, in milliseconds. Default: 30,000. */
  readonly summaryTimeLimit?: number;
  /** Maximum calls of that model, over the whole life of the session. Default: 200. */
  readonly maxSummaryCalls?: number;
  /** Maximum tokens of those calls, input and output. Default: 4,000,000. */
  readonly maxSummaryTokens?: number;
  /** Milliseconds to wait for another process that compacts the session, before `SessionBusyError`. Default: 2,000. */
  readonly lockWait?: number;
  /** Milliseconds after which the lease of a process that died expires. Default: 15,000. */
  readonly lockTime?: number;
  /**
   * Saves facts from the messages as memories, every five messages and at the end, and episodes and workflows when `tl`
   * is closed. Default: `false`.
   */
  readonly remember?: boolean;
  /** Tools that the agent discovered. A compaction drops those that the window no longer names. */
  readonly workingContext?: WorkingContext;
}

/** Sessions, memory and context of one user. Created by `createThroughline`. */
export interface Throughline {
  /**
   * Opens a session; an unknown id starts a new one. Reads and writes nothing until you call a method of the session.
   *
   * @param id Id of the session, unique for the user.
   * @param options Model, limits and profile. They apply from this call on and are not stored. Without options, the
   *   session keeps those it was last opened with in this process; that is remembered for the 500 sessions used last.
   * @throws InvalidOptionError for unknown options, values of the wrong type and unknown profiles.
   *
   * @example
   * const session = tl.session("s1", { modelId: "claude-sonnet-4-5", profile: "chat" });
   */
  session(id: string, options?: SessionOptions): Session;
  /** Memories across sessions: remember, recall, forget. */
  readonly memory: MemoryService;
  /** Assembles memories for the current work within a token budget, and predicts which will be needed. */
  readonly context: ContextService;
  /**
   * Lists the user's sessions, sorted by id.
   *
   * @param page Maximum number of sessions (`limit`), and the id after which the list starts (`after`). Default: all
   *   sessions.
   *
   * @example
   * const first = await tl.sessions({ limit: 100 });
   * const after = first.at(-1)?.sessionId;
   * const second = after === undefined ? [] : await tl.sessions({ limit: 100, after });
   */
  sessions(page?: { readonly after?: string; readonly limit?: number }): Promise<readonly SessionSummary[]>;
  /**
   * Erases a session permanently: its messages, receipts and compactions, and the memories extracted from it.
   *
   * @param id Id of the session.
   * @param options `keepMemories: true` keeps the extracted memories, without the text that they come from.
   *
   * @example
   * await tl.purgeSession("s1", { keepMemories: true });
   */
  purgeSession(id: string, options?: PurgeSessionOptions): Promise<void>;
  /**
   * Finishes pending work, such as facts of sessions with `remember`, stops summaries that a model is still writing, and
   * closes the store. Call it once, at the end.
   *
   * @example
   * await tl.close();
   */
  close(): Promise<void>;
}

const CREATE_RULES: OptionRules<ThroughlineOptions> = {
  store: [
    (value) =>
      isRecord(value) &&
      ["messages", "sessions", "memories", "documents", "blobs"].every((part) => isRecord(value[part])),
    "a store, such as sqliteStore(path)",
  ],
  model: CHECKED_LATER,
  onModelCall: FUNCTION,
  embedder: withMethods("an embedder, such as wordEmbedder()", "embed"),
  clock: withMethods("an object with now()", "now"),
  logger: withMethods("an object with info() and warn()", "info", "warn"),
  tracer: CHECKED_LATER,
  recordContent: FLAG,
  userId: TEXT,
  projectId: TEXT,
  allProjects: TEXTS,
  isSystemReadOnly: FLAG,
  maxIndexBytes: ABOVE_ZERO,
  workspace: OBJECT,
  activities: OBJECT,
  waitUntil: FUNCTION,
};

const SESSION_RULES: OptionRules<SessionOptions> = {
  modelId: TEXT,
  provider: oneOf(...PROVIDERS),
  contextLimit: ABOVE_ZERO,
  outputReserve: AT_LEAST_ZERO,
  profile: CHECKED_LATER,
  keepTokens: AT_LEAST_ZERO,
  keepShare: SHARE,
  config: OBJECT,
  summaryTimeLimit: AT_LEAST_ZERO,
  maxSummaryCalls: AT_LEAST_ZERO,
  maxSummaryTokens: AT_LEAST_ZERO,
  lockWait: AT_LEAST_ZERO,
  lockTime: ABOVE_ZERO,
  remember: FLAG,
  workingContext: OBJECT,
};

const CONFIG_RULES: OptionRules<CompactionConfig> = {
  modelContextLimit: ABOVE_ZERO,
  systemReserve: AT_LEAST_ZERO,
  outputReserve: AT_LEAST_ZERO,
  safetyBuffer: AT_LEAST_ZERO,
  maxBytes: ABOVE_ZERO,
  thresholdPercent: ABOVE_ZERO,
  recentMessagesToKeep: AT_LEAST_ZERO,
  pruneMinimum: AT_LEAST_ZERO,
  pruneProtect: AT_LEAST_ZERO,
  minTurnsToKeep: AT_LEAST_ZERO,
  protectedTools: TEXTS,
};

const DEFAULT_MODEL = "gpt-4o";
const DEFAULT_LOCK_WAIT = 2_000;
const DEFAULT_LOCK_TIME = 15_000;

/**
 * Creates Throughline for one user: sessions, memory and context over one store.
 *
 * @param options Store, model, embedder, user and project. All are optional: by default data is kept in this process
 *   only, and summaries and facts are written by rules, without a model.
 * @throws InvalidOptionError for unknown options and values of the wrong type.
 * @throws TokenRanksError if the runtime can neither read nor fetch the token ranks of the package.
 *
 * @example
 * const tl = await createThroughline();
 * const session = tl.session("s1", { modelId: "claude-sonnet-4-5" });
 * await session.append([{ role: "user", content: "Hello" }]);
 * const turn = await session.prepare({ system: "Be brief." });
 */
export async function createThroughline(options: ThroughlineOptions = {}): Promise<Throughline> {
  checkOptions("createThroughline", options, CREATE_RULES);
  const { clock = { now: () => Date.now() }, logger = QUIET, userId: owner = DEFAULT_OWNER } = options;
  if (options.maxIndexBytes !== undefined) indexCache.limit(options.maxIndexBytes);
  const model = observeModel(await readModel(options.model), options.onModelCall);
  await loadTokenRanks();
  const { store = inProcessStore(clock) } = options;
  const { messages, documents, memories: memoryStore } = store;
  const { embedder = wordEmbedder(), projectId, allProjects, isSystemReadOnly, activities, workspace } = options;
  const ports = { owner, model, clock, logger, telemetry: readTelemetry(options) };
  const background = new BackgroundWork(logger, options.waitUntil);
  const opened = new OpenedSessions();
  const memory = new MemoryService({
    ...ports,
    ...{ projectId, allProjects, isSystemReadOnly, memoryStore, embedder },
    blobs: options.store?.blobs,
  });
  const context = new ContextService({ ...ports, projectId, memoryStore, documents, memory, workspace, activities });
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
      checkOptions("session", settings, SESSION_RULES);
      checkOptions<Partial<CompactionConfig>>("session (config)", settings?.config, CONFIG_RULES);
      checkTail(settings);
      const known = opened.find(id, settings);
      if (known !== undefined) return known;
      const own = { sessionId: id, ...memoryOf(id, settings), ...withDefaults(settings ?? {}, logger) };
      const session = new Session({ ...ports, background, ...own }, store);
      opened.keep(session, settings);
      return session;
    },
    sessions: (page) => store.sessions.list(owner, page),
    async purgeSession(sessionId, settings) {
      opened.drop(sessionId);
      await background.stop(sessionId);
      await reader.drop(sessionId);
      await ended.erase(sessionId);
      await context.forgetSession(sessionId);
      const { removeSessionFromImports } = await import("./memory/imports/import-record.ts");
      await removeSessionFromImports(store, { owner, sessionId });
      // The session goes last: if something fails before, it can be purged again.
      await memory.purgeSession(sessionId, settings);
      await store.sessions.purge({ owner, sessionId });
    },
    async close() {
      opened.clear();
      await Promise.all([background.close(), reader.end(owner)]);
      await Promise.all([ended.end(), context.settle()]);
      await store.close();
    },
  };
}

function checkTail({ keepTokens, keepShare }: SessionOptions = {}): void {
  if (keepTokens === undefined || keepShare === undefined) return;
  const given = `${keepTokens} and ${keepShare}`;
  throw new InvalidOptionError("keepTokens and keepShare of session", given, "only one of the two");
}

/** Finds a model that is given by its id, so that a wrong id is refused at once. */
async function readModel(model: AnyModel | undefined): Promise<Exclude<AnyModel, string> | undefined> {
  if (typeof model === "string") return (await loadModelFinder()).findLanguageModel(model);
  const isModel = isLanguageModel(model) || (isRecord(model) && typeof model.generate === "function");
  if (model === undefined || isModel) return model;
  throw new InvalidOptionError("model", model, "a model of the AI SDK, its id, or one with `generate`");
}

/** Keeps the model as it is if nobody observes it: its failures are counted per object. */
function observeModel(
  given: Exclude<AnyModel, string> | undefined,
  onModelCall: ThroughlineOptions["onModelCall"],
): Exclude<AnyModel, string> | undefined {
  if (given === undefined || onModelCall === undefined) return given;
  return withCallListener(given, onModelCall);
}

function readTelemetry({ tracer, recordContent = false }: ThroughlineOptions): Telemetry | undefined {
  if (tracer === undefined) return undefined;
  if (typeof tracer?.startActiveSpan === "function") return { tracer, recordContent };
  throw new InvalidOptionError("tracer", tracer, "a tracer of OpenTelemetry: trace.getTracer(name)");
}

type SessionMemory = Pick<SessionDeps, "recall" | "appended">;
type Ports = Pick<SessionDeps, "owner" | "model" | "clock" | "logger" | "telemetry" | "background">;
type Settled = Omit<SessionDeps, "sessionId" | keyof Ports | keyof SessionMemory>;

/** The options of a session with their defaults. */
function withDefaults(settings: SessionOptions, logger: Logger): Settled {
  const modelId = settings.modelId ?? DEFAULT_MODEL;
  const limits = getModelLimits(modelId);
  const given = settings.contextLimit ?? settings.config?.modelContextLimit;
  if (given === undefined && limits.warning !== undefined) logger.warn(limits.warning);
  const contextLimit = given ?? limits.contextLimit;
  const { systemReserve, safetyBuffer } = settings.config ?? {};
  const outputReserve = settings.outputReserve ?? settings.config?.outputReserve;
  const config = { ...DEFAULT_CONFIG, ...settings.config, modelContextLimit: contextLimit };
  const sizes = {
    contextLimit,
    outputReserve: outputReserve ?? Math.min(DEFAULT_CONFIG.outputReserve, Math.floor(contextLimit / 4)),
    config,
    reserves: omitUndefined({ systemReserve, outputReserve, safetyBuffer }),
  };
  return {
    modelId,
    provider: settings.provider,
    ...sizes,
    threshold: thresholdOf(sizes),
    keep: {
      keepTokens: settings.keepTokens,
      keepShare: settings.keepShare,
      keepMessages: settings.config?.recentMessagesToKeep,
      minTurns: config.minTurnsToKeep,
      hasHistory: true,
    },
    profile: findProfile(settings.profile),
    timeLimit: settings.summaryTimeLimit,
    summaryLimits: {
      calls: settings.maxSummaryCalls ?? MODEL_SUMMARY_POLICY.maxCalls,
      tokens: settings.maxSummaryTokens ?? MODEL_SUMMARY_POLICY.maxTokens,
    },
    lockWait: settings.lockWait ?? DEFAULT_LOCK_WAIT,
    lockTime: settings.lockTime ?? DEFAULT_LOCK_TIME,
    workingContext: settings.workingContext,
  };
}
