import { normalizeKey } from "../../../memory/facts/slot-keys.ts";
import type { Memory } from "../../../ports/memory.ts";

const ADR = /\bADR[-_ ]?\d+/i;
const DECIDED =
  /\b(?:decided|decision|chose|have chosen|agreed (?:to|on|that)|opted (?:for|to)|settled on|went with|adopted|approved|ruled out|standardi[sz]ed on|(?:switched|migrated|moved|converted) (?:\w+ ){0,4}(?:over )?to|replaced .{1,80} (?:with|by))\b/i;

/**
 * True if a memory is a decision about the work: it has an architecture decision record, a decision's key, or the
 * wording of a decision. Preferences, and episodes without a record or key, are not decisions.
 *
 * @example
 * isDecision(memory); // "We decided to keep sessions in Redis." → true
 */
export function isDecision({ kind, category, key, levels, artifacts }: Memory): boolean {
  if (kind !== "fact" && kind !== "episode") return false;
  if (artifacts.some(({ type }) => type === "adr")) return true;
  if (key !== undefined && /^(?:adr|decision)(?:_|$)/.test(normalizeKey(key))) return true;
  if (kind !== "fact" || category === "identity" || category === "preference") return false;
  return ADR.test(levels.full) || DECIDED.test(levels.full);
}
