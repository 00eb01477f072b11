import { omitUndefined } from "../../internal/json.ts";
import type { Contradiction, Memory } from "../../ports/memory.ts";
import type { Claim, Finding } from "./claim.ts";

/** A contradiction as it is found. */
export function openContradiction(id: string, a: Memory, b: Memory, finding: Finding, now: number): Contradiction {
  return { id, memoryA: a.id, memoryB: b.id, detectedAt: now, reason: finding.reason, status: "open" };
}

/** Whether a pair is known already, open or settled, in whichever order: it is not opened a second time. */
export function isKnownPair(known: readonly Contradiction[], a: Memory, b: Memory): boolean {
  return known.some(
    ({ memoryA, memoryB }) => (memoryA === a.id && memoryB === b.id) || (memoryA === b.id && memoryB === a.id),
  );
}

/** What a memory claims, in its own words. */
export function claimOf({ levels, key, value, subject, validFrom, validTo }: Memory): Claim {
  return omitUndefined({ text: levels.full, key, value, subject, validFrom, validTo });
}
