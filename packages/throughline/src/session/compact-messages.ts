import type { GenerateSummaryOptions } from "../compact/generate-summary.ts";
import { codingProfile } from "../compact/profiles/coding.ts";
import type { AnyModel } from "../compact/to-model.ts";
import { omitUndefined } from "../internal/json.ts";
import { convertRichToModel, type ForeignModelMessage } from "../message/convert/ai-sdk.ts";
import type { ModelMessage } from "../message/convert/ai-sdk-types.ts";
import type { Message } from "../message/message.ts";
import { repairWindow } from "../message/repair/repair-window.ts";
import { toRichWindow } from "../message/to-rich-window.ts";
import { type CompactionConfig, DEFAULT_COMPACTION_CONFIG } from "../overflow/compaction-config.ts";
import { countTotalTokens } from "../tokens/count-message.ts";
import { compactList } from "./compact-list.ts";
import { createTally } from "./session-context.ts";

export interface CompactionResult {
  readonly compactedMessages: ModelMessage[];
  readonly compactionEvent: {
    /** 0 where there was nothing to compact. */
    readonly round: number;
    readonly tokensBefore: number;
    readonly tokensAfter: number;
    readonly summaryContent: string;
    readonly compactedMessageIds: readonly string[];
  };
}

export interface CompactMessagesOptions extends Omit<GenerateSummaryOptions, "ledger">, Partial<CompactionConfig> {
  /** Tokens for the summary, ledger included. */
  readonly targetTokens?: number;
}

const TARGET_TOKENS = 3_000;
/** The tokenizer that counts here: nobody said which model the messages are for. */
const COUNTED_FOR = "gpt-4o";

/**
 * Compacts a list of messages once, without a session and without a store: for agents that keep their own. The last
 * messages stay as they are; what lies before them becomes a summary with the ledger. Without a model the ledger and an
 * extract stand alone. Compacting the result again goes on from the ledger that it carries.
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
  const { recentMessagesToKeep } = { ...DEFAULT_COMPACTION_CONFIG, ...options };
  const { targetTokens = TARGET_TOKENS, focus, signal, timeLimit, profile = codingProfile } = options;
  const window = toRichWindow(messages);
  const tokensBefore = countTotalTokens(window);
  const compacted = await compactList(
    window,
    omitUndefined({ targetTokens, keep: { messages: recentMessagesToKeep }, focus, signal }),
    { sessionId, clock: { now: () => 0 }, model, profile, timeLimit },
    createTally(COUNTED_FOR, {}),
  );
  const legal = compacted === undefined ? window : repairWindow(compacted.messages).messages;
  return {
    compactedMessages: convertRichToModel(legal),
    compactionEvent: {
      round: compacted?.event.round ?? 0,
      tokensBefore,
      tokensAfter: countTotalTokens(legal),
      summaryContent: compacted?.event.summary ?? "",
      compactedMessageIds: compacted?.event.compactedMessageIds ?? [],
    },
  };
}

/**
 * The same, and on any failure the messages as they were: a compaction must not stop an agent.
 *
 * @example
 * const prepareStep = async ({ messages }) => ({ messages: await safeCompact(messages, "session-1", model) });
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
