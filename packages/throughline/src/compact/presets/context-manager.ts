import { CHECKED_LATER, checkOptions, LOGGER, OBJECT, type OptionRules } from "../../errors/check-options.ts";
import { omitUndefined } from "../../internal/json.ts";
import { convertRichToModel } from "../../message/convert/ai-sdk.ts";
import type { ModelMessage } from "../../message/convert/ai-sdk-types.ts";
import type { Message } from "../../message/message.ts";
import { checkOverflow, type OverflowCheckResult } from "../../overflow/check-overflow.ts";
import {
  CONFIG_RULES,
  type CompactionConfig,
  DEFAULT_COMPACTION_CONFIG,
  NEAR_LIMIT,
} from "../../overflow/compaction-config.ts";
import { type Logger, QUIET } from "../../ports/logger.ts";
import { pruneToolOutputs } from "../../prune/prune-tool-outputs.ts";
import { countTotalTokens } from "../../tokens/count-message.ts";
import { getContextLimit, getModelLimits, type ModelLimitsOptions, modelFamily } from "../../tokens/model-limits.ts";
import { createTokenCounter } from "../../tokens/token-counter.ts";
import { fitWindow } from "../../trim/fit-window.ts";
import { CONTEXT_MANAGER_POLICY } from "../policy.ts";
import { findProfile, type ProfileName, type SummaryProfile } from "../profiles.ts";
import { type AnyModel, MODEL } from "../prose/model-adapter.ts";
import { extractToolNames, type WorkingContext } from "../working-context.ts";
import { type CompactedList, compactList } from "./compact-list.ts";

/** Result of `ContextManager.prepareContext`. */
export interface ContextPrepareResult {
  /** Messages that fit the model. */
  readonly messages: readonly Message[];
  /** True if tool outputs were masked. */
  readonly wasPruned: boolean;
  /** True if messages were replaced by a summary. */
  readonly wasCompacted: boolean;
  /** Tokens after each step. */
  readonly tokens: {
    readonly before: number;
    readonly afterPrune: number;
    readonly afterCompact: number;
    readonly final: number;
  };
  /** Numbers for logs. `removedTools`: tools whose outputs were masked, and tools that the working context dropped. */
  readonly debug: {
    readonly prunedOutputs: number;
    readonly compactedMessages: number;
    readonly removedTools: readonly string[];
  };
}

/** Options of `new ContextManager`, in addition to thresholds and limits. */
export interface ContextManagerOptions extends Partial<CompactionConfig> {
  /** Writes the prose of summaries. Default: summaries by rules. */
  readonly model?: AnyModel;
  /** Sections of summaries. Default: `coding`. */
  readonly profile?: ProfileName | SummaryProfile;
  /** Tools that the agent discovered. A compaction drops those that the messages no longer name. */
  readonly workingContext?: WorkingContext;
  /** Receives warnings and notes. Default: none. */
  readonly logger?: Logger;
}

const MANAGER_RULES: OptionRules<ContextManagerOptions> = {
  ...CONFIG_RULES,
  model: MODEL,
  profile: CHECKED_LATER,
  workingContext: OBJECT,
  logger: LOGGER,
};

/**
 * Keeps a list of messages within the context of a model: detects overflow, masks old tool outputs, compacts and trims.
 * For programs that keep their own messages; a `Session` does the same and also stores the history.
 *
 * @example
 * const manager = new ContextManager({ model, outputReserve: 8_000 });
 * const { messages } = await manager.prepareContext(history, "claude-sonnet-4-5");
 */
export class ContextManager {
  readonly #config: CompactionConfig;
  readonly #options: ContextManagerOptions;
  readonly #profile: SummaryProfile;
  readonly #logger: Logger;

  /**
   * @param options Model, profile, and thresholds in place of `DEFAULT_COMPACTION_CONFIG`. Tokens for the reply by
   *   default: 4,096, at most half of the context limit.
   * @throws InvalidOptionError for unknown options, values of the wrong type and unknown profiles.
   */
  constructor(options: ContextManagerOptions = {}) {
    checkOptions("ContextManager", options, MANAGER_RULES);
    const { model: _, profile, workingContext: __, logger, ...config } = options;
    this.#options = options;
    this.#profile = findProfile(profile);
    this.#logger = logger ?? QUIET;
    this.#config = { ...DEFAULT_COMPACTION_CONFIG, ...omitUndefined(config) };
  }

  /**
   * Checks whether messages exceed the context limit of a model without the reserve for its reply.
   *
   * @param messages The whole conversation.
   * @param modelId Model that the messages are for. `modelContextLimit` of the options replaces its known limit.
   *
   * @example
   * const { isOverflow, availableTokens } = new ContextManager().checkOverflow(messages, "gpt-4o");
   */
  checkOverflow(messages: readonly Message[], modelId: string): OverflowCheckResult {
    const { maxBytes } = this.#config;
    const limits = this.#limits(modelId);
    return checkOverflow(messages, modelId, this.#reserve(modelId), omitUndefined({ maxBytes, ...limits }));
  }

  /**
   * Prepares messages for a model call. Without an overflow they are returned unchanged. Otherwise old tool outputs are
   * masked; if that is not enough, older messages are summarized; as a last resort the middle is dropped.
   *
   * @param messages The whole conversation. The list is not changed.
   * @param modelId Model that the messages are for.
   * @throws IrreducibleContextError if the parts that must stay are larger than the context limit.
   *
   * @example
   * const { messages, wasCompacted } = await new ContextManager({ model }).prepareContext(history, "gpt-4o");
   */
  async prepareContext(messages: readonly Message[], modelId: string): Promise<ContextPrepareResult> {
    const count = (list: readonly Message[]) => countTotalTokens(list, { modelId });
    const before = count(messages);
    this.#warnIfNearLimit(before, modelId);
    if (!this.checkOverflow(messages, modelId).isOverflow) return unchanged(messages, before);

    const pruned = pruneToolOutputs(messages, this.#config, { modelId });
    const afterPrune = count(pruned.messages);
    const compacted = this.checkOverflow(pruned.messages, modelId).isOverflow
      ? await this.#compact(pruned.messages, modelId)
      : undefined;
    const final = this.#fit(compacted?.messages ?? pruned.messages, modelId);
    const { workingContext } = this.#options;
    const removedTools = (compacted && workingContext?.syncDiscoveredTools(extractToolNames(final))) ?? [];
    const afterCompact = count(final);
    this.#logger.info(`Prepared the context: ${before} → ${afterPrune} → ${afterCompact} tokens.`);
    return {
      messages: final,
      wasPruned: pruned.outputsPruned > 0,
      wasCompacted: compacted !== undefined,
      tokens: { before, afterPrune, afterCompact, final: afterCompact },
      debug: {
        prunedOutputs: pruned.outputsPruned,
        compactedMessages: compacted?.event.compactedMessageIds.length ?? 0,
        removedTools: [...new Set([...pruned.prunedTools, ...removedTools])],
      },
    };
  }

  /**
   * Converts messages to the format of the AI SDK.
   *
   * @param messages Messages from `prepareContext`.
   *
   * @example
   * const manager = new ContextManager();
   * const prompt = manager.toModelMessages((await manager.prepareContext(history, "gpt-4o")).messages);
   */
  toModelMessages(messages: readonly Message[]): ModelMessage[] {
    return convertRichToModel(messages);
  }

  #compact(messages: readonly Message[], modelId: string): Promise<CompactedList | undefined> {
    const { model, recentMessagesToKeep } = this.#options;
    return compactList(messages, createTokenCounter(modelId, {}), CONTEXT_MANAGER_POLICY, {
      model,
      profile: this.#profile,
      trigger: this.#roomFor(messages, modelId),
      keepMessages: recentMessagesToKeep,
      minTurns: this.#config.minTurnsToKeep,
    });
  }

  /** @throws IrreducibleContextError if nothing makes the messages fit. */
  #fit(messages: readonly Message[], modelId: string): readonly Message[] {
    const counter = createTokenCounter(modelId, {});
    const tokens = Math.floor(this.#usable(modelId) / counter.factor);
    const budget = { tokens, bytes: this.#config.maxBytes ?? Number.POSITIVE_INFINITY };
    // Other models may be served by any provider.
    const provider = modelFamily(modelId) === "openai" ? "openai" : undefined;
    return fitWindow(messages, budget, { counter, logger: this.#logger, provider }).messages;
  }

  /** Tokens for a compacted window; fewer in proportion if the messages have too many bytes. */
  #roomFor(messages: readonly Message[], modelId: string): number {
    const usable = this.#usable(modelId);
    const { currentTokens, bytes } = this.checkOverflow(messages, modelId);
    if (bytes === undefined || bytes.current <= bytes.limit) return usable;
    return Math.min(usable, Math.floor((currentTokens * bytes.limit) / bytes.current));
  }

  #usable(modelId: string): number {
    return getContextLimit(modelId, this.#limits(modelId)) - this.#reserve(modelId);
  }

  #reserve(modelId: string): number {
    const contextLimit = getContextLimit(modelId, this.#limits(modelId));
    return this.#options.outputReserve ?? Math.min(this.#config.outputReserve, Math.floor(contextLimit / 2));
  }

  /** A limit set by the caller overrides the known limit of the model. */
  #limits(modelId: string): ModelLimitsOptions {
    const { modelContextLimit: contextLimit } = this.#options;
    return contextLimit === undefined ? {} : { overrides: { [modelId]: { contextLimit } } };
  }

  #warnIfNearLimit(tokens: number, modelId: string): void {
    const { warning } = getModelLimits(modelId, this.#limits(modelId));
    if (warning !== undefined) this.#logger.warn(warning);
    const usable = this.#usable(modelId);
    if (tokens > usable * NEAR_LIMIT) this.#logger.warn(`${tokens} of ${usable} usable tokens are in use.`);
  }
}

function unchanged(messages: readonly Message[], tokens: number): ContextPrepareResult {
  return {
    messages,
    wasPruned: false,
    wasCompacted: false,
    tokens: { before: tokens, afterPrune: tokens, afterCompact: tokens, final: tokens },
    debug: { prunedOutputs: 0, compactedMessages: 0, removedTools: [] },
  };
}
