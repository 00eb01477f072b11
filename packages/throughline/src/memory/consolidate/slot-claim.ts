import { omitUndefined } from "../../internal/json.ts";
import type { Memory } from "../../ports/memory.ts";
import type { Claim } from "../contradictions/claim.ts";
import { claimOf } from "../contradictions/contradictions.ts";
import { readSlot, type Slot } from "../facts/read-slot.ts";
import { isSingleValued, normalizeKey } from "../facts/slot-keys.ts";

/** What a fact says of what: by its key, or as far as its words tell. */
export function slotOf({ key, value, levels }: Memory): Slot | undefined {
  return key === undefined ? readSlot(levels.full) : omitUndefined({ key: normalizeKey(key), value });
}

/** What a fact claims, with its key in its one form and whether other values may stand beside it. */
export function slotClaim(memory: Memory): Claim {
  const { key, value } = slotOf(memory) ?? {};
  if (key === undefined) return claimOf(memory);
  return omitUndefined({ ...claimOf(memory), key, value, takesMany: isSingleValued(key) ? undefined : true });
}
