import type { BenchThroughline } from "../../compaction/bench-throughline.ts";
import { readTurn } from "../../compaction/windows/throughline-window.ts";
import { withCounts } from "../part-facts.ts";
import type { TurnPolicy } from "../turn-policy.ts";

/**
 * Throughline: one session, appended to and prepared before each request, with a context window of that size and
 * default settings.
 */
export function throughlineTurns(throughline: BenchThroughline): TurnPolicy {
  return {
    name: "throughline",
    start: (sessionId, budget) => {
      const session = throughline.session(`cache ${sessionId} ${budget}`, { contextLimit: budget });
      let appended = 0;
      return {
        next: async (history) => {
          await session.append(history.slice(appended));
          appended = history.length;
          return { window: withCounts(readTurn(await session.prepare({}))) };
        },
      };
    },
  };
}
