import { DAY } from "../facts/fact-rules.ts";

/** Facts are merged from this similarity on, where nothing else speaks against it. */
export const MERGE_THRESHOLD = 0.92;

/** From this age on an episode is given out by its summary, and then by its one line. */
export const SUMMARIZE_AFTER = 7 * DAY;
export const COMPRESS_AFTER = 30 * DAY;

/** What nobody has said or used for so long may be put away. */
export const FORGET_UNUSED_AFTER = 90 * DAY;
