import { MODEL_SUMMARY_POLICY } from "./compact/policy.ts";
import { findProfile } from "./compact/profiles.ts";
import type { Signal } from "./context/context-api.ts";
import { sessionRecaller } from "./context/context-service.ts";
import { EndedSessions } from "./context/episodes/ended-sessions.ts";
import { ABOVE_ZERO, checkId, checkOptions, FLAG, TEXT } from "./errors/check-options.ts";
import { omitUndefined } from "./internal/json.ts";
import { SessionReader } from "./memory/ingest/session-reader.ts";
import { connectMemory } from "./open-memory.ts";
import { DEFAULT_CONFIG } from "./overflow/compaction-config.ts";
import type { Logger } from "./ports/logger.ts";
import { BackgroundWork } from "./session/background-summary.ts";
import { OpenedSessions } from "./session/opened-sessions.ts";
import { Session } from "./session/session.ts";
import { checkSessionOptions, type SessionOptions } from "./session/session-options.ts";
import { type SessionDeps, thresholdOf } from "./session/session-settings.ts";
import { inProcessStore } from "./store/in-process.ts";
import type { Throughline, ThroughlineOptions } from "./throughline-api.ts";
import { getModelLimits } from "./tokens/model-limits.ts";

const DEFAULT_MODEL = "gpt-4o";
const DEFAULT_LOCK_WAIT = 2_000;
const DEFAULT_LOCK_TIME = 15_000;

/** Connects store, model, embedder and clock to sessions, memory and context. The options are checked. */
export async function openThroughline(options: ThroughlineOptions): Promise<Throughline> {
  const { store = inProcessStore(options.clock) } = options;
  const { messages, documents } = store;
  const { ports, memory, context, retrievals } = await connectMemory(options, store);
  const { userId, logger } = ports;
  const { projectId } = options;
  const background = new BackgroundWork(logger, options.waitUntil);
  const opened = new OpenedSessions();
  const reader = new SessionReader({ messages, logger, ingest: (input) => memory.ingest(input) });
  const observe = (signal: Signal) => context.observe(signal);
  const ended = new EndedSessions({ ...ports, projectId, memory, messages, documents, observe });
  const readAlong = (sessionId: string, count: number): void => {
    reader.note({ userId, sessionId }, count);
    ended.note(sessionId);
  };
  const memoryOf = (sessionId: string, { remember = false }: SessionOptions = {}): SessionMemory => ({
    recall: sessionRecaller(memory, context, sessionId),
    ...(remember && { onAppend: (count: number) => readAlong(sessionId, count) }),
  });
  return {
    memory,
    context,
    session(id, settings) {
      checkId("session", id);
      checkSessionOptions("session", settings);
      const known = opened.find(id, settings);
      if (known !== undefined) return known;
      const own = { sessionId: id, ...memoryOf(id, settings), ...withDefaults(settings ?? {}, logger) };
      const session = new Session({ ...ports, background, ...own }, store);
      opened.keep(session, settings);
      return session;
    },
    async sessions(page) {
      checkOptions("sessions", page, { after: TEXT, limit: ABOVE_ZERO });
      return store.sessions.list(userId, page);
    },
    async purgeSession(sessionId, settings) {
      checkOptions("purgeSession", settings, { keepMemories: FLAG });
      opened.drop(sessionId);
      await background.stop(sessionId);
      await reader.drop(sessionId);
      await ended.erase(sessionId);
      await context.forgetSession(sessionId);
      const { removeSessionFromImports } = await import("./memory/undo/import-record.ts");
      await removeSessionFromImports(store, { userId, sessionId });
      // The session goes last: if something fails before, it can be purged again.
      await memory.purgeSession(sessionId, settings);
      await store.sessions.purge({ userId, sessionId });
    },
    async close() {
      opened.clear();
      await Promise.all([background.close(), reader.end(userId)]);
      await ended.end();
      await retrievals.settle();
      await store.close();
    },
  };
}

type SessionMemory = Pick<SessionDeps, "recall" | "onAppend">;
type Ports = Pick<SessionDeps, "userId" | "model" | "clock" | "logger" | "telemetry" | "background">;
type ResolvedOptions = Omit<SessionDeps, "sessionId" | keyof Ports | keyof SessionMemory>;

/** The options of a session with their defaults. */
function withDefaults(settings: SessionOptions, logger: Logger): ResolvedOptions {
  const modelId = settings.modelId ?? DEFAULT_MODEL;
  const limits = getModelLimits(modelId);
  if (settings.contextLimit === undefined && limits.warning !== undefined) logger.warn(limits.warning);
  const { contextLimit = limits.contextLimit, outputReserve } = settings;
  const { systemReserve, safetyBuffer } = settings.config ?? {};
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
      reader: settings.reader,
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
