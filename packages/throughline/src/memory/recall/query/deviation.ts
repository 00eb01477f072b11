/** Mean and standard deviation of the scores of a query. */
export interface Deviation {
  readonly mean: number;
  /** 0 if all scores are equal. */
  readonly deviation: number;
}

/** Scores and their weights. Unknown scores (NaN) do not count. */
export interface CountedScores {
  readonly scores: Float32Array;
  readonly counts: Uint8Array | Uint32Array;
}

export function deviationOf(lists: readonly CountedScores[]): Deviation {
  let count = 0;
  let sum = 0;
  let squares = 0;
  for (const { scores, counts } of lists) {
    for (let at = 0; at < scores.length; at += 1) {
      const score = scores[at] as number;
      const times = counts[at] as number;
      if (times === 0 || Number.isNaN(score)) continue;
      count += times;
      sum += times * score;
      squares += times * score * score;
    }
  }
  const mean = sum / Math.max(1, count);
  return { mean, deviation: Math.sqrt(Math.max(0, squares / Math.max(1, count) - mean * mean)) };
}

/** Standard deviations of a score above the mean; 0 if the score is unknown or all scores are equal. */
export function deviationsAbove(score: number, { mean, deviation }: Deviation): number {
  return Number.isNaN(score) || deviation < 1e-6 ? 0 : (score - mean) / deviation;
}
