import type { Message } from "../message/message.ts";
import { calculateThreshold } from "../overflow/check-overflow.ts";
import { type CompactionConfig, DEFAULT_COMPACTION_CONFIG } from "../overflow/compaction-config.ts";
import { createTokenCounter } from "../tokens/token-counter.ts";
import { compactList } from "./compact-list.ts";
import { SERVICE_POLICY } from "./policy.ts";
import type { SummaryProfile } from "./profiles/profile.ts";
import type { AnyModel } from "./to-model.ts";

/** Result of {@link CompactionService.compact}. */
export interface ServiceResult {
  /** `undefined` if there was nothing to summarize. */
  readonly summaryMessage: Message | undefined;
  readonly messages: readonly Message[];
  readonly messagesCompacted: number;
  readonly tokensSaved: number;
}

export interface CompactionServiceOptions {
  /** Writes the prose of the summary. Without a model the summary is the ledger and an extract. */
  readonly model?: AnyModel;
  readonly profile?: SummaryProfile;
  /** Model that the messages are for; its tokens are counted (default `gpt-4o`). */
  readonly modelId?: string;
}

/**
 * Summarizes a list of messages that the caller keeps, whatever its size: for callers that detect overflow themselves.
 * The original task stays before the summary, and the last turns stay after it.
 *
 * @example
 * const { messages } = await new CompactionService({ model }).compact(history, { minTurnsToKeep: 2 });
 */
export class CompactionService {
  readonly #options: CompactionServiceOptions;

  constructor(options: CompactionServiceOptions = {}) {
    this.#options = options;
  }

  async compact(messages: readonly Message[], config: Partial<CompactionConfig> = {}): Promise<ServiceResult> {
    const { modelId = "gpt-4o", ...deps } = this.#options;
    const compacted = await compactList(messages, createTokenCounter(modelId, {}), SERVICE_POLICY, {
      ...deps,
      trigger: calculateThreshold(config),
      minTurns: config.minTurnsToKeep ?? DEFAULT_COMPACTION_CONFIG.minTurnsToKeep,
    });
    if (compacted === undefined) return { summaryMessage: undefined, messages, messagesCompacted: 0, tokensSaved: 0 };
    const { event } = compacted;
    return {
      summaryMessage: compacted.messages.find((message) => message.id === `${event.id}/summary`),
      messages: compacted.messages,
      messagesCompacted: event.compactedMessageIds.length,
      tokensSaved: event.tokensBefore - event.tokensAfter,
    };
  }
}
