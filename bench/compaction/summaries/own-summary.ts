import type { SummaryPolicy } from "../policy.ts";

/** The summary that the agent's own model wrote. */
export const ownSummary: SummaryPolicy = {
  name: "agent's own summary",
  ownSizeOnly: true,
  summarize: async (point) => point.summary,
};
