/** How many times as many cases the long form of the tests runs (`npm run soak`); 1 in `npm test`. */
export const SOAK = Number(process.env.THROUGHLINE_SOAK ?? 1);

/** The number of cases of a property: as many as given in `npm test`, many times that in `npm run soak`. */
export function cases(count: number): number {
  return count * SOAK;
}

/** For `vi.waitFor` and `vi.waitUntil`, which give up after a second: a machine with busy cores needs longer. */
export const PATIENT = { timeout: 100_000, interval: 100 };
