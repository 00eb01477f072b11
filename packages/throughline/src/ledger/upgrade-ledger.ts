import { isRecord } from "../internal/json.ts";
import { EMPTY_LEDGER, type Ledger } from "./ledger.ts";
import { tidyLines } from "./user-quotes.ts";

/**
 * Upgrades a stored ledger of version 1: its decisions become statements, and its requests stay answered or open. Any
 * other value is returned unchanged.
 */
export function upgradeLedger(value: unknown): unknown {
  if (!isRecord(value) || value.version !== 1 || !Array.isArray(value.requests) || !Array.isArray(value.decisions)) {
    return value;
  }
  const { decisions, requests, ...rest } = value as unknown as Ledger & { decisions: readonly Decision[] };
  return {
    ...EMPTY_LEDGER,
    ...rest,
    version: 2,
    requests: requests.map((request) => ({ ...request, text: tidyLines(request.text), said: 0 })),
    statements: decisions.map(({ text, at }, order) => ({ text, at, order })),
  };
}

interface Decision {
  readonly text: string;
  readonly at: number;
}
