import { describePlace, type Place } from "../errors/place.ts";

export type ViolationCode =
  | "empty-window"
  | "orphan-result"
  | "missing-result"
  | "misplaced-result"
  | "duplicate-result"
  | "duplicate-call-id"
  | "bad-call-id"
  | "bad-tool-name"
  | "bad-input"
  | "orphan-approval"
  | "misplaced-part"
  | "empty-message"
  | "empty-text"
  | "first-not-user"
  | "not-alternating"
  | "system-not-first"
  | "too-many-cache-marks";

/** One reason for which a provider would refuse a window. */
export interface Violation extends Place {
  readonly code: ViolationCode;
  /** Human-readable: `message 12, part 3: tool result without call "x"`. */
  readonly text: string;
}

export function violation(code: ViolationCode, place: Place, problem: string): Violation {
  return { code, ...place, text: `${describePlace(place)}: ${problem}` };
}
