import type { Memory } from "../../../ports/memory.ts";
import { isConvention } from "./is-convention.ts";
import { isDecision } from "./is-decision.ts";
import { isOpenQuestion } from "./is-open-question.ts";
import { isPreference } from "./is-preference.ts";
import { isError, isFix } from "./tells-error.ts";

/** What a memory is to somebody at work. It may be several things at once: an episode that tells of an error and its fix. */
export type Role =
  | "decision"
  | "convention"
  | "error"
  | "fix"
  | "preference"
  | "open-question"
  | "episode"
  | "pattern"
  | "workflow";

const TESTS: readonly (readonly [Role, (memory: Memory) => boolean])[] = [
  ["decision", isDecision],
  ["convention", isConvention],
  ["error", isError],
  ["fix", isFix],
  ["preference", isPreference],
  ["open-question", isOpenQuestion],
];

export function readRoles(memory: Memory): readonly Role[] {
  const told = TESTS.filter(([, isSo]) => isSo(memory)).map(([role]) => role);
  return memory.kind === "fact" ? told : [...told, memory.kind];
}
