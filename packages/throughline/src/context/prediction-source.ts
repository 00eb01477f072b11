import type { PredictInput, Prediction, Signal } from "./context-api.ts";

/** Tells from what happens what will be needed, and learns from it. */
export interface PredictionSource {
  predict(input: PredictInput): Promise<Prediction>;
  observe(signal: Signal): Promise<void>;
}

export const NOTHING_PREDICTED: Prediction = { memories: [], files: [], confidence: 0 };
