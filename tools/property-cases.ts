import fc from "fast-check";

/** Cases per property in `npm test`, unless the test sets a number; `npm run soak` multiplies them. */
const CASES = 15;

fc.configureGlobal({ numRuns: CASES * Number(process.env.THROUGHLINE_SOAK ?? 1) });
