import { InvalidOptionError } from "../errors/input-errors.ts";
import { omitUndefined } from "../internal/json.ts";
import { messageOf } from "../internal/text.ts";
import { HOUR } from "../internal/time.ts";
import type { MemoryService } from "../memory/memory-service.ts";
import type { RelevantMemories } from "../memory/recall/recall-memories.ts";
import { type RetrievalCounts, retrievalCounts } from "../memory/recall/retrieval-counts.ts";
import type { Caller } from "../memory/space/spaces.ts";
import { memoryText } from "../memory/staleness/mark-stale.ts";
import type { Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import type { MemoryStore } from "../ports/memory-store.ts";
import type { BlobStore, DocumentStore } from "../ports/store.ts";
import type { Workspace } from "../ports/workspace.ts";
import { assembleContext, loadMemories, RenderedMemoryCache, readBudget } from "./assemble-context.ts";
import {
  type AssembledContext,
  type AssembleOptions,
  type ContextSignals,
  type Expanded,
  type PredictInput,
  type Prediction,
  type Signal,
  TOPIC_ID,
} from "./context-api.ts";
import { cleanPath, fromRoot } from "./file-paths.ts";
import { isNewer, type MemoryIndex, MemoryIndexes } from "./memory-index.ts";
import { type MemoryIndexEntry, normalizeTopic } from "./memory-index-entry.ts";
import { normalizeSignals, SessionSignals, toPredictInput } from "./normalize-signals.ts";
import type { LearnedPatterns, LearnPatternsOptions } from "./patterns/learn-patterns.ts";
import type { Learned, LearnOptions } from "./predict/history-store.ts";
import { type LastSession, Predictor } from "./predict/predictor.ts";
import { RevisionCache, searchCache } from "./revision-cache.ts";
import type { OwnActivities } from "./tiers/activity-plan.ts";
import { findEntry, type Relevance, scoreCandidates } from "./tiers/score-candidates.ts";

/** Dependencies of `tl.context`. */
export interface ContextPorts extends Caller {
  readonly memoryStore: MemoryStore;
  readonly memory: MemoryService;
  /** Shares of the caller's own activities, by name. */
  readonly activities?: OwnActivities | undefined;
  /** Project on disk. Required to learn patterns from its code. */
  readonly workspace?: Workspace | undefined;
  readonly documents: DocumentStore;
  /** Stores the index entries of memories of large spaces, so that a process starts fast. */
  readonly blobs: BlobStore | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The predictor, as far as it is used. */
export type PredictorPort = Pick<Predictor, "predict" | "observe" | "lastSession" | "learnHistory" | "forgetSession">;

/** Maximum number of memories that are considered for a question. */
const MAX_RELEVANT = 40;
const MAX_PREDICTED = 30;
const MAX_PREFETCHED = 200;

/** The code behind `ContextService`, which checks the options and loads this file on the first call. */
export class ContextEngine {
  readonly #ports: ContextPorts;
  readonly #predictor: PredictorPort;
  readonly #memoryIndexes: MemoryIndexes;
  readonly #renderedMemories: RenderedMemoryCache;
  readonly #uses: RetrievalCounts;
  readonly #predictions = new RevisionCache<Prediction>(MAX_PREFETCHED);
  readonly #relevant = searchCache();
  readonly #sessions = new SessionSignals();
  readonly #lastSessions = new RevisionCache<LastSession | undefined>(MAX_PREFETCHED);

  /** @param predictor Default: one that shares the memory indexes. */
  constructor(ports: ContextPorts, predictor?: PredictorPort) {
    this.#ports = ports;
    this.#memoryIndexes = new MemoryIndexes(ports, ports);
    this.#predictor = predictor ?? new Predictor({ ...ports, memoryIndexes: this.#memoryIndexes });
    this.#renderedMemories = new RenderedMemoryCache(ports.memoryStore);
    this.#uses = retrievalCounts(ports.memoryStore, ports.logger);
  }

  async assemble(options: AssembleOptions): Promise<AssembledContext> {
    const { assembled, relevance } = await this.#assemble(options);
    if (options.countUse === false) return assembled;
    // Background memories are included in most contexts, so their use is no evidence of their relevance.
    const used = assembled.receipt.items.filter(({ tier }) => tier === "critical" || tier === "relevant");
    this.#countUses(used.flatMap(({ id }) => findEntry(relevance, id) ?? []));
    return assembled;
  }

  predict(input: PredictInput): Promise<Prediction> {
    return this.#predictor.predict(this.#withRelativePaths(input));
  }

  observe(signal: Signal): Promise<void> {
    return this.#predictor.observe(this.#withRelativePaths(signal));
  }

  /** Records an event, and prefetches the data for the next `assemble`. Failures are logged. */
  async prefetch(given: Signal): Promise<void> {
    const signal = this.#withRelativePaths(given);
    try {
      await this.#predictor.observe(signal);
      const { revision } = await this.#memoryIndexes.open();
      for (const happened of this.#signalsToPrefetch(signal)) {
        const input = { ...happened, limit: MAX_PREDICTED };
        await this.#predictions.put(this.#keyOf(input), revision, this.#predictor.predict(input));
        await this.#assemble({ signals: toSignals(happened) });
      }
    } catch (error) {
      this.#ports.logger.warn(`Could not prefetch the context: ${messageOf(error)}`);
    }
  }

  async learnHistory(options?: LearnOptions): Promise<Learned> {
    const learned = await this.#predictor.learnHistory(options);
    this.#predictions.clear();
    return learned;
  }

  async learnPatterns(options: LearnPatternsOptions): Promise<LearnedPatterns> {
    const { workspace, documents, memory, userId, projectId } = this.#ports;
    if (workspace === undefined) {
      throw new InvalidOptionError("workspace", undefined, "openWorkspace(folder), given to createThroughline");
    }
    // Loaded lazily: most callers never learn from code.
    const { learnPatterns } = await import("./patterns/learn-patterns.ts");
    return learnPatterns({ ...options, workspace, documents, memory, userId, projectId });
  }

  async forgetSession(sessionId: string): Promise<void> {
    this.#sessions.forget(sessionId);
    await this.#predictor.forgetSession(sessionId);
    this.#lastSessions.clear();
    this.#predictions.clear();
  }

  async expand(idOrTopic: string): Promise<readonly Expanded[]> {
    const { memoryStore, memory } = this.#ports;
    const { memoryIndexes } = await this.#memoryIndexes.open();
    const entries = idOrTopic.trim() === "" ? [] : await findPointedTo(idOrTopic.trim(), memoryIndexes, memory);
    this.#countUses(entries);
    const memories = await loadMemories(entries, memoryStore);
    return entries.flatMap(({ id }) => {
      const memory = memories.get(id);
      return memory === undefined ? [] : [{ id, text: memoryText(memory, "full"), memory }];
    });
  }

  settle(): Promise<void> {
    return this.#uses.settle();
  }

  /** Counts each memory at most once an hour, because consecutive turns contain the same memories. */
  #countUses(entries: readonly MemoryIndexEntry[]): void {
    const now = this.#ports.clock.now();
    for (const { id, space } of entries) this.#uses.count(space, [id], now, HOUR);
  }

  async #assemble(
    options: AssembleOptions,
  ): Promise<{ readonly assembled: AssembledContext; readonly relevance: Relevance }> {
    const { activities, clock } = this.#ports;
    const { message, budget, isKnown, signals: given = {} } = options;
    readBudget(budget);
    const signals = this.#complete(this.#withRelativePaths(given));
    const last = await this.#lastSession(signals);
    const normalized = normalizeSignals(signals, { message, last, now: clock.now() });
    const { memoryIndexes, revision } = await this.#memoryIndexes.open();
    const [predicted, found] = await Promise.all([
      this.#predictNeeds(
        toPredictInput(last === undefined ? signals : { ...signals, recentFiles: last.files }),
        revision,
      ),
      this.#findRelevant(normalized.question, revision),
    ]);
    const seen = { signals: normalized, memoryIndexes, prediction: predicted.prediction, relevant: found.hits };
    const relevance = scoreCandidates(isKnown === undefined ? seen : { ...seen, isKnown });
    const degraded = found.byWordsAlone ? ["The embedder failed: relevant memories were searched by words only."] : [];
    const notes = [...predicted.notes, ...degraded];
    const assembled = await assembleContext(options, {
      relevance,
      texts: this.#renderedMemories,
      notes,
      ...(activities && { activities }),
    });
    return { assembled, relevance };
  }

  /** Makes absolute paths relative to the project root. */
  #withRelativePaths<T extends Pick<Signal & ContextSignals, "fileOpened" | "currentFile" | "recentFiles">>(
    given: T,
  ): T {
    const root = this.#ports.projectId;
    const { fileOpened, currentFile, recentFiles } = given;
    return {
      ...given,
      ...(fileOpened !== undefined && { fileOpened: fromRoot(fileOpened, root) }),
      ...(currentFile !== undefined && { currentFile: fromRoot(currentFile, root) }),
      ...(recentFiles !== undefined && { recentFiles: recentFiles.map((path) => fromRoot(path, root)) }),
    };
  }

  /** The signal alone, and the signal completed with the state of its session. */
  #signalsToPrefetch(signal: Signal): readonly Signal[] {
    const { sessionId, ...alone } = signal;
    return sessionId === undefined ? [alone] : [alone, this.#sessions.follow(signal)];
  }

  /** Adds the session's files to signals that have none. */
  #complete(signals: ContextSignals): ContextSignals {
    const { recentFiles, fileOpened } = this.#sessions.get(signals.sessionId) ?? {};
    const currentFile = signals.currentFile ?? fileOpened;
    return omitUndefined({ ...signals, currentFile, recentFiles: signals.recentFiles ?? recentFiles });
  }

  /** The last session, if the signals contain no files and no errors. */
  async #lastSession(signals: ContextSignals): Promise<LastSession | undefined> {
    const { currentFile = "", recentFiles = [], recentErrors = [], sessionId, branch } = signals;
    if (currentFile.trim() !== "" || recentFiles.length + recentErrors.length > 0) return undefined;
    const find = () => this.#predictor.lastSession(sessionId, branch);
    try {
      // Cached per session, so that concurrent sessions do not change its context.
      return await (sessionId === undefined ? find() : this.#lastSessions.get(sessionId, "", find));
    } catch {
      // The prediction that follows reports the same error.
      return undefined;
    }
  }

  async #predictNeeds(
    input: Signal,
    revision: string,
  ): Promise<{ readonly prediction: Prediction; readonly notes: readonly string[] }> {
    try {
      const predictInput = { ...input, limit: MAX_PREDICTED };
      const found = await this.#predictions.get(this.#keyOf(predictInput), revision, () =>
        this.#predictor.predict(predictInput),
      );
      return { prediction: found, notes: [] };
    } catch (error) {
      const note = `No predictions: ${messageOf(error)}`;
      this.#ports.logger.warn(note);
      return { prediction: NOTHING_PREDICTED, notes: [note] };
    }
  }

  async #findRelevant(question: string, revision: string): Promise<RelevantMemories> {
    if (question === "") return { hits: [], byWordsAlone: false };
    return this.#relevant.get(question, revision, () =>
      this.#ports.memory.findRelevant(question, { limit: MAX_RELEVANT }),
    );
  }

  /** Cache key of a prediction: everything that it depends on, including the hour. */
  #keyOf({ fileOpened, recentFiles, branch, error, collaborator, sessionId, at }: Signal): string {
    const files = [...(recentFiles ?? []), fileOpened ?? ""].map(cleanPath);
    const hour = Math.floor((at ?? this.#ports.clock.now()) / HOUR);
    return JSON.stringify([files, branch, error, collaborator, sessionId, hour]);
  }
}

function toSignals({ fileOpened, recentFiles, branch, error, collaborator, at, sessionId }: Signal): ContextSignals {
  const recentErrors = error === undefined ? undefined : [error];
  return omitUndefined({ currentFile: fileOpened, recentFiles, recentErrors, branch, collaborator, at, sessionId });
}

const NOTHING_PREDICTED: Prediction = { memories: [], files: [], confidence: 0 };

const MAX_EXPANDED = 20;
const MAX_FOUND = 5;

/**
 * Finds the memories behind a pointer of the index tier, newest first: by id, topic or name. Other text is used as a
 * search query.
 */
async function findPointedTo(
  pointer: string,
  memoryIndexes: readonly MemoryIndex[],
  memory: Pick<MemoryService, "findRelevant">,
): Promise<readonly MemoryIndexEntry[]> {
  const byId = findEntry({ memoryIndexes }, pointer);
  if (byId !== undefined) return [byId];
  const topic = normalizeTopic(pointer.startsWith(TOPIC_ID) ? pointer.slice(TOPIC_ID.length) : pointer);
  const named = memoryIndexes.flatMap((memoryIndex) => memoryIndex.under(topic));
  if (named.length > 0) return named.sort((a, b) => (isNewer(a, b) ? -1 : 1)).slice(0, MAX_EXPANDED);
  const { hits } = await memory.findRelevant(topic, { from: "memories", limit: MAX_FOUND });
  return hits.flatMap(({ id }) => findEntry({ memoryIndexes }, id) ?? []);
}
