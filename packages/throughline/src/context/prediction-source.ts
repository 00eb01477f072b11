import type { Prediction, Signal } from "./context-api.ts";
import type { Learned, LearnOptions } from "./predict/history-store.ts";

/** Session that the work continues from: the current one if it used files before, else the last one on its branch. */
export interface LastSession {
  readonly id: string;
  /** Files that it used last, the newest at the end. */
  readonly files: readonly string[];
}

/** Predicts needed memories and files from events, and learns from them. */
export interface PredictionSource {
  predict(input: Signal): Promise<Prediction>;
  observe(signal: Signal): Promise<void>;
  lastSession?(sessionId?: string, branch?: string): Promise<LastSession | undefined>;
  /** Learns from new commits of the project. */
  learnHistory?(options?: LearnOptions): Promise<Learned>;
  /** Removes everything that was learned from a session. */
  forgetSession?(sessionId: string): Promise<void>;
}

export const NOTHING_PREDICTED: Prediction = { memories: [], files: [], confidence: 0 };
