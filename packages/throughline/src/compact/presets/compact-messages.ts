import {
  ABOVE_ZERO,
  CHECKED_LATER,
  checkId,
  checkOptions,
  FUNCTION,
  LOGGER,
  type OptionRules,
  STORE,
  TEXT,
} from "../../errors/check-options.ts";
import { isRecord, omitUndefined } from "../../internal/json.ts";
import { messageOf } from "../../internal/text.ts";
import { convertRichToModel, type ForeignModelMessage } from "../../message/convert/ai-sdk.ts";
import type { ModelMessage } from "../../message/convert/ai-sdk-types.ts";
import type { AssistantMessage, Message } from "../../message/message.ts";
import { repairWindow } from "../../message/repair/repair-window.ts";
import { toRichWindow } from "../../message/to-rich-window.ts";
import { thresholdAbove } from "../../overflow/check-overflow.ts";
import {
  CONFIG_RULES,
  type CompactionConfig,
  DEFAULT_COMPACTION_CONFIG,
  DEFAULT_CONFIG,
} from "../../overflow/compaction-config.ts";
import { type Logger, QUIET } from "../../ports/logger.ts";
import type { Store } from "../../ports/store.ts";
import { countTotalTokens } from "../../tokens/count-message.ts";
import { createTokenCounter } from "../../tokens/token-counter.ts";
import { LIST_POLICY, SERVICE_POLICY } from "../policy.ts";
import { findProfile, type ProfileName, type SummaryProfile } from "../profiles.ts";
import { type GenerateSummaryOptions, SUMMARY_RULES } from "../prose/generate-summary.ts";
import { type AnyModel, MODEL } from "../prose/model-adapter.ts";
import { compactList } from "./compact-list.ts";
import { getLastCompactionEvent, logCompaction } from "./compaction-log.ts";

/** Result of `compact`. */
export interface CompactionResult {
  /** The shorter list in the format of the AI SDK; the whole list if nothing was compacted. */
  readonly compactedMessages: ModelMessage[];
  /** Numbers and summary of the compaction. Tokens are counted for `gpt-4o`. */
  readonly compactionEvent: {
    /** Number of the compaction, from 1; 0 if nothing was compacted. */
    readonly round: number;
    readonly tokensBefore: number;
    readonly tokensAfter: number;
    /** Text of the summary; empty if nothing was compacted. */
    readonly summaryContent: string;
    /** Ids of the messages that the summary replaces. */
    readonly compactedMessageIds: readonly string[];
  };
}

/** Options of `compact` and `safeCompact` beside the session and the model. */
export interface CompactMessagesOptions extends Omit<GenerateSummaryOptions, "ledger">, Partial<CompactionConfig> {
  /** Maximum size of the summary in tokens, ledger included. Default: 4,000, plus room for the user's own words. */
  readonly targetTokens?: number;
  /** Store of the session: `compact` continues its count of rounds, and `safeCompact` stores the compaction in it. */
  readonly store?: Store;
  /** Owner of the session in the store. Default: `"local"`. */
  readonly userId?: string;
  /** Receives a line per compaction, and warnings. Default: none; `safeCompact` writes failures to the console. */
  readonly logger?: Logger;
}

/** The session and the model of a compaction. */
interface ListCompaction {
  /** Prefix for the ids of the summary messages. */
  readonly sessionId: string;
  /** Writes the prose of the summary. Without a model, or if it fails, the summary is the ledger and an extract. */
  readonly model?: AnyModel | undefined;
}

/** Options of `compact` and `safeCompact`, with the session and the model. */
export interface ListCompactionOptions extends CompactMessagesOptions, ListCompaction {}

const COMPACT_RULES: OptionRules<CompactMessagesOptions> = {
  ...CONFIG_RULES,
  ...SUMMARY_RULES,
  targetTokens: ABOVE_ZERO,
  store: STORE,
  userId: TEXT,
  logger: LOGGER,
};

/** Tokenizer that counts here: the model that the messages are for is not known. */
const COUNTED_FOR = "gpt-4o";

/**
 * Compacts a list of messages once, for programs that keep their own messages: no session is needed. System messages,
 * the first request and the last ten messages stay verbatim; the rest is replaced by a summary with the ledger, a
 * record of requests, rules, files, commands and errors. Compacting the result again continues from that ledger. The
 * list stays as it is if there is nothing to replace, or if the result would not be smaller.
 *
 * @param messages The whole conversation, in the format of the AI SDK or Throughline's own.
 * @param options Session, model, size and focus of the summary, timeout, `recentMessagesToKeep` (default 10), and the
 *   `store` whose rounds go on.
 * @returns the shorter list and the numbers of the compaction; `round` is 0 if nothing was compacted.
 * @throws InvalidMessageError if a message cannot be converted.
 * @throws InvalidOptionError for unknown options, values of the wrong type and unknown profiles.
 * @throws the reason of `options.signal` if it is aborted while the model writes.
 *
 * @example
 * const { compactedMessages } = await compact(messages, { sessionId: "session-1", model, recentMessagesToKeep: 6 });
 */
export async function compact(
  messages: readonly (Message | ForeignModelMessage)[],
  options: ListCompactionOptions,
): Promise<CompactionResult>;
/**
 * Same with the session and the model as parameters.
 *
 * @param sessionId Prefix for the ids of the summary messages.
 * @param model Writes the prose of the summary; `undefined` for a summary by rules.
 */
export async function compact(
  messages: readonly (Message | ForeignModelMessage)[],
  sessionId: string,
  model: AnyModel | undefined,
  options?: CompactMessagesOptions,
): Promise<CompactionResult>;
export async function compact(
  messages: readonly (Message | ForeignModelMessage)[],
  sessionId: string | ListCompactionOptions,
  model?: AnyModel | undefined,
  options: CompactMessagesOptions = {},
): Promise<CompactionResult> {
  return compactMessages(messages, ...readArguments("compact", sessionId, model, options));
}

/** Session, model and the other options of a call in either form. */
function readArguments<O extends CompactMessagesOptions>(
  name: string,
  given: string | (O & ListCompaction),
  model: AnyModel | undefined,
  options: O,
): readonly [sessionId: string, model: AnyModel | undefined, options: O] {
  if (!isRecord(given)) return [given as string, model, options];
  const { sessionId, model: own, ...rest } = given as O & ListCompaction;
  checkOptions(name, { model: own }, { model: MODEL });
  checkId(name, sessionId);
  return [sessionId, own, rest as unknown as O];
}

async function compactMessages(
  messages: readonly (Message | ForeignModelMessage)[],
  sessionId: string,
  model: AnyModel | undefined,
  options: CompactMessagesOptions,
): Promise<CompactionResult> {
  checkOptions("compact", options, COMPACT_RULES);
  const { focus, signal, timeLimit, targetTokens, recentMessagesToKeep, store, userId, logger = QUIET } = options;
  const profile = findProfile(options.profile);
  const window = toRichWindow(messages);
  const last = store && (await getLastCompactionEvent(store, sessionId, { userId }));
  const compacted = await compactList(window, createTokenCounter(COUNTED_FOR, {}), LIST_POLICY, {
    ...{ sessionId, model, focus, signal, timeLimit, targetTokens, profile },
    rounds: last?.round,
    trigger: thresholdAbove(LIST_POLICY.minTrigger, options),
    keepMessages: recentMessagesToKeep ?? DEFAULT_CONFIG.recentMessagesToKeep,
  });
  const tokensBefore = countTotalTokens(window);
  if (compacted === undefined) return unchanged(messages, tokensBefore);
  const { round, summary, compactedMessageIds, withoutProse } = compacted.event;
  const legal = repairWindow(compacted.messages).messages;
  const tokensAfter = countTotalTokens(legal);
  // The repair of an illegal list may add more than the summary saves.
  if (tokensAfter >= tokensBefore) return unchanged(messages, tokensBefore);
  if (model !== undefined && withoutProse !== undefined) {
    logger.warn(`[Compaction] No summary by the model (${withoutProse}); using the ledger instead.`);
  }
  logger.info(
    `[Compaction] Round ${round}: ${tokensBefore} → ${tokensAfter} tokens (${compactedMessageIds.length} messages summarized)`,
  );
  return {
    compactedMessages: convertRichToModel(legal),
    compactionEvent: { round, tokensBefore, tokensAfter, summaryContent: summary, compactedMessageIds },
  };
}

/** The result if nothing is compacted. */
function unchanged(messages: readonly (Message | ForeignModelMessage)[], tokens: number): CompactionResult {
  const isModelMessages = messages.every((message) => !("parts" in message));
  return {
    compactedMessages: isModelMessages ? (messages as ModelMessage[]) : convertRichToModel(toRichWindow(messages)),
    compactionEvent: {
      round: 0,
      tokensBefore: tokens,
      tokensAfter: tokens,
      summaryContent: "",
      compactedMessageIds: [],
    },
  };
}

interface OnError {
  readonly onError?: (error: unknown) => void;
}

/** Writes warnings to stderr. Nothing goes to stdout, which some programs use for a protocol. */
const CONSOLE: Logger = { info: () => undefined, warn: (text) => console.error(text) };

/**
 * Same as `compact`, but a failed compaction does not throw: the given messages are returned, and the error goes to
 * `onError`, or else to the console. That includes options that `compact` refuses. With `options.store` it also stores
 * the compaction and marks the messages that the summary replaces.
 *
 * @param messages The whole conversation, in the format of the AI SDK or Throughline's own.
 * @param options Options of `compact`, and `onError`, which is called with the error of a failed compaction.
 * @throws InvalidOptionError if the options are no object, or `onError` or `logger` cannot be called.
 *
 * @example
 * const shorter = await safeCompact(messages, { sessionId: "session-1", model, onError: console.error });
 */
export async function safeCompact<M extends Message | ForeignModelMessage>(
  messages: readonly M[],
  options: ListCompactionOptions & OnError,
): Promise<(M | ModelMessage)[]>;
/**
 * Same with the session and the model as parameters.
 *
 * @param sessionId Prefix for the ids of the summary messages.
 * @param model Writes the prose of the summary; `undefined` for a summary by rules.
 */
export async function safeCompact<M extends Message | ForeignModelMessage>(
  messages: readonly M[],
  sessionId: string,
  model: AnyModel | undefined,
  options?: CompactMessagesOptions & OnError,
): Promise<(M | ModelMessage)[]>;
export async function safeCompact<M extends Message | ForeignModelMessage>(
  messages: readonly M[],
  sessionId: string | (ListCompactionOptions & OnError),
  model?: AnyModel | undefined,
  options: CompactMessagesOptions & OnError = {},
): Promise<(M | ModelMessage)[]> {
  const [session, summarizer, own] = readArguments("safeCompact", sessionId, model, options);
  const { onError, ...rest } = own;
  const { store, userId, logger = onError === undefined ? CONSOLE : QUIET } = rest;
  const listeners = isRecord(own) ? { onError, logger } : own;
  checkOptions("safeCompact", listeners, { onError: FUNCTION, logger: LOGGER });
  try {
    const { compactedMessages, compactionEvent } = await compactMessages(messages, session, summarizer, {
      ...rest,
      logger,
    });
    if (store !== undefined) await logCompaction(store, session, compactionEvent, { userId });
    return compactedMessages;
  } catch (error) {
    logger.warn(`[Compaction] Failed, continuing without compaction: ${messageOf(error)}`);
    onError?.(error);
    return messages as M[];
  }
}

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
