import { composeSummary } from "../compact/compose-summary.ts";
import { type GenerateSummaryOptions, trySummary } from "../compact/generate-summary.ts";
import { extractOriginalTask, findOriginalTask } from "../compact/original-task.ts";
import { filterMessagesForCompaction, selectMessagesToCompact } from "../compact/select-messages.ts";
import type { AnyModel } from "../compact/to-model.ts";
import { EMPTY_LEDGER } from "../ledger/ledger.ts";
import { reduceLedger } from "../ledger/reduce-ledger.ts";
import { renderLedger } from "../ledger/render-ledger.ts";
import { convertRichToModel, type ForeignModelMessage } from "../message/convert/ai-sdk.ts";
import type { ModelMessage } from "../message/convert/ai-sdk-types.ts";
import type { Message } from "../message/message.ts";
import { repairWindow } from "../message/repair/repair-window.ts";
import { toRichWindow } from "../message/to-rich-window.ts";
import { type CompactionConfig, DEFAULT_COMPACTION_CONFIG } from "../overflow/compaction-config.ts";
import { countTotalTokens } from "../tokens/count-message.ts";
import { countTokens } from "../tokens/count-tokens.ts";
import { makeStandIns } from "./make-stand-ins.ts";

export interface CompactionResult {
  readonly compactedMessages: readonly ModelMessage[];
  readonly compactionEvent: {
    /** 0 where there was nothing to compact. */
    readonly round: number;
    readonly tokensBefore: number;
    readonly tokensAfter: number;
    readonly summaryContent: string;
    readonly compactedMessageIds: readonly string[];
  };
}

export interface CompactMessagesOptions extends GenerateSummaryOptions, Partial<CompactionConfig> {
  /** Tokens for the summary, ledger included. */
  readonly targetTokens?: number;
}

const TARGET_TOKENS = 3_000;

/**
 * Compacts a list of messages once, without a session and without a store: for agents that keep their own. The last
 * messages stay as they are; what lies before them becomes a summary with the ledger. Without a model the ledger and an
 * extract stand alone.
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
  const window = toRichWindow(messages);
  const tokensBefore = countTotalTokens(window);
  const { messagesToCompact, messagesToKeep, previousSummary } = selectMessagesToCompact(window, recentMessagesToKeep);
  if (messagesToCompact.length === 0) {
    const compactionEvent = {
      round: 0,
      tokensBefore,
      tokensAfter: tokensBefore,
      summaryContent: "",
      compactedMessageIds: [],
    };
    return { compactedMessages: convertRichToModel(window), compactionEvent };
  }
  const round = roundOf(previousSummary) + 1;
  const task = extractOriginalTask(window);
  const useful = filterMessagesForCompaction(messagesToCompact);
  const ledger = window.reduce(reduceLedger, EMPTY_LEDGER);
  const prose = model && (await trySummary(useful, previousSummary, task, round, model, options));
  const summaryContent = composeSummary({
    round,
    prose: prose !== undefined && "text" in prose ? prose.text : undefined,
    ledger: (budget) => renderLedger(ledger, { budget, count: countTokens }),
    messages: useful,
    targetTokens: options.targetTokens ?? TARGET_TOKENS,
    count: countTokens,
  });
  const kept = messagesToKeep.filter((message) => message.role !== "system");
  const first = window[findOriginalTask(window)];
  const head = first === undefined || kept.includes(first) ? [] : [first];
  const standIns = makeStandIns({
    id: `${sessionId}/compaction-${round}`,
    sessionId,
    createdAt: 0,
    summary: summaryContent,
    messagesCompacted: messagesToCompact.length,
    originalTokens: countTotalTokens(messagesToCompact),
    isFirst: head.length === 0,
    next: kept[0],
  });
  const system = messagesToKeep.filter((message) => message.role === "system");
  const { messages: legal } = repairWindow([...system, ...head, ...standIns, ...kept]);
  return {
    compactedMessages: convertRichToModel(legal),
    compactionEvent: {
      round,
      tokensBefore,
      tokensAfter: countTotalTokens(legal),
      summaryContent,
      compactedMessageIds: messagesToCompact.map((message) => message.id),
    },
  };
}

/** The same, and on any failure the messages as they were: a compaction must not stop an agent. */
export async function safeCompact(
  messages: readonly (Message | ForeignModelMessage)[],
  sessionId: string,
  model: AnyModel | undefined,
  options: CompactMessagesOptions & { readonly onError?: (error: unknown) => void } = {},
): Promise<readonly (Message | ForeignModelMessage)[]> {
  try {
    return (await compact(messages, sessionId, model, options)).compactedMessages;
  } catch (error) {
    options.onError?.(error);
    return messages;
  }
}

function roundOf(summary: string | null): number {
  return Number(/\(Compaction Round (\d+)\)/.exec(summary ?? "")?.[1] ?? 0);
}
