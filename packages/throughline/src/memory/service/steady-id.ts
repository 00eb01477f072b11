import { digest } from "../../internal/digest.ts";

const TIME_DIGITS = 9;
const HASH_DIGITS = 14;

/**
 * The id of a memory that is told anew as things go on: the same for the same name and beginning. It sorts by when that
 * began, as other ids do by when they were made.
 */
export function steadyId(name: readonly string[], at = 0): string {
  const time = Math.max(0, Math.floor(at)).toString(36).padStart(TIME_DIGITS, "0").slice(-TIME_DIGITS);
  const hash = digest(name).split("-").at(-1) ?? "";
  return `mem_${time}00${hash.slice(0, HASH_DIGITS).padStart(HASH_DIGITS, "0")}`;
}
