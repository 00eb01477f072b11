const RANDOM_BYTES = 7;
const TIME_DIGITS = 9;
const COUNT_DIGITS = 2;
const MAX_COUNT = 36 ** COUNT_DIGITS;

let lastMoment = -1;
let count = 0;
/** Milliseconds by which ids are ahead of the clock, because one millisecond had more ids than the counter can hold. */
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
