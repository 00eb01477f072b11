import type { SessionReport } from "throughline/internal/inspect";

/** Index of the call that a message belongs to or follows. */
export function callOf({ calls }: Pick<SessionReport, "calls">, message: number): number {
  const after = calls.findIndex((call) => call.message > message);
  return after === -1 ? calls.length - 1 : Math.max(0, after - 1);
}
