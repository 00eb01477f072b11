import { isRecord, omitUndefined } from "../internal/json.ts";
import type { ReportedUsage } from "../receipt/receipt.ts";

/**
 * What a call took of a model's input: as a model reports it (`inputTokens.total`, `.cacheRead`) or as a step does
 * (`inputTokens`, `inputTokenDetails.cacheReadTokens`). Nothing where nobody counted.
 */
export function readUsage(usage: unknown): ReportedUsage | undefined {
  if (!isRecord(usage)) return undefined;
  const input = isRecord(usage.inputTokens) ? usage.inputTokens : { total: usage.inputTokens };
  const details = isRecord(usage.inputTokenDetails) ? usage.inputTokenDetails : {};
  const inputTokens = count(input.total);
  if (inputTokens === undefined || inputTokens === 0) return undefined;
  return omitUndefined({
    inputTokens,
    cacheReadTokens: count(input.cacheRead) ?? count(details.cacheReadTokens),
    cacheWriteTokens: count(input.cacheWrite) ?? count(details.cacheWriteTokens),
  });
}

function count(value: unknown): number | undefined {
  return typeof value === "number" && value >= 0 ? value : undefined;
}
