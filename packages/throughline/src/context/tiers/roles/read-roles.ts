import type { Memory } from "../../../ports/memory.ts";
import { isConvention } from "./is-convention.ts";
import { isDecision } from "./is-decision.ts";
import { isError, isFix } from "./is-error.ts";
import { isOpenQuestion } from "./is-open-question.ts";
import { isPreference } from "./is-preference.ts";
import { isProposalText } from "./is-rule.ts";

/** Role of a memory for the work. A memory can have several, such as an episode with an error and its fix. */
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
  /** About the user, not about the work. */
  | "person"
  /** A fact without another role. Errors and fixes are notes too. */
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
  const matching = TESTS.filter(([, isSo]) => isSo(memory)).map(([role]) => role);
  const roles = memory.kind === "fact" ? orPlain(matching, memory) : [...matching, memory.kind];
  return memory.pinned ? [...roles, "pinned"] : roles;
}

function orPlain(matching: readonly Role[], memory: Memory): readonly Role[] {
  const { category, scope, subject = "user", source, levels } = memory;
  // A proposal is understood in its conversation only. It is still found by its words.
  const isProposal = source.messageId !== undefined && isProposalText(levels.full);
  // Errors and fixes are also notes, so that they can fill the background later.
  const isPlain = !isProposal && matching.every((role) => role === "error" || role === "fix");
  if (category !== "identity") return isPlain ? [...matching, "note"] : matching;
  // A shared fact about "user" is about its author, who may not be the reader.
  return subject === "user" && scope === "user-private" ? [...matching, "person"] : matching;
}

/** True if memories of these roles are found by words. Others are selected by role alone. */
export function isFoundByWords(roles: readonly Role[]): boolean {
  return roles.some((role) => role !== "note" && role !== "person" && role !== "pinned");
}
