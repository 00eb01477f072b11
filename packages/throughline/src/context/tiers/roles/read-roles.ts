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
  | "workflow"
  /** About the user, and not about the work. */
  | "person"
  /** A fact that is no rule, no decision, no liking and no question. */
  | "note"
  | "pinned";

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
  const roles = memory.kind === "fact" ? orPlain(told, memory) : [...told, memory.kind];
  return memory.pinned ? [...roles, "pinned"] : roles;
}

function orPlain(told: readonly Role[], { category, scope, subject = "user" }: Memory): readonly Role[] {
  // What went wrong once, and what put it right, is worth knowing later too, while there is room.
  const isPlain = told.every((role) => role === "error" || role === "fix");
  if (category !== "identity") return isPlain ? [...told, "note"] : told;
  // What others share of themselves is not about whoever reads it.
  return subject === "user" && scope === "user-private" ? [...told, "person"] : told;
}

/** Whether a memory of these roles is found by its words; the others are told for what they are. */
export function isFoundByWords(roles: readonly Role[]): boolean {
  return roles.some((role) => role !== "note" && role !== "person" && role !== "pinned");
}
