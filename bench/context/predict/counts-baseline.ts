/** Baseline: files that changed most often with the opened one, by counts alone. */
export class CoChangeCounts {
  readonly #counts = new Map<string, Map<string, number>>();

  learn(files: readonly string[]): void {
    for (const file of files) {
      const counts = this.#counts.get(file) ?? new Map<string, number>();
      this.#counts.set(file, counts);
      for (const other of files) if (other !== file) counts.set(other, (counts.get(other) ?? 0) + 1);
    }
  }

  /** The most frequent companions of some files together; ties go to the one seen first. */
  top(files: readonly string[], limit: number): readonly string[] {
    const sums = new Map<string, number>();
    for (const file of files) {
      for (const [other, count] of this.#counts.get(file) ?? []) sums.set(other, (sums.get(other) ?? 0) + count);
    }
    for (const file of files) sums.delete(file);
    return [...sums]
      .sort(([, a], [, b]) => b - a)
      .slice(0, limit)
      .map(([file]) => file);
  }
}
