import type { Attributes, SpanDescription } from "../telemetry/with-span.ts";
import type { SessionContext } from "./session-context.ts";
import type { SessionEvents } from "./session-events.ts";
import type { CompactionEvent } from "./session-state.ts";
import type { PreparedTurn } from "./turn.ts";

type SpanContext = Pick<SessionContext, "sessionId" | "modelId" | "contextLimit" | "telemetry">;

/** What a span of any work on a session says of it. */
function ofSession({ sessionId, modelId, contextLimit }: SpanContext): Attributes {
  return {
    "gen_ai.conversation.id": sessionId,
    "gen_ai.request.model": modelId,
    "throughline.context_limit": contextLimit,
  };
}

export function prepareSpan(context: SpanContext): SpanDescription<PreparedTurn> {
  return {
    name: "throughline.prepare",
    before: () => ofSession(context),
    after: ({ messages, tokens, wasPruned, wasCompacted, receipt, system }) => ({
      "throughline.budget": receipt.budget,
      "throughline.tokens.before": tokens.before,
      "throughline.tokens.after_prune": tokens.afterPrune,
      "throughline.tokens.after_compact": tokens.afterCompact,
      "throughline.tokens.final": tokens.final,
      "throughline.was_pruned": wasPruned,
      "throughline.was_compacted": wasCompacted,
      "throughline.messages.count": messages.length,
      "throughline.receipt.id": receipt.id,
      ...(context.telemetry?.recordContent &&
        system !== "" && { "gen_ai.system_instructions": JSON.stringify([{ type: "text", content: system }]) }),
    }),
  };
}

export function pruneSpan(context: SpanContext): SpanDescription<SessionEvents["prune:complete"]> {
  return {
    name: "throughline.prune",
    before: () => ofSession(context),
    after: ({ outputsPruned, tokensSaved }) => ({
      "throughline.prune.outputs": outputsPruned,
      "throughline.prune.tokens_saved": tokensSaved,
    }),
  };
}

/** What became of a compaction: its event, `true` where another process did it meanwhile, nothing where it won too little. */
export type Compacted = CompactionEvent | true | undefined;

export function compactSpan<T extends Compacted>(
  context: SpanContext,
  reason: SessionEvents["compaction:start"]["reason"],
): SpanDescription<T> {
  return {
    name: "throughline.compact",
    before: () => ({ ...ofSession(context), "throughline.compact.reason": reason }),
    after: (done) => {
      if (done === undefined || done === true) return { "throughline.compact.outcome": done ? "elsewhere" : "nothing" };
      return {
        "throughline.compact.outcome": "compacted",
        "throughline.compact.id": done.id,
        "throughline.compact.round": done.round,
        "throughline.compact.messages": done.compactedMessageIds.length,
        "throughline.compact.has_prose": done.withoutProse === undefined,
        "throughline.tokens.before": done.tokensBefore,
        "throughline.tokens.after_compact": done.tokensAfter,
        ...(context.telemetry?.recordContent && { "throughline.compact.summary": done.summary }),
      };
    },
  };
}
