import fc from "fast-check";

/** Cases of each property in `npm test`, if the test does not say how many; `npm run soak` multiplies them. */
const CASES = 30;

fc.configureGlobal({ numRuns: CASES * Number(process.env.THROUGHLINE_SOAK ?? 1) });
