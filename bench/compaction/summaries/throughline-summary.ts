import type { BenchThroughline } from "../bench-throughline.ts";
import type { SummaryPolicy } from "../policy.ts";

/** Throughline's summary of a manual compaction, with ledger, without a model and without a tail. */
export function throughlineSummary(throughline: BenchThroughline): SummaryPolicy {
  return {
    name: "throughline",
    summarize: async (point, budget) => {
      const session = throughline.session(`summary ${point.id} ${budget}`, { contextLimit: 2 * point.preTokens });
      await session.append(point.pre);
      const { summary } = await session.compact({ targetTokens: budget, keepTokens: 0 });
      return summary;
    },
  };
}
