import type { CompactionEvent } from "../compact/window.ts";
import { type Attributes, withSpan } from "../telemetry/with-span.ts";
import type { SessionEvents } from "./session-events.ts";
import type { PreparedTurn } from "./session-options.ts";
import type { SessionDeps } from "./state/session-deps.ts";

/** Operations with a span, and what their spans report in the end. */
interface SpanResults {
  readonly prepare: PreparedTurn;
  readonly prune: SessionEvents["prune:complete"];
  /** `undefined` if nothing was compacted. */
  readonly compact: { readonly event: CompactionEvent } | undefined;
}

/** Attributes of each result; texts only if `recordContent` is set. */
const RESULT_ATTRIBUTES: {
  readonly [N in keyof SpanResults]: (result: SpanResults[N], recordContent: boolean | undefined) => Attributes;
} = {
  prepare: ({ messages, tokens, wasPruned, wasCompacted, receipt, system }, recordContent) => ({
    "throughline.budget": receipt.budget,
    "throughline.tokens.before": tokens.before,
    "throughline.tokens.after_prune": tokens.afterPrune,
    "throughline.tokens.after_compact": tokens.afterCompact,
    "throughline.tokens.final": tokens.final,
    "throughline.was_pruned": wasPruned,
    "throughline.was_compacted": wasCompacted,
    "throughline.messages.count": messages.length,
    "throughline.receipt.id": receipt.id,
    ...(recordContent &&
      system !== "" && { "gen_ai.system_instructions": JSON.stringify([{ type: "text", content: system }]) }),
  }),
  prune: ({ outputsPruned, tokensSaved }) => ({
    "throughline.prune.outputs": outputsPruned,
    "throughline.prune.tokens_saved": tokensSaved,
  }),
  compact: (compaction, recordContent) => {
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
      ...(recordContent && { "throughline.compact.summary": done.summary }),
    };
  },
};

/** Runs an operation of a session inside its span, if there is a tracer. `attributes` are known before it starts. */
export function withSessionSpan<N extends keyof SpanResults, T extends SpanResults[N]>(
  { sessionId, modelId, contextLimit, telemetry }: SessionDeps,
  name: N,
  work: () => Promise<T>,
  attributes: Attributes = {},
): Promise<T> {
  const before = () => ({
    "gen_ai.conversation.id": sessionId,
    "gen_ai.request.model": modelId,
    "throughline.context_limit": contextLimit,
    ...attributes,
  });
  const after = (result: T) => RESULT_ATTRIBUTES[name](result, telemetry?.recordContent);
  return withSpan(telemetry, { name: `throughline.${name}`, before, after }, work);
}
