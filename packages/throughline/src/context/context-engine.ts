import { checkOptions, FLAG, FUNCTION, OBJECT, TEXT } from "../errors/check-options.ts";
import { InvalidOptionError } from "../errors/input-errors.ts";
import { isRecord, omitUndefined } from "../internal/json.ts";
import { messageOf } from "../internal/text.ts";
import { HOUR } from "../internal/time.ts";
import type { MemoryService } from "../memory/memory-service.ts";
import { memoryText } from "../memory/memory-text.ts";
import type { RelevantMemories } from "../memory/recall/recall-memories.ts";
import type { Caller } from "../memory/space/spaces.ts";
import type { Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import type { MemoryStore } from "../ports/memory-store.ts";
import type { BlobStore, DocumentStore } from "../ports/store.ts";
import type { Workspace } from "../ports/workspace.ts";
import { assembleContext, RenderedMemoryCache, readBudget } from "./assemble-context.ts";
import type {
  AssembledContext,
  AssembleOptions,
  ContextSignals,
  Expanded,
  PredictInput,
  Prediction,
  Signal,
} from "./context-api.ts";
import { TOPIC_ID } from "./context-api.ts";
import { cleanPath, fromRoot } from "./file-paths.ts";
import { isNewer, type MemoryIndex, MemoryIndexes } from "./memory-index.ts";
import { type MemoryIndexEntry, normalizeTopic } from "./memory-index-entry.ts";
import { checkSignals, normalizeSignals, SessionSignals, toPredictInput } from "./normalize-signals.ts";
import type { LearnedPatterns, LearnPatternsOptions } from "./patterns/learn-patterns.ts";
import type { Learned, LearnOptions } from "./predict/history-store.ts";
import { Predictor } from "./predict/predictor.ts";
import { type LastSession, NOTHING_PREDICTED, type PredictionSource } from "./prediction-source.ts";
import { RevisionCache, searchCache } from "./revision-cache.ts";
import { checkShares, type OwnActivities } from "./tiers/activity-plan.ts";
import { findEntry, type Relevance, scoreCandidates } from "./tiers/score-candidates.ts";
import { UseCounter } from "./use-counter.ts";

interface ContextOptions extends Caller {
  readonly memoryStore: MemoryStore;
  readonly memory: MemoryService;
  /** Shared memory indexes. Default: its own. */
  readonly memoryIndexes?: MemoryIndexes | undefined;
  /** Predictor. Without it, only files and words decide which memories are relevant. */
  readonly prediction?: PredictionSource | undefined;
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

/** Maximum number of memories that are considered for a question. */
const MAX_RELEVANT = 40;
const MAX_PREDICTED = 30;
const MAX_PREFETCHED = 200;

/**
 * Assembles memories in four tiers within a budget, chosen by the current work, and prefetches those that will be
 * needed.
 *
 * @example
 * await tl.context.on({ fileOpened: "src/auth/login.ts" });
 * const { context, tiers } = await tl.context.assemble({ signals: { currentFile: "src/auth/login.ts" } });
 */
export class ContextEngine {
  readonly #options: ContextOptions;
  readonly #memoryIndexes: MemoryIndexes;
  readonly #renderedMemories: RenderedMemoryCache;
  readonly #uses: UseCounter;
  readonly #predictions = new RevisionCache<Prediction>(MAX_PREFETCHED);
  readonly #relevant = searchCache();
  readonly #sessions = new SessionSignals();
  readonly #leftOff = new RevisionCache<LastSession | undefined>(MAX_PREFETCHED);

  constructor(options: ContextOptions) {
    for (const shares of Object.values(options.activities ?? {})) checkShares(shares);
    this.#options = options;
    this.#memoryIndexes = options.memoryIndexes ?? new MemoryIndexes(options, options);
    this.#renderedMemories = new RenderedMemoryCache(options.memoryStore);
    this.#uses = new UseCounter(options.memoryStore, options.clock, options.logger);
  }

  /** Assembles relevant memories as an escaped block for a prompt, within a token budget. */
  async assemble(options: AssembleOptions = {}): Promise<AssembledContext> {
    const { assembled, relevance } = await this.#assemble(options);
    if (options.countUse === false) return assembled;
    // Background memories are included in most contexts, so their use is no evidence of their relevance.
    const used = assembled.receipt.items.filter(({ tier }) => tier === "critical" || tier === "relevant");
    this.#uses.count(used.flatMap(({ id }) => findEntry(relevance, id) ?? []));
    return assembled;
  }

  /** Predicts the memories and files that are needed after an event. */
  async predict(input: PredictInput): Promise<Prediction> {
    checkInput(input);
    return (await this.#options.prediction?.predict(this.#withRelativePaths(input))) ?? NOTHING_PREDICTED;
  }

  /** Records an event: the predictor learns from it, and its predictions are prefetched for `assemble`. */
  async on(given: Signal): Promise<void> {
    checkInput(given);
    const signal = this.#withRelativePaths(given);
    const { prediction, logger } = this.#options;
    try {
      await prediction?.observe(signal);
      const { revision } = await this.#memoryIndexes.open();
      for (const happened of this.#signalsToPrefetch(signal)) {
        const input = { ...happened, limit: MAX_PREDICTED };
        if (prediction !== undefined) {
          await this.#predictions.put(this.#keyOf(input), revision, prediction.predict(input));
        }
        await this.#assemble({ signals: toSignals(happened) });
      }
    } catch (error) {
      logger.warn(`Prefetch failed: ${messageOf(error)}`);
    }
  }

  /** Records an event for the predictor, without prefetching. */
  async observe(signal: Signal): Promise<void> {
    checkInput(signal);
    await this.#options.prediction?.observe(this.#withRelativePaths(signal));
  }

  /** Learns from new commits of the workspace which files change together. */
  async learnHistory(options?: LearnOptions): Promise<Learned> {
    checkOptions("context.learnHistory", options, { signal: OBJECT, onProgress: FUNCTION });
    const learned = (await this.#options.prediction?.learnHistory?.(options)) ?? { read: 0, kept: 0 };
    this.#predictions.clear();
    return learned;
  }

  /**
   * Learns coding conventions from the workspace's sources and saves them as patterns. Unchanged files are not read
   * again. With `dryRun`, nothing is saved.
   */
  async learnPatterns(options: LearnPatternsOptions = {}): Promise<LearnedPatterns> {
    checkOptions("context.learnPatterns", options, { dryRun: FLAG, signal: OBJECT, onProgress: FUNCTION, place: TEXT });
    const { workspace, documents, memory, userId, projectId } = this.#options;
    if (workspace === undefined) {
      throw new InvalidOptionError("workspace", undefined, "openWorkspace(folder), given to createThroughline");
    }
    // Loaded lazily: most callers never learn from code.
    const { learnPatterns } = await import("./patterns/learn-patterns.ts");
    return learnPatterns({ ...options, workspace, documents, memory, userId, projectId });
  }

  /** Removes everything that was learned from a session. */
  async forgetSession(sessionId: string): Promise<void> {
    this.#sessions.forget(sessionId);
    await this.#options.prediction?.forgetSession?.(sessionId);
    this.#leftOff.clear();
    this.#predictions.clear();
  }

  /** Returns the memories behind a pointer of the index tier: by id, topic or name. Empty if there are none. */
  async expand(idOrTopic: string): Promise<readonly Expanded[]> {
    if (typeof idOrTopic !== "string") throw new InvalidOptionError("idOrTopic", typeof idOrTopic, "a string");
    const { memoryStore, memory } = this.#options;
    const { memoryIndexes } = await this.#memoryIndexes.open();
    const entries = idOrTopic.trim() === "" ? [] : await findPointedTo(idOrTopic.trim(), memoryIndexes, memory);
    this.#uses.count(entries);
    return expandEntries(entries, memoryStore);
  }

  /** Waits until all usage counts are written. */
  settle(): Promise<void> {
    return this.#uses.settle();
  }

  async #assemble(
    options: AssembleOptions,
  ): Promise<{ readonly assembled: AssembledContext; readonly relevance: Relevance }> {
    const { activities, clock } = this.#options;
    const { message, budget, isKnown, signals: given = {} } = options;
    readBudget(budget);
    checkSignals(given);
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
    const root = this.#options.projectId;
    const { fileOpened, currentFile, recentFiles } = given;
    return {
      ...given,
      ...(fileOpened !== undefined && { fileOpened: fromRoot(fileOpened, root) }),
      ...(currentFile !== undefined && { currentFile: fromRoot(currentFile, root) }),
      // A value that is not a list is passed on and refused by the validation.
      ...(Array.isArray(recentFiles) && {
        recentFiles: recentFiles.map((path: unknown) => (typeof path === "string" ? fromRoot(path, root) : path)),
      }),
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
    const find = async () => this.#options.prediction?.lastSession?.(sessionId, branch);
    try {
      // Cached per session, so that concurrent sessions do not change its context.
      return await (sessionId === undefined ? find() : this.#leftOff.get(sessionId, "", find));
    } catch {
      // The prediction that follows reports the same error.
      return undefined;
    }
  }

  async #predictNeeds(
    input: Signal,
    revision: string,
  ): Promise<{ readonly prediction: Prediction; readonly notes: readonly string[] }> {
    const { prediction, logger } = this.#options;
    if (prediction === undefined) return { prediction: NOTHING_PREDICTED, notes: [] };
    try {
      const predictInput = { ...input, limit: MAX_PREDICTED };
      const found = await this.#predictions.get(this.#keyOf(predictInput), revision, () =>
        prediction.predict(predictInput),
      );
      return { prediction: found, notes: [] };
    } catch (error) {
      const note = `No predictions: ${messageOf(error)}`;
      logger.warn(note);
      return { prediction: NOTHING_PREDICTED, notes: [note] };
    }
  }

  async #findRelevant(question: string, revision: string): Promise<RelevantMemories> {
    if (question === "") return { hits: [], byWordsAlone: false };
    return this.#relevant.get(question, revision, () =>
      this.#options.memory.findRelevant(question, { limit: MAX_RELEVANT }),
    );
  }

  /** Cache key of a prediction: everything that it depends on, including the hour. */
  #keyOf({ fileOpened, recentFiles, branch, error, collaborator, sessionId, at }: Signal): string {
    const files = [...(recentFiles ?? []), fileOpened ?? ""].map(cleanPath);
    const hour = Math.floor((at ?? this.#options.clock.now()) / HOUR);
    return JSON.stringify([files, branch, error, collaborator, sessionId, hour]);
  }
}

function toSignals({ fileOpened, recentFiles, branch, error, collaborator, at, sessionId }: Signal): ContextSignals {
  const recentErrors = error === undefined ? undefined : [error];
  return omitUndefined({ currentFile: fileOpened, recentFiles, recentErrors, branch, collaborator, at, sessionId });
}

function checkInput(input: unknown): void {
  if (!isRecord(input)) throw new InvalidOptionError("input", typeof input, "an object such as { fileOpened: path }");
  for (const name of ["fileOpened", "branch", "error", "collaborator", "sessionId", "seen"]) {
    const value = input[name];
    if (value !== undefined && typeof value !== "string") throw new InvalidOptionError(name, typeof value, "a string");
  }
}

/** Dependencies of `tl.context`. */
export type ContextPorts = Omit<ContextOptions, "memoryIndexes" | "prediction">;

/** Creates assembly and its predictor, which share their memory indexes. */
export function createContext(ports: ContextPorts): ContextEngine {
  const memoryIndexes = new MemoryIndexes(ports, ports);
  return new ContextEngine({ ...ports, memoryIndexes, prediction: new Predictor({ ...ports, memoryIndexes }) });
}

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

/** Full texts of these memories. */
async function expandEntries(
  entries: readonly MemoryIndexEntry[],
  memoryStore: MemoryStore,
): Promise<readonly Expanded[]> {
  const loaded = await Promise.all(
    [...Map.groupBy(entries, ({ space }) => space)].map(([space, some]) =>
      memoryStore.get(
        space,
        "memories",
        some.map(({ id }) => id),
      ),
    ),
  );
  const memories = new Map(loaded.flat().map((memory) => [memory.id, memory]));
  return entries.flatMap(({ id }) => {
    const memory = memories.get(id);
    return memory === undefined ? [] : [{ id, text: memoryText(memory, "full"), memory }];
  });
}
