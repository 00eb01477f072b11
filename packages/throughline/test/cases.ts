/** Factor for the number of cases in the long form of the tests (`npm run soak`); 1 in `npm test`. */
export const SOAK = Number(process.env.THROUGHLINE_SOAK ?? 1);

/** The share of the cases that `npm test` runs. */
const SHORT = 0.25;

/** The number of cases of a property: a part of those given in `npm test`, many times as many in `npm run soak`. */
export function cases(count: number): number {
  return SOAK > 1 ? count * SOAK : Math.ceil(count * SHORT);
}

/** For `vi.waitFor` and `vi.waitUntil`, which give up after a second: a machine with busy cores needs longer. */
export const PATIENT = { timeout: 100_000, interval: 100 };
