import { omitUndefined } from "../../internal/json.ts";
import type { Memory } from "../../ports/memory.ts";
import { readSlot, type Slot } from "../facts/read-slot.ts";
import { normalizeKey } from "../facts/slot-keys.ts";

/** What a fact says of what: by its key, or as far as its words tell. */
export function slotOf({ key, value, levels }: Memory): Slot | undefined {
  return key === undefined ? readSlot(levels.full) : omitUndefined({ key: normalizeKey(key), value });
}
