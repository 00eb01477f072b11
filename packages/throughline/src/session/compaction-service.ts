import { codingProfile } from "../compact/profiles/coding.ts";
import type { SummaryProfile } from "../compact/profiles/profile.ts";
import type { AnyModel } from "../compact/to-model.ts";
import type { Message } from "../message/message.ts";
import { type CompactionConfig, DEFAULT_COMPACTION_CONFIG } from "../overflow/compaction-config.ts";
import { compactList } from "./compact-list.ts";
import { createTally } from "./session-context.ts";

/** What became of a list of messages. */
export interface ServiceResult {
  /** Nothing where there was nothing to summarize. */
  readonly summaryMessage: Message | undefined;
  readonly messages: readonly Message[];
  readonly messagesCompacted: number;
  readonly tokensSaved: number;
}

export interface CompactionServiceOptions {
  /** Writes the prose; without one the ledger and an extract stand alone. */
  readonly model?: AnyModel;
  readonly profile?: SummaryProfile;
  /** The model that the messages are for: its tokens are counted. */
  readonly modelId?: string;
}

const TARGET_TOKENS = 2_000;

/**
 * Summarizes a list of messages that somebody else keeps, whatever its size: for those who look for overflow themselves.
 * The original task stays in front of the summary, and the last turns behind it.
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
    const { minTurnsToKeep } = { ...DEFAULT_COMPACTION_CONFIG, ...config };
    const { model, profile = codingProfile, modelId = "gpt-4o" } = this.#options;
    const compacted = await compactList(
      messages,
      { targetTokens: TARGET_TOKENS, keep: { tokens: 0, turns: minTurnsToKeep } },
      {
        sessionId: messages[0]?.sessionId ?? "",
        clock: { now: () => Date.now() },
        model,
        profile,
        timeLimit: undefined,
      },
      createTally(modelId, {}),
    );
    if (compacted === undefined) {
      return { summaryMessage: undefined, messages, messagesCompacted: 0, tokensSaved: 0 };
    }
    const { event } = compacted;
    return {
      summaryMessage: compacted.messages.find((message) => message.id === `${event.id}/summary`),
      messages: compacted.messages,
      messagesCompacted: event.compactedMessageIds.length,
      tokensSaved: event.tokensBefore - event.tokensAfter,
    };
  }
}
