import { HOUR } from "../../internal/time.ts";
import { START, StandingClock } from "../../memory/open-memory.fixture.ts";
import { QUIET } from "../../ports/logger.ts";
import type { Store } from "../../ports/store.ts";
import type { Commit, Workspace } from "../../ports/workspace.ts";
import { inProcessStore } from "../../store/in-process.ts";
import { createThroughline } from "../../throughline.ts";
import { MemoryIndexes } from "../memory-index.ts";
import { Predictor } from "./predictor.ts";

export interface OpenPredictor {
  readonly predictor: Predictor;
  readonly store: Store;
  readonly clock: StandingClock;
  readonly memory: Awaited<ReturnType<typeof createThroughline>>["memory"];
  readonly warnings: readonly string[];
}

export interface PredictorSetting {
  readonly store?: Store;
  readonly clock?: StandingClock;
  readonly workspace?: Workspace;
  readonly userId?: string;
  readonly projectId?: string;
}

/** A predictor on a store that can be shared, with a clock that tests can set. */
export async function openPredictor(setting: PredictorSetting = {}): Promise<OpenPredictor> {
  const { clock = new StandingClock(), userId = "ada", projectId = "shop", workspace } = setting;
  const store = setting.store ?? inProcessStore(clock);
  const { memory } = await createThroughline({ store, clock, userId, projectId });
  const warnings: string[] = [];
  const visit = { userId, projectId };
  const predictor = new Predictor({
    ...visit,
    documents: store.documents,
    memory,
    memoryIndexes: new MemoryIndexes({ memoryStore: store.memories, blobs: store.blobs, logger: QUIET }, visit),
    workspace,
    clock,
    logger: { ...QUIET, warn: (warning) => warnings.push(warning) },
  });
  return { predictor, store, clock, memory, warnings };
}

/** A workspace with this history and no files. */
export function historyOnly(commits: readonly Commit[]): Workspace {
  return {
    async *history({ since, limit = commits.length } = {}) {
      const after = commits.findIndex(({ id }) => id === since);
      yield* commits.slice(after + 1).slice(-limit);
    },
    branch: async () => undefined,
    async *sources() {
      yield* [];
    },
    parse: async () => undefined,
    importsOf: async () => [],
    digest: async (path) => path,
  };
}

/** Commit number `at`, with one hour between commits. */
export function commitOf(at: number, files: readonly string[], more: Partial<Commit> = {}): Commit {
  const id = (0xabc_0000 + at).toString(16).padEnd(40, "f");
  return { id, at: START - 10_000 * HOUR + at * HOUR, author: "", subject: "", body: "", files, renames: [], ...more };
}
