import { yieldToEventLoop } from "./yield-to-event-loop.ts";

/** Items that are sorted at once, in a few milliseconds. */
const RUN = 4_000;

/** Sorts like `toSorted`, and lets other tasks run in between. */
export async function sortYielding<T>(items: readonly T[], compare: (a: T, b: T) => number): Promise<readonly T[]> {
  let runs: (readonly T[])[] = [];
  for (let start = 0; start < items.length; start += RUN) {
    runs.push(items.slice(start, start + RUN).sort(compare));
    await yieldToEventLoop();
  }
  while (runs.length > 1) {
    const merged: (readonly T[])[] = [];
    for (let at = 0; at < runs.length; at += 2) {
      merged.push(mergeSorted(runs[at] ?? [], runs[at + 1] ?? [], compare));
      await yieldToEventLoop();
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

/** Merges two sorted lists. Of equal items, those of the first list come first. */
export function mergeSorted<T>(a: readonly T[], b: readonly T[], compare: (a: T, b: T) => number): readonly T[] {
  if (b.length === 0) return a;
  const merged: T[] = [];
  let next = 0;
  for (const item of a) {
    for (let other = b[next]; other !== undefined && compare(other, item) < 0; other = b[next]) {
      merged.push(other);
      next += 1;
    }
    merged.push(item);
  }
  for (; next < b.length; next += 1) merged.push(b[next] as T);
  return merged;
}
