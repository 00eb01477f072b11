import { convertRichToModel, type ForeignModelMessage } from "../message/convert/ai-sdk.ts";
import type { ModelMessage } from "../message/convert/ai-sdk-types.ts";
import type { Message } from "../message/message.ts";
import { repairWindow } from "../message/repair/repair-window.ts";
import { toRichWindow } from "../message/to-rich-window.ts";
import { thresholdAbove } from "../overflow/check-overflow.ts";
import { type CompactionConfig, DEFAULT_COMPACTION_CONFIG } from "../overflow/compaction-config.ts";
import { countTotalTokens } from "../tokens/count-message.ts";
import { createTokenCounter } from "../tokens/token-counter.ts";
import { compactList } from "./compact-list.ts";
import type { GenerateSummaryOptions } from "./generate-summary.ts";
import { LIST_POLICY } from "./policy.ts";
import type { AnyModel } from "./to-model.ts";

/** Result of `compact`. */
export interface CompactionResult {
  /** The shorter list in the format of the AI SDK; the whole list if there was nothing to compact. */
  readonly compactedMessages: ModelMessage[];
  /** Numbers and summary of the compaction. Tokens are counted for `gpt-4o`. */
  readonly compactionEvent: {
    /** Number of the compaction, from 1; 0 if there was nothing to compact. */
    readonly round: number;
    readonly tokensBefore: number;
    readonly tokensAfter: number;
    /** Text of the summary; empty if there was nothing to compact. */
    readonly summaryContent: string;
    /** Ids of the messages that the summary replaces. */
    readonly compactedMessageIds: readonly string[];
  };
}

/** Options of `compact` and `safeCompact`. */
export interface CompactMessagesOptions extends Omit<GenerateSummaryOptions, "ledger">, Partial<CompactionConfig> {
  /** Maximum size of the summary in tokens, ledger included. Default: 4,000, plus room for the user's own words. */
  readonly targetTokens?: number;
}

/** Tokenizer that counts here: the model that the messages are for is not known. */
const COUNTED_FOR = "gpt-4o";

/**
 * Compacts a list of messages once, for programs that keep their own messages: no session, no store. System messages,
 * the first request and the last ten messages stay verbatim; the rest is replaced by a summary with the ledger, a
 * record of requests, rules, files, commands and errors. Compacting the result again continues from that ledger.
 *
 * @param messages The whole conversation, in the format of the AI SDK or Throughline's own.
 * @param sessionId Prefix for the ids of the summary messages.
 * @param model Writes the prose of the summary. With `undefined`, or if the model fails, the summary is the ledger and
 *   an extract of the last reply.
 * @param options Size and focus of the summary, timeout, and `recentMessagesToKeep` (default 10).
 * @returns the shorter list and the numbers of the compaction; `round` is 0 if there was nothing to compact.
 * @throws InvalidMessageError if a message cannot be converted.
 * @throws the reason of `options.signal` if it is aborted while the model writes.
 *
 * @example
 * const { compactedMessages } = await compact(messages, "session-1", model, { recentMessagesToKeep: 6 });
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
    trigger: thresholdAbove(LIST_POLICY.minTrigger, options),
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
 * Same as `compact`, but never throws: if the compaction fails, it returns the given messages.
 *
 * @param messages The whole conversation, in the format of the AI SDK or Throughline's own.
 * @param sessionId Prefix for the ids of the summary messages.
 * @param model Writes the prose of the summary; `undefined` for a summary by rules.
 * @param options Options of `compact`, and `onError`, which is called with the error of a failed compaction.
 *
 * @example
 * const shorter = await safeCompact(messages, "session-1", model, { onError: console.error });
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
