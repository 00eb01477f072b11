import type { CompactionEvent } from "../compact/window.ts";
import type { Attributes, SpanDescription } from "../telemetry/with-span.ts";
import type { PreparedTurn } from "./prepare-options.ts";
import type { SessionDeps } from "./session-deps.ts";
import type { SessionEvents } from "./session-events.ts";

type SpanDeps = Pick<SessionDeps, "sessionId" | "modelId" | "contextLimit" | "telemetry">;

/** Attributes of every span of a session. */
function ofSession({ sessionId, modelId, contextLimit }: SpanDeps): Attributes {
  return {
    "gen_ai.conversation.id": sessionId,
    "gen_ai.request.model": modelId,
    "throughline.context_limit": contextLimit,
  };
}

export function prepareSpan(deps: SpanDeps): SpanDescription<PreparedTurn> {
  return {
    name: "throughline.prepare",
    before: () => ofSession(deps),
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
      ...(deps.telemetry?.recordContent &&
        system !== "" && { "gen_ai.system_instructions": JSON.stringify([{ type: "text", content: system }]) }),
    }),
  };
}

export function pruneSpan(deps: SpanDeps): SpanDescription<SessionEvents["prune:complete"]> {
  return {
    name: "throughline.prune",
    before: () => ofSession(deps),
    after: ({ outputsPruned, tokensSaved }) => ({
      "throughline.prune.outputs": outputsPruned,
      "throughline.prune.tokens_saved": tokensSaved,
    }),
  };
}

/** Span of a compaction; its result is `undefined` if nothing was compacted. */
export function compactSpan(
  deps: SpanDeps,
  reason: SessionEvents["compaction:start"]["reason"],
): SpanDescription<{ readonly event: CompactionEvent } | undefined> {
  return {
    name: "throughline.compact",
    before: () => ({ ...ofSession(deps), "throughline.compact.reason": reason }),
    after: (compaction) => {
      if (compaction === undefined) return { "throughline.compact.outcome": "nothing" };
      const { event: done } = compaction;
      return {
        "throughline.compact.outcome": "compacted",
        "throughline.compact.id": done.id,
        "throughline.compact.round": done.round,
        "throughline.compact.messages": done.compactedMessageIds.length,
        "throughline.compact.has_prose": done.withoutProse === undefined,
        "throughline.tokens.before": done.tokensBefore,
        "throughline.tokens.after_compact": done.tokensAfter,
        ...(deps.telemetry?.recordContent && { "throughline.compact.summary": done.summary }),
      };
    },
  };
}
