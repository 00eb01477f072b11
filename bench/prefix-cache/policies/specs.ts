import { countTokens, type Message } from "throughline";
import { calculateThreshold } from "throughline/compact";
import { adjustBoundaryForToolPairs } from "throughline/messages";
import { countTotalTokens } from "throughline/tokens";
import { cutText } from "../../compaction/cut-text.ts";
import { readMessages } from "../../compaction/message-text.ts";
import { pruneOutputs } from "../../compaction/windows/spec-5.ts";
import { summaryMessage } from "../../compaction/windows/summary-message.ts";
import { makeWindow } from "../cut-history.ts";
import { withCounts } from "../part-facts.ts";
import type { TurnPolicy } from "../turn-policy.ts";

const RECENT_MESSAGES = 10;
const RECENT_TURNS = 2;
const SPEC_3_SUMMARY = 800;
const SPEC_5_SUMMARY = 2_000;
/** Maximum characters of a message that both specs show to the summarizer. */
const SHOWN_CHARACTERS = 2_000;

/** Spec 3 at its own threshold, which is also Throughline's: a summary and the last 10 messages. */
export const spec3Turns: TurnPolicy = {
  name: "spec 3 alone",
  start: (_, budget) => {
    let head: readonly Message[] = [];
    let from = 0;
    return {
      next: async (history) => {
        const shown = [...head, ...history.slice(from)];
        if (
          countTotalTokens(shown) < calculateThreshold({ modelContextLimit: budget }) ||
          shown.length <= RECENT_MESSAGES + 1
        ) {
          return { window: makeWindow(head, history.slice(from), budget) };
        }
        const boundary = adjustBoundaryForToolPairs(history, history.length - RECENT_MESSAGES);
        const old = [...head, ...history.slice(from, boundary)];
        const summarizerTokens = boundary > from ? countShown(old) : 0;
        if (boundary > from) head = [standIn(old, SPEC_3_SUMMARY)];
        from = Math.max(from, boundary);
        return { window: makeWindow(head, history.slice(from), budget), summarizerTokens };
      },
    };
  },
};

/** Spec 5 at the limit: prunes with its limits, otherwise a summary and the last 2 turns. */
export const spec5Turns: TurnPolicy = {
  name: "spec 5 alone",
  start: (_, budget) => {
    let head: readonly Message[] = [];
    let from = 0;
    /** Once pruned, a message stays the same. */
    let past: readonly Message[] = [];
    return {
      next: async (history) => {
        past = [...past, ...history.slice(past.length)];
        const size = () => countTotalTokens(head) + countTotalTokens(past.slice(from));
        if (size() <= budget) return { window: makeWindow(head, past.slice(from), budget) };
        past = [...past.slice(0, from), ...withCounts(pruneOutputs(past.slice(from)))];
        if (size() <= budget) return { window: makeWindow(head, past.slice(from), budget) };
        const start = startOfTurns(past);
        const old = [...head, ...past.slice(from, start)];
        const summarizerTokens = start > from ? countShown(old) : 0;
        if (start > from) head = [standIn(old, SPEC_5_SUMMARY)];
        from = Math.max(from, start);
        return { window: makeWindow(head, past.slice(from), budget), summarizerTokens };
      },
    };
  },
};

function startOfTurns(history: readonly Message[]): number {
  const starts = history.flatMap((message, index) => (message.role === "user" ? [index] : []));
  return starts.at(-RECENT_TURNS) ?? 0;
}

/** No model runs here: a text of the size that the spec allows replaces the model's summary. */
function standIn(old: readonly Message[], tokens: number): Message {
  return summaryMessage(cutText(readMessages(old), tokens, "end"));
}

function countShown(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + countTokens(readMessages([message]).slice(0, SHOWN_CHARACTERS)), 0);
}
