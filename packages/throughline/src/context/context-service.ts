import { CHECKED_LATER, checkOptions, FUNCTION, type OptionRules, TEXT } from "../errors/check-options.ts";
import { lazy } from "../internal/lazy.ts";
import type { AssembledContext, AssembleOptions, Expanded, PredictInput, Prediction, Signal } from "./context-api.ts";
import type { ContextPorts } from "./create-context.ts";
import type { LearnPatternsOptions, LearntPatterns } from "./patterns/learn/learn-patterns.ts";
import type { LearnOptions, Learnt } from "./predict/learn/history-book.ts";
import { checkShares } from "./tiers/activity-plan.ts";

const ASSEMBLE_RULES: OptionRules<AssembleOptions> = {
  budget: CHECKED_LATER,
  signals: CHECKED_LATER,
  message: TEXT,
  shares: CHECKED_LATER,
  isKnown: FUNCTION,
};
const PREDICT_RULES: OptionRules<PredictInput & Pick<Signal, "sessionId">> = {
  fileOpened: CHECKED_LATER,
  branch: CHECKED_LATER,
  error: CHECKED_LATER,
  at: CHECKED_LATER,
  collaborator: CHECKED_LATER,
  recentFiles: CHECKED_LATER,
  seen: CHECKED_LATER,
  limit: CHECKED_LATER,
  sessionId: CHECKED_LATER,
};

/**
 * Memories in tiers within a budget, ready before they are needed. Its code is loaded by the first call.
 *
 * @example
 * await tl.context.on({ fileOpened: "src/auth/login.ts" });
 * const { context, tiers } = await tl.context.assemble({ signals: { currentFile: "src/auth/login.ts" } });
 */
export class ContextService {
  readonly #ports: ContextPorts;
  #isUsed = false;
  readonly #load = lazy(async () => {
    const { createContext } = await import("./create-context.ts");
    return createContext(this.#ports);
  });

  constructor(ports: ContextPorts) {
    for (const shares of Object.values(ports.activities ?? {})) checkShares(shares);
    this.#ports = ports;
  }

  #engine() {
    this.#isUsed = true;
    return this.#load();
  }

  /** Assembles the memories that matter now as a block for a prompt, within a budget of tokens. The block is escaped. */
  async assemble(options: AssembleOptions = {}): Promise<AssembledContext> {
    checkOptions("context.assemble", options, ASSEMBLE_RULES);
    return (await this.#engine()).assemble(options);
  }

  /** Predicts the memories and files that will be needed after something happened. */
  async predict(input: PredictInput): Promise<Prediction> {
    checkOptions("context.predict", input, PREDICT_RULES);
    return (await this.#engine()).predict(input);
  }

  /** Records a signal, learns from it, and prefetches the memories that it predicts. */
  async on(signal: Signal): Promise<void> {
    return (await this.#engine()).on(signal);
  }

  /** Records a signal and learns from it, without prefetching. */
  async observe(signal: Signal): Promise<void> {
    return (await this.#engine()).observe(signal);
  }

  /** Learns from new commits of the workspace which files change together. */
  async learnHistory(options?: LearnOptions): Promise<Learnt> {
    return (await this.#engine()).learnHistory(options);
  }

  /** Learns coding patterns from the workspace's sources and saves them as memories. Unchanged files are not read again. */
  async learnPatterns(options: LearnPatternsOptions = {}): Promise<LearntPatterns> {
    return (await this.#engine()).learnPatterns(options);
  }

  /** Erases everything that was learned from a session. */
  async forgetSession(sessionId: string): Promise<void> {
    return (await this.#engine()).forgetSession(sessionId);
  }

  /** Returns the memories behind a pointer of the index: by id, topic or name. Returns none if there are none. */
  async expand(idOrTopic: string): Promise<readonly Expanded[]> {
    return (await this.#engine()).expand(idOrTopic);
  }

  /** Waits until the use of memories is written. */
  async settle(): Promise<void> {
    if (this.#isUsed) await (await this.#load()).settle();
  }
}
