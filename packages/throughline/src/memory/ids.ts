import { digest } from "../internal/json.ts";

const TIME_DIGITS = 9;
const HASH_DIGITS = 14;

/**
 * Creates an id for an episode, a pattern or a workflow that you save again when it changes. The same name and time
 * always give the same id. Ids sort by time.
 *
 * @param name Parts of a name that is unique among your memories.
 * @param at Start time, in milliseconds since 1970. Default: 0. A negative time counts as 0.
 *
 * @example
 * const id = stableId(["release", "shop", "2.4"]);
 * await tl.memory.remember({ id, kind: "episode", text: "Release 2.4 is in testing." });
 */
export function stableId(name: readonly string[], at = 0): string {
  const time = Math.max(0, Math.floor(at)).toString(36).padStart(TIME_DIGITS, "0").slice(-TIME_DIGITS);
  const hash = digest(name).split("-").at(-1) ?? "";
  return `mem_${time}00${hash.slice(0, HASH_DIGITS).padStart(HASH_DIGITS, "0")}`;
}

const RANDOM_BYTES = 7;

const COUNT_DIGITS = 2;
const MAX_COUNT = 36 ** COUNT_DIGITS;

let lastMoment = -1;
let count = 0;
/** Milliseconds by which ids are ahead of the clock, because one millisecond had more ids than the counter has values. */
let ahead = 0;

/** An id that sorts by creation time, also within one millisecond: `mem_0mb1x3k9r00f3…`. */
export function newId(prefix: "con" | "imp" | "jrn" | "mem" | "turn", now: number): string {
  const moment = Math.max(0, Math.floor(now));
  count = moment === lastMoment ? (count + 1) % MAX_COUNT : 0;
  if (moment !== lastMoment) ahead = 0;
  else if (count === 0) ahead += 1;
  lastMoment = moment;
  const time = (moment + ahead).toString(36).padStart(TIME_DIGITS, "0");
  const bytes = crypto.getRandomValues(new Uint8Array(RANDOM_BYTES));
  const chance = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return `${prefix}_${time}${count.toString(36).padStart(COUNT_DIGITS, "0")}${chance}`;
}
