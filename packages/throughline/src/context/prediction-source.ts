import type { Prediction, Signal } from "./context-api.ts";
import type { Learned, LearnOptions } from "./predict/learn/history-book.ts";

/** The session that work was left in. */
export interface LastSession {
  readonly id: string;
  /** The files that it touched last, the newest at the end. */
  readonly files: readonly string[];
}

/** Tells from what happens what will be needed, and learns from it. */
export interface PredictionSource {
  predict(input: Signal): Promise<Prediction>;
  observe(signal: Signal): Promise<void>;
  lastSession?(sessionId?: string): Promise<LastSession | undefined>;
  /** Reads what is new in the history of a project. */
  learnHistory?(options?: LearnOptions): Promise<Learned>;
  /** Takes out all that was learned from a session. */
  forgetSession?(sessionId: string): Promise<void>;
}

export const NOTHING_PREDICTED: Prediction = { memories: [], files: [], confidence: 0 };
