import { convertRichToModel, type ForeignModelMessage } from "../message/convert/ai-sdk.ts";
import type { ModelMessage } from "../message/convert/ai-sdk-types.ts";
import type { Message } from "../message/message.ts";
import { repairWindow } from "../message/repair/repair-window.ts";
import { toRichWindow } from "../message/to-rich-window.ts";
import { calculateThreshold } from "../overflow/check-overflow.ts";
import { type CompactionConfig, DEFAULT_COMPACTION_CONFIG } from "../overflow/compaction-config.ts";
import { countTotalTokens } from "../tokens/count-message.ts";
import { createTokenCounter } from "../tokens/token-counter.ts";
import { compactList } from "./compact-list.ts";
import type { GenerateSummaryOptions } from "./generate-summary.ts";
import { LIST_POLICY } from "./policy.ts";
import type { AnyModel } from "./to-model.ts";

export interface CompactionResult {
  readonly compactedMessages: ModelMessage[];
  readonly compactionEvent: {
    /** 0 if there was nothing to compact. */
    readonly round: number;
    readonly tokensBefore: number;
    readonly tokensAfter: number;
    readonly summaryContent: string;
    readonly compactedMessageIds: readonly string[];
  };
}

export interface CompactMessagesOptions extends Omit<GenerateSummaryOptions, "ledger">, Partial<CompactionConfig> {
  /** Maximum size of the summary in tokens, ledger included (default: 4,000, plus room for the user's own words). */
  readonly targetTokens?: number;
}

/** Tokenizer that counts here: the model that the messages are for is not known. */
const COUNTED_FOR = "gpt-4o";

/**
 * Compacts a list of messages once, without a session and without a store: for agents that keep their own messages. The
 * last `recentMessagesToKeep` messages stay as they are; everything before them becomes a summary with the ledger.
 * Without a model the summary is the ledger and an extract. Compacting the result again continues from that ledger.
 *
 * @example
 * const { compactedMessages } = await compact(messages, "session-1", undefined);
 */
export async function compact(
  messages: readonly (Message | ForeignModelMessage)[],
  sessionId: string,
  model: AnyModel | undefined,
  options: CompactMessagesOptions = {},
): Promise<CompactionResult> {
  const { focus, signal, timeLimit, targetTokens, profile, recentMessagesToKeep } = options;
  const window = toRichWindow(messages);
  const compacted = await compactList(window, createTokenCounter(COUNTED_FOR, {}), LIST_POLICY, {
    ...{ sessionId, model, focus, signal, timeLimit, targetTokens },
    ...(profile && { profile }),
    clock: { now: () => 0 },
    trigger: calculateThreshold(options),
    keepMessages: recentMessagesToKeep ?? DEFAULT_COMPACTION_CONFIG.recentMessagesToKeep,
  });
  const legal = compacted === undefined ? window : repairWindow(compacted.messages).messages;
  return {
    compactedMessages: convertRichToModel(legal),
    compactionEvent: {
      round: compacted?.event.round ?? 0,
      tokensBefore: countTotalTokens(window),
      tokensAfter: countTotalTokens(legal),
      summaryContent: compacted?.event.summary ?? "",
      compactedMessageIds: compacted?.event.compactedMessageIds ?? [],
    },
  };
}

/**
 * Compacts like {@link compact}. If that fails, it returns the messages unchanged: a compaction must not stop an agent.
 *
 * @example
 * const shorter = await safeCompact(messages, "session-1", model);
 */
export async function safeCompact<M extends Message | ForeignModelMessage>(
  messages: readonly M[],
  sessionId: string,
  model: AnyModel | undefined,
  options: CompactMessagesOptions & { readonly onError?: (error: unknown) => void } = {},
): Promise<(M | ModelMessage)[]> {
  try {
    return (await compact(messages, sessionId, model, options)).compactedMessages;
  } catch (error) {
    options.onError?.(error);
    return messages as M[];
  }
}
