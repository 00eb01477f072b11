import { omitUndefined } from "../../internal/json.ts";
import type { Contradiction, Memory } from "../../ports/memory.ts";
import type { Claim, Finding } from "../reconcile/compare-claims.ts";

/**
 * Creates an open contradiction between two memories. Nothing is stored.
 *
 * @param id Id of the new contradiction.
 * @param a One memory. It becomes `memoryA`.
 * @param b The other memory. It becomes `memoryB`.
 * @param finding The conflict. Only its reason is kept.
 * @param now Time of detection, in milliseconds since 1970.
 *
 * @example
 * const finding = findContradiction(claimOf(old), claimOf(fresh));
 * if (finding) openContradiction("con_1", old, fresh, finding, Date.now()).status; // "open"
 */
export function openContradiction(
  id: string,
  a: Memory,
  b: Memory,
  finding: Pick<Finding, "reason">,
  now: number,
): Contradiction {
  return { id, memoryA: a.id, memoryB: b.id, detectedAt: now, reason: finding.reason, status: "open" };
}

/**
 * Checks whether two memories already have a contradiction, open or resolved. Use it to report each pair only once.
 *
 * @param known Contradictions to search.
 * @param a One memory.
 * @param b The other memory. The order of the two does not matter.
 *
 * @example
 * isKnownPair(await tl.memory.contradictions(), old, fresh); // false if the pair is new
 */
export function isKnownPair(known: readonly Contradiction[], a: Memory, b: Memory): boolean {
  return known.some(
    ({ memoryA, memoryB }) => (memoryA === a.id && memoryB === b.id) || (memoryA === b.id && memoryB === a.id),
  );
}

/**
 * Converts a memory into a claim for `findContradiction` and `judgeRelations`.
 *
 * @param memory The memory. The claim has its full text, key, value, subject and validity interval.
 *
 * @example
 * findContradiction(claimOf(old), claimOf(fresh))?.reason;
 */
export function claimOf({ levels, key, value, subject, validFrom, validTo }: Memory): Claim {
  return omitUndefined({ text: levels.full, key, value, subject, validFrom, validTo });
}
