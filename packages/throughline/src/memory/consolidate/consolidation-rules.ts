import { DAY } from "../../internal/time.ts";

/** Minimum cosine similarity of facts that are merged. Equivalent wording is required too. */
export const MERGE_THRESHOLD = 0.92;

/** Age after which an episode is served as its summary, and after which as one line. */
export const SUMMARIZE_AFTER = 7 * DAY;
export const COMPRESS_AFTER = 30 * DAY;

/** Time without mention or retrieval after which a memory may be archived. */
export const FORGET_UNUSED_AFTER = 90 * DAY;
