import { digest } from "../internal/digest.ts";

const TIME_DIGITS = 9;
const HASH_DIGITS = 14;

/**
 * Creates an id for an episode, a pattern or a workflow that you save again when it changes. The same name and time always
 * give the same id. Ids sort by time.
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
