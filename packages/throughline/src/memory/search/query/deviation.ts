/** Mean and standard deviation of the scores of a query. */
export interface Deviation {
  readonly mean: number;
  /** 0 if all scores are equal. */
  readonly deviation: number;
}

/** Accumulates scores and computes their mean and standard deviation. */
export class ScoreSum {
  #count = 0;
  #sum = 0;
  #squares = 0;

  /** Adds a score a number of times. Unknown scores (NaN) do not count. */
  add(score: number, times: number = 1): void {
    if (times === 0 || Number.isNaN(score)) return;
    this.#count += times;
    this.#sum += times * score;
    this.#squares += times * score * score;
  }

  /**
   * Adds the growth of scores, and of their squares, that were added or 0 before. Loops over many scores add them up by
   * themselves, because a number in a field is a new object at each change.
   *
   * @param count Number of scores that were not added before.
   */
  grow(sum: number, squares: number, count: number = 0): void {
    this.#count += count;
    this.#sum += sum;
    this.#squares += squares;
  }

  /** `count`: the number of scores, with zeros that were not added. Default: those that were. */
  deviation(count: number = this.#count): Deviation {
    const mean = this.#sum / Math.max(1, count);
    return { mean, deviation: Math.sqrt(Math.max(0, this.#squares / Math.max(1, count) - mean * mean)) };
  }
}

/** Standard deviations of a score above the mean; 0 if the score is unknown or all scores are equal. */
export function deviationsAbove(score: number, { mean, deviation }: Deviation): number {
  return Number.isNaN(score) || deviation < 1e-6 ? 0 : (score - mean) / deviation;
}
