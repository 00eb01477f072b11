import fc from "fast-check";

// Property tests that say nothing of how often they run, in the long form: what fails once in ten thousand cases is found
// here, and not on the day on which something else is to be shipped.
fc.configureGlobal({ numRuns: 100 * Number(process.env.THROUGHLINE_SOAK ?? 1) });
