import { cutText } from "../cut-text.ts";
import { readMessages } from "../message-text.ts";
import type { SummaryPolicy } from "../policy.ts";

/** The last tokens before the compaction, verbatim. */
export const lastTokens: SummaryPolicy = {
  name: "last tokens only",
  summarize: async (point, budget) => cutText(readMessages(point.pre), budget, "end"),
};
