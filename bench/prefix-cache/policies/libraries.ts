import type { Message } from "throughline";
import { countTotalTokens } from "throughline/tokens";
import { type PruneSettings, pruneByAiSdk } from "../../compaction/windows/ai-sdk-prune.ts";
import { trimToLegal } from "../../compaction/windows/langchain-trim.ts";
import { findCut, makeWindow } from "../cut-history.ts";
import { withCounts } from "../part-facts.ts";
import type { TurnPolicy } from "../turn-policy.ts";

const SHARE = 0.5;
const OPENING_TOKENS = 32;
const SETTINGS: PruneSettings = { reasoning: "before-last-message", toolCalls: "before-last-40-messages" };

/** `pruneMessages` before each request, as documented; at the limit, the oldest messages are dropped, down to half. */
export const aiSdkPruneTurns: TurnPolicy = {
  name: "AI SDK pruneMessages, each turn",
  start: (_, budget) => {
    let from = 0;
    return {
      next: async (history) => {
        const room = budget - OPENING_TOKENS;
        const prune = () => withCounts(pruneByAiSdk(history.slice(from), SETTINGS));
        let pruned = prune();
        if (countTotalTokens(pruned) > room) {
          from = findCut(history, from, room * SHARE);
          pruned = prune();
        }
        return { window: makeWindow([], pruned, budget) };
      },
    };
  },
};

/** `pruneMessages` only at the limit, and its result is carried on, as `prepareStep` of the AI SDK 7 allows. */
export const aiSdkPruneAtLimit: TurnPolicy = {
  name: "AI SDK pruneMessages, at the limit",
  start: (_, budget) => {
    let past: readonly Message[] = [];
    let seen = 0;
    return {
      next: async (history) => {
        const room = budget - OPENING_TOKENS;
        past = [...past, ...history.slice(seen)];
        seen = history.length;
        if (countTotalTokens(past) > room) past = withCounts(pruneByAiSdk(past, SETTINGS));
        if (countTotalTokens(past) > room) past = past.slice(findCut(past, 0, room * SHARE));
        return { window: makeWindow([], past, budget) };
      },
    };
  },
};

/** `trimMessages` before each request. */
export const langchainTrimTurns: TurnPolicy = {
  name: "LangChain trimMessages, each turn",
  start: (_, budget) => ({
    next: async (history) => ({
      window: countTotalTokens(history) <= budget ? history : await trimToLegal(history, budget),
    }),
  }),
};
