import { getContextLimit } from "./model-limits.ts";
import { MODEL_LIMITS } from "./model-limits-table.ts";

/** Dated names that have no entry of their own in the tables. */
const DATED_MODELS = ["claude-3-5-sonnet-20240620", "claude-3-haiku-20240307"];

/** Context windows in tokens, by model id. `getContextLimit` also knows variants, other vendors' ids and more models. */
export const MODEL_CONTEXT_LIMITS: Readonly<Record<string, number>> = /* @__PURE__ */ listContextLimits();

function listContextLimits(): Record<string, number> {
  const names = [...Object.keys(MODEL_LIMITS), ...DATED_MODELS];
  return Object.fromEntries(names.map((name) => [name, getContextLimit(name)]));
}
