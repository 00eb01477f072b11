import { omitUndefined } from "../../internal/json.ts";
import type { Memory } from "../../ports/memory.ts";
import { readSlot, type Slot } from "../facts/read-slot.ts";
import { normalizeKey } from "../facts/slot-keys.ts";

/** Key and value of a fact, from its fields or, if it has no key, read from its text. */
export function slotOf({ key, value, levels }: Memory): Slot | undefined {
  return key === undefined ? readSlot(levels.full) : omitUndefined({ key: normalizeKey(key), value });
}
