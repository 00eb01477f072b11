import {
  CHECKED_LATER,
  checkOptions,
  FLAG,
  FUNCTION,
  OBJECT,
  type OptionRule,
  type OptionRules,
  TEXT,
  TEXTS,
} from "../errors/check-options.ts";
import { InvalidOptionError } from "../errors/input-errors.ts";
import { lazy } from "../internal/memoize.ts";
import { MAX_TIME } from "../internal/time.ts";
import type { MemoryService } from "../memory/memory-service.ts";
import type { MemorySource } from "../ports/memory.ts";
import type { RecalledBlock, Recaller } from "../session/session-options.ts";
import {
  type AssembledContext,
  type AssembleOptions,
  type ContextSignals,
  checkShares,
  type Expanded,
  FILE_ID,
  type PredictInput,
  type Prediction,
  type Signal,
  TOPIC_ID,
} from "./context-api.ts";
import type { ContextPorts } from "./context-engine.ts";
import type { LearnedPatterns, LearnPatternsOptions } from "./patterns/learn-patterns.ts";
import type { Learned, LearnOptions } from "./predict/history-store.ts";

/** Maximum number of predicted memories, and of files. */
const MAX_PREDICTED = 50;
const TIME: OptionRule = [
  (value) => typeof value === "number" && value >= 0 && value <= MAX_TIME,
  "milliseconds since 1970",
];
const ASSEMBLE_RULES: OptionRules<AssembleOptions> = {
  budget: CHECKED_LATER,
  signals: OBJECT,
  message: TEXT,
  shares: CHECKED_LATER,
  isKnown: FUNCTION,
  countUse: FLAG,
};
const SIGNALS_RULES: OptionRules<ContextSignals> = {
  currentFile: TEXT,
  recentFiles: TEXTS,
  recentErrors: TEXTS,
  activity: TEXT,
  branch: TEXT,
  at: TIME,
  collaborator: TEXT,
  sessionId: TEXT,
};
const PREDICT_RULES: OptionRules<PredictInput & Pick<Signal, "sessionId">> = {
  fileOpened: TEXT,
  branch: TEXT,
  error: TEXT,
  at: TIME,
  collaborator: TEXT,
  recentFiles: TEXTS,
  seen: TEXT,
  limit: [
    (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_PREDICTED,
    `a whole number from 1 to ${MAX_PREDICTED}`,
  ],
  sessionId: TEXT,
};
const SIGNAL_RULES: OptionRules<Signal> = { ...PREDICT_RULES, memoriesUsed: TEXTS };
const LEARN_PATTERNS_RULES: OptionRules<LearnPatternsOptions> = {
  dryRun: FLAG,
  signal: OBJECT,
  onProgress: FUNCTION,
  subfolder: TEXT,
};
/** In place of a missing input, which the check refuses. */
const NO_INPUT = null as never;

/** Options of `tl.context.observe`. */
export interface ObserveOptions {
  /** Computes the next `assemble` ahead. Default: false. */
  readonly prefetch?: boolean;
}

/**
 * Assembles memories for a prompt and predicts which ones are needed next, as `tl.context`.
 *
 * @example
 * await tl.context.observe({ fileOpened: "src/auth/login.ts" }, { prefetch: true });
 * const { context, tiers } = await tl.context.assemble({ signals: { currentFile: "src/auth/login.ts" } });
 */
export class ContextService {
  readonly #ports: ContextPorts;
  #isUsed = false;
  readonly #load = lazy(async () => {
    const { ContextEngine } = await import("./context-engine.ts");
    return new ContextEngine(this.#ports);
  });

  /** Called by `createThroughline`. */
  constructor(ports: ContextPorts) {
    for (const shares of Object.values(ports.activities ?? {})) checkShares(shares);
    this.#ports = ports;
  }

  #engine() {
    this.#isUsed = true;
    return this.#load();
  }

  /**
   * Assembles the memories that matter now as an escaped block for a prompt, within a token budget.
   * @param options Budget (default 8,000 tokens), signals about the current work, and the user's message.
   * @returns The block, its tokens by tier, and a receipt that lists each memory with its reasons.
   * @throws InvalidOptionError if an option is invalid or unknown.
   * @example const { context } = await tl.context.assemble({ budget: 2_000, message: "Fix the login form" });
   */
  async assemble(options: AssembleOptions = {}): Promise<AssembledContext> {
    checkOptions("context.assemble", options, ASSEMBLE_RULES);
    checkOptions("signals", options.signals, SIGNALS_RULES);
    return (await this.#engine()).assemble(options);
  }

  /**
   * Predicts the memories and files that will be needed next.
   * @param input The event: a file was opened, a branch was checked out, an error occurred.
   * @returns Memories and files with calibrated probabilities. Empty lists if nothing was learned yet.
   * @throws InvalidOptionError if a field is invalid or unknown.
   * @example const { files } = await tl.context.predict({ fileOpened: "src/auth/login.ts" });
   */
  async predict(input: PredictInput): Promise<Prediction> {
    checkOptions("context.predict", input ?? NO_INPUT, PREDICT_RULES);
    return (await this.#engine()).predict(input);
  }

  /**
   * Records an event and learns from it.
   * @param signal The event, with its session and the memories that were useful.
   * @param options With `prefetch`, the next `assemble` is computed ahead, and failures are logged instead of thrown.
   * @throws InvalidOptionError if a field is invalid or unknown.
   * @example await tl.context.observe({ sessionId: "s1", fileOpened: "src/auth/login.ts" }, { prefetch: true });
   */
  async observe(signal: Signal, options: ObserveOptions = {}): Promise<void> {
    checkOptions("context.observe", signal ?? NO_INPUT, SIGNAL_RULES);
    checkOptions("context.observe", options, { prefetch: FLAG });
    const engine = await this.#engine();
    return options.prefetch ? engine.prefetch(signal) : engine.observe(signal);
  }

  /**
   * Learns from new commits of the workspace which files change together.
   * @param options Abort signal and progress callback.
   * @returns Number of new commits, and of all known ones. Both are 0 without a workspace.
   * @example const { read } = await tl.context.learnHistory();
   */
  async learnHistory(options?: LearnOptions): Promise<Learned> {
    checkOptions("context.learnHistory", options, { signal: OBJECT, onProgress: FUNCTION });
    return (await this.#engine()).learnHistory(options);
  }

  /**
   * Learns coding patterns from the sources of the workspace and saves them as memories. Skips unchanged files.
   * @param options Dry run, abort signal, progress callback, and the path of the workspace in its repository.
   * @returns The patterns with their memories, the patterns that no longer apply, and counts of files.
   * @throws InvalidOptionError if `createThroughline` was called without a `workspace`.
   * @example const { patterns } = await tl.context.learnPatterns({ dryRun: true });
   */
  async learnPatterns(options: LearnPatternsOptions = {}): Promise<LearnedPatterns> {
    checkOptions("context.learnPatterns", options, LEARN_PATTERNS_RULES);
    return (await this.#engine()).learnPatterns(options);
  }

  /**
   * Erases everything that the predictor learned from a session. Its memories stay; see `tl.memory.purgeSession`.
   * @param sessionId Id of the session. An unknown id has no effect.
   * @example await tl.context.forgetSession("s1");
   */
  async forgetSession(sessionId: string): Promise<void> {
    return (await this.#engine()).forgetSession(sessionId);
  }

  /**
   * Returns the memories behind an entry of the index tier, at most 20; `[]` if there are none.
   * @param idOrTopic Id of a memory, or a topic or name from the index. Other text is searched for.
   * @throws InvalidOptionError if it is not a string.
   * @example const [deploy] = await tl.context.expand("deploy");
   */
  async expand(idOrTopic: string): Promise<readonly Expanded[]> {
    if (typeof idOrTopic !== "string") throw new InvalidOptionError("idOrTopic", typeof idOrTopic, "a string");
    return (await this.#engine()).expand(idOrTopic);
  }

  /**
   * Waits until the usage counters of returned memories are written. `tl.close()` does so too.
   * @example await tl.context.settle();
   */
  async settle(): Promise<void> {
    if (this.#isUsed) await (await this.#load()).settle();
  }
}

/** Finds memories for a session's turns: by the question or, if signals are given, as an assembled context. */
export function sessionRecaller(memory: MemoryService, context: ContextService, sessionId: string): Recaller {
  return async ({ question, budget, signals, isInWindow }) => {
    const isInPrompt = (source: Pick<MemorySource, "sessionId" | "messageId">): boolean =>
      source.sessionId === sessionId && isInWindow(source.messageId ?? "");
    if (signals === undefined) {
      return memory.recallBlock(question, { budget, isKnown: ({ source }) => isInPrompt(source) });
    }
    return toBlock(
      await context.assemble({ budget, signals: { sessionId, ...signals }, message: question, isKnown: isInPrompt }),
    );
  };
}

function toBlock({ context, receipt }: AssembledContext): RecalledBlock | undefined {
  if (context === "") return undefined;
  const memories = receipt.items.filter(({ id }) => !id.startsWith(TOPIC_ID) && !id.startsWith(FILE_ID));
  return {
    text: context,
    sources: memories.map(({ id }) => id),
    reasons: Object.fromEntries(memories.map(({ id, rule, reasons }) => [id, [rule, ...reasons].join("; ")])),
  };
}
