/** What is usual among some scores of a question. */
export interface Deviation {
  readonly mean: number;
  /** 0 where all are alike. */
  readonly deviation: number;
}

/** Some scores, and how often each counts; those that are not known (not a number) do not. */
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

/** By how many deviations a score is above what is usual; 0 where that cannot be said. */
export function deviationsAbove(score: number, { mean, deviation }: Deviation): number {
  return Number.isNaN(score) || deviation < 1e-6 ? 0 : (score - mean) / deviation;
}
