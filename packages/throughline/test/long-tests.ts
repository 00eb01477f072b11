import { it } from "vitest";
import { SOAK } from "./cases.ts";

/** True to test every variant (`npm run soak`); otherwise one of each kind (`npm test`). */
export const isLong = SOAK > 1;

/**
 * A test for `npm run soak` only: it measures processor time, which depends on the machine, or it takes long and
 * `npm test` has a similar one.
 */
export const longTest: typeof it.skip = isLong ? it : it.skip;
