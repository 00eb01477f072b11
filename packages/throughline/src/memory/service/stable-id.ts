import { digest } from "../../internal/digest.ts";

const TIME_DIGITS = 9;
const HASH_DIGITS = 14;

/**
 * A deterministic id for a memory that is written again as its subject develops: the same name and start time always give
 * the same id. Ids sort by start time, as generated ids sort by creation time.
 */
export function stableId(name: readonly string[], at = 0): string {
  const time = Math.max(0, Math.floor(at)).toString(36).padStart(TIME_DIGITS, "0").slice(-TIME_DIGITS);
  const hash = digest(name).split("-").at(-1) ?? "";
  return `mem_${time}00${hash.slice(0, HASH_DIGITS).padStart(HASH_DIGITS, "0")}`;
}
