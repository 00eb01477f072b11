import process from "node:process";
import { it } from "vitest";

/** `npm run soak` tries every variant; `npm test` one of each kind. */
export const isLong = Number(process.env.THROUGHLINE_SOAK ?? 1) > 1;

/** A test of which `npm test` has a likeness: another way to the same, or the same by other means. */
export const longTest: typeof it.skip = isLong ? it : it.skip;
