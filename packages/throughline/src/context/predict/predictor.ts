import type { MemoryService } from "../../memory/memory-service.ts";
import type { Caller } from "../../memory/space/spaces.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Logger } from "../../ports/logger.ts";
import type { DocumentStore } from "../../ports/store.ts";
import type { Workspace } from "../../ports/workspace.ts";
import type { Prediction, Signal } from "../context-api.ts";
import type { MemoryIndexes } from "../memory-index.ts";
import { searchCache } from "../revision-cache.ts";
import type { Learned, LearnOptions } from "./history-store.ts";
import { KnownUses } from "./known-uses.ts";
import { predictFiles } from "./predict-files.ts";
import { findEqualErrors, predictMemories } from "./predict-memories.ts";
import { branchSignal, type ReadSignal, readSignal } from "./read-signal.ts";
import { sessionName } from "./session-uses.ts";

export interface PredictorOptions extends Caller {
  readonly documents: DocumentStore;
  readonly memory: Pick<MemoryService, "get" | "findRelevant">;
  /** Index of memories. Without it, they are found by words only. */
  readonly memoryIndexes?: Pick<MemoryIndexes, "open"> | undefined;
  /** Project on disk. Without it, there is no commit history, no imports, and no check that a file exists. */
  readonly workspace?: Workspace | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Session that the work continues from: the current one if it used files before, else the last one on its branch. */
export interface LastSession {
  readonly id: string;
  /** Files that it used last, the newest at the end. */
  readonly files: readonly string[];
}

/**
 * Predicts files and memories that will be needed after an event. It learns from files that changed together in
 * commits, and from files and memories that were used together in sessions.
 *
 * @example
 * await predictor.learnHistory();
 * const { files } = await predictor.predict({ fileOpened: "src/auth/login.ts" });
 */
export class Predictor {
  readonly #options: PredictorOptions;
  readonly #uses: KnownUses;
  readonly #relevant = searchCache();

  constructor(options: PredictorOptions) {
    this.#options = options;
    this.#uses = new KnownUses(options.documents, options, options.clock);
  }

  /** Predicts needed memories and files with probabilities. The session's own files are known from earlier events. */
  async predict(input: Signal): Promise<Prediction> {
    const signal = this.#read(input);
    const built = await this.#uses.open();
    const { workspace, memory, memoryIndexes } = this.#options;
    const session = signal.sessionId === undefined ? undefined : this.#uses.sessionOf(signal.sessionId);
    const sessionFiles = session?.files ?? [];
    const visible = { memory, memoryIndexes, relevant: this.#relevant };
    const equalErrors = await findEqualErrors(signal, visible);
    const ledTo = equalErrors.map((one) => one.files);
    const { files, confidence } = await predictFiles(signal, { built, workspace, sessionFiles, ledTo });
    const memories = await predictMemories(signal, { files, built, equalErrors }, visible);
    // Memories are sorted by confidence and share most of their evidence, so they do not count as independent.
    const ofMemories = memories[0]?.confidence ?? 0;
    return { memories, files, confidence: 1 - (1 - confidence) * (1 - ofMemories) };
  }

  /** Learns from an event. Events without a session are grouped by day. */
  async observe(input: Signal): Promise<void> {
    const { file, signals, hour, at, sessionId, memoriesUsed } = this.#read(input);
    if (file === undefined && signals.length === 0 && memoriesUsed.length === 0) return;
    const day = `day ${new Date(at).toISOString().slice(0, 10)}`;
    await this.#uses.note({
      sessionId: sessionId ?? day,
      at,
      signals: [...signals, hour],
      memories: memoriesUsed,
      ...(file !== undefined && { file }),
    });
  }

  /** Learns from new commits. Known commits are not read again. */
  async learnHistory(options?: LearnOptions): Promise<Learned> {
    const { workspace } = this.#options;
    return workspace === undefined ? { read: 0, kept: 0 } : this.#uses.learnHistory(workspace, options);
  }

  /** Session to continue from, with its last files: the given one if it used files, else the last active one. */
  async lastSession(sessionId?: string, branch = ""): Promise<LastSession | undefined> {
    const id = sessionId === undefined ? undefined : sessionName(sessionId);
    const last = await this.#uses.lastSession(id, branchSignal(branch)[0]);
    return last && { id: last.id, files: last.last };
  }

  /** Removes everything that was learned from a session. */
  async forgetSession(sessionId: string): Promise<void> {
    await this.#uses.forget(sessionName(sessionId));
  }

  #read(input: Signal): ReadSignal {
    const signal = readSignal(input, this.#options.clock.now());
    const { fileOpened } = input;
    if (fileOpened !== undefined && signal.file === undefined) {
      this.#options.logger.warn(
        `Ignored the file ${fileOpened}: expected a path inside of the project, relative to its root.`,
      );
    }
    return signal.sessionId === undefined ? signal : { ...signal, sessionId: sessionName(signal.sessionId) };
  }
}
