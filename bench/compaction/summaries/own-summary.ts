import type { SummaryPolicy } from "../policy.ts";

/** What the agent's own model wrote at that point. */
export const ownSummary: SummaryPolicy = {
  name: "agent's own summary",
  ownSizeOnly: true,
  summarise: async (point) => point.summary,
};
