import { type OptionRule, oneOf } from "../errors/check-options.ts";
import type { FactCategory, MemoryKind, MemoryScope } from "../ports/memory.ts";

export const KINDS: readonly string[] = ["fact", "episode", "pattern", "workflow"] satisfies MemoryKind[];
export const CATEGORIES: readonly string[] = ["identity", "preference", "project"] satisfies FactCategory[];
export const SCOPES: readonly string[] = ["user-private", "project-shared", "system"] satisfies MemoryScope[];

/** Checks of options with these values. */
export const KIND_LIST: OptionRule = [
  (value) => Array.isArray(value) && value.every((kind) => KINDS.includes(kind)),
  `a list of ${KINDS.join(", ")}`,
];
export const CATEGORY: OptionRule = oneOf(...CATEGORIES);
export const SCOPE: OptionRule = oneOf(...SCOPES);
