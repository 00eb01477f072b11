import { CHECKED_LATER, checkOptions, type OptionRules, TEXT } from "../../errors/check-options.ts";
import { omitUndefined } from "../../internal/json.ts";
import type { AssistantMessage, Message } from "../../message/message.ts";
import { thresholdAbove } from "../../overflow/check-overflow.ts";
import { CONFIG_RULES, type CompactionConfig, DEFAULT_COMPACTION_CONFIG } from "../../overflow/compaction-config.ts";
import { createTokenCounter } from "../../tokens/token-counter.ts";
import { SERVICE_POLICY } from "../policy.ts";
import { findProfile, type ProfileName, type SummaryProfile } from "../profiles.ts";
import { type AnyModel, MODEL } from "../prose/to-model.ts";
import { compactList } from "./compact-list.ts";

/** Result of `CompactionService.compact`. */
export interface ServiceResult {
  /** `undefined` if there was nothing to summarize. */
  readonly summaryMessage: AssistantMessage | undefined;
  /**
   * The shorter list: first request, summary, last requests with their replies. The given list if there was nothing to
   * summarize.
   */
  readonly messages: readonly Message[];
  /** Number of messages that the summary replaces. */
  readonly messagesCompacted: number;
  /** Tokens before minus tokens after; negative if the summary is larger than the messages it replaces. */
  readonly tokensSaved: number;
}

/** Options of `new CompactionService`. */
export interface CompactionServiceOptions {
  /** Writes the prose of the summary. Without a model the summary is the ledger and an extract. */
  readonly model?: AnyModel;
  /** Sections of the summary. Default: `coding`. */
  readonly profile?: ProfileName | SummaryProfile;
  /** Model that the messages are for, which sets the tokenizer. Default: `gpt-4o`. */
  readonly modelId?: string;
}

const SERVICE_RULES: OptionRules<CompactionServiceOptions> = {
  model: MODEL,
  profile: CHECKED_LATER,
  modelId: TEXT,
};

/**
 * Summarizes a list of messages whatever its size, for programs that detect overflow themselves. The first request
 * stays before the summary, and the last requests stay after it, with their replies.
 *
 * @example
 * const service = new CompactionService({ model, profile: chatProfile });
 * const { messages, tokensSaved } = await service.compact(history);
 */
export class CompactionService {
  readonly #options: CompactionServiceOptions & { readonly profile: SummaryProfile };

  /**
   * @param options Model, profile and tokenizer. Default: a summary by rules, for work on code.
   * @throws InvalidOptionError for unknown options, values of the wrong type and unknown profiles.
   */
  constructor(options: CompactionServiceOptions = {}) {
    checkOptions("CompactionService", options, SERVICE_RULES);
    this.#options = { ...options, profile: findProfile(options.profile) };
  }

  /**
   * Replaces older messages by a summary.
   *
   * @param messages The whole conversation. The list is not changed.
   * @param config `minTurnsToKeep`: requests of the user that stay at the end, with their replies (default 2). The
   *   limits and reserves set the size of the summary.
   *
   * @example
   * const { messages } = await new CompactionService({ model }).compact(history, { minTurnsToKeep: 4 });
   */
  async compact(messages: readonly Message[], config: Partial<CompactionConfig> = {}): Promise<ServiceResult> {
    checkOptions<Partial<CompactionConfig>>("CompactionService.compact", config, CONFIG_RULES);
    const { modelId = "gpt-4o", ...deps } = this.#options;
    const compacted = await compactList(messages, createTokenCounter(modelId, {}), SERVICE_POLICY, {
      ...deps,
      trigger: thresholdAbove(SERVICE_POLICY.minTrigger, { ...DEFAULT_COMPACTION_CONFIG, ...omitUndefined(config) }),
      minTurns: config.minTurnsToKeep ?? DEFAULT_COMPACTION_CONFIG.minTurnsToKeep,
    });
    if (compacted === undefined) return { summaryMessage: undefined, messages, messagesCompacted: 0, tokensSaved: 0 };
    const { event } = compacted;
    return {
      summaryMessage: compacted.messages.find(
        (message): message is AssistantMessage => message.id === `${event.id}/summary` && message.role === "assistant",
      ),
      messages: compacted.messages,
      messagesCompacted: event.compactedMessageIds.length,
      tokensSaved: event.tokensBefore - event.tokensAfter,
    };
  }
}
