import { omitUndefined } from "../../internal/json.ts";
import type { Contradiction, Memory } from "../../ports/memory.ts";
import { readSlot, type Slot } from "../facts/read-slot.ts";
import { normalizeKey } from "../facts/slot-keys.ts";

/** Key of a pair of memories, independent of their order. */
export function pairKey(a: string, b: string): string {
  return a < b ? `${a}\n${b}` : `${b}\n${a}`;
}

/** Keys of all pairs with an open or resolved contradiction. They are not merged, and not reported again. */
export function knownPairs(contradictions: readonly Contradiction[]): ReadonlySet<string> {
  return new Set(contradictions.map(({ memoryA, memoryB }) => pairKey(memoryA, memoryB)));
}

/** Ids of memories with an open contradiction. */
export function contradictedIds(contradictions: readonly Contradiction[]): ReadonlySet<string> {
  const open = contradictions.filter(({ status }) => status === "open");
  return new Set(open.flatMap(({ memoryA, memoryB }) => [memoryA, memoryB]));
}

/**
 * Groups memories for comparison by scope, project, owner and subject. Only memories with the same key can be
 * duplicates or contradict each other. The owner does not count for shared memories that are not about a person.
 */
export function comparisonKey({ scope, projectId = "", owner, subject = "user" }: Memory): string {
  const about = subject.trim().toLowerCase();
  return JSON.stringify([scope, projectId, scope === "user-private" || isPersonal(about) ? owner : "", about]);
}

/** True if the subject is the user, or something that belongs to the user. */
export function isPersonal(subject: string): boolean {
  return /^(?:the )?user(?:'s |’s |$)/i.test(subject.trim());
}

/** Key and value of a fact, from its fields or, if it has no key, read from its text. */
export function slotOf({ key, value, levels }: Memory): Slot | undefined {
  return key === undefined ? readSlot(levels.full) : omitUndefined({ key: normalizeKey(key), value });
}
