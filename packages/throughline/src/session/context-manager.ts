import { codingProfile } from "../compact/profiles/coding.ts";
import type { SummaryProfile } from "../compact/profiles/profile.ts";
import type { AnyModel } from "../compact/to-model.ts";
import { omitUndefined } from "../internal/json.ts";
import { convertRichToModel } from "../message/convert/ai-sdk.ts";
import type { ModelMessage } from "../message/convert/ai-sdk-types.ts";
import type { Message } from "../message/message.ts";
import type { Part } from "../message/part.ts";
import { checkOverflow, type OverflowCheckResult } from "../overflow/check-overflow.ts";
import { type CompactionConfig, DEFAULT_COMPACTION_CONFIG } from "../overflow/compaction-config.ts";
import { type Logger, QUIET } from "../ports/logger.ts";
import { needsPruning, pruneToolOutputs } from "../prune/prune-tool-outputs.ts";
import { countMessageTokens, countPartTokens, countTotalTokens } from "../tokens/count-message.ts";
import { counterFor } from "../tokens/count-tokens.ts";
import { getContextLimit, getModelLimits, type ModelLimitsOptions } from "../tokens/model-limits.ts";
import { compactList } from "./compact-list.ts";
import { fitWindow } from "./fit-window.ts";
import { createTally, NEAR } from "./session-context.ts";
import { extractToolNames, type WorkingContext } from "./working-context.ts";

export interface ContextPrepareResult {
  readonly messages: readonly Message[];
  readonly wasPruned: boolean;
  readonly wasCompacted: boolean;
  readonly tokens: {
    readonly before: number;
    readonly afterPrune: number;
    readonly afterCompact: number;
    readonly final: number;
  };
  readonly debug: {
    readonly prunedOutputs: number;
    readonly compactedMessages: number;
    readonly removedTools: readonly string[];
  };
}

export interface ContextManagerOptions extends Partial<CompactionConfig> {
  readonly model?: AnyModel;
  readonly profile?: SummaryProfile;
  readonly workingContext?: WorkingContext;
  readonly logger?: Logger;
}

/** What a compaction leaves of the room, and what it must win. */
const SUMMARY_TOKENS = 3_000;
const SUMMARY_SHARE = 0.3;
const TAIL_SHARE = 0.4;
/** The last turns stay whole where they take no more than this share. */
const TURNS_SHARE = 0.6;
const MIN_WIN = 0.1;
const OUTPUT_RESERVE = 4_096;

/** Overflow, pruning and compaction over a list of messages that somebody else keeps. */
export class ContextManager {
  readonly #config: CompactionConfig;
  readonly #options: ContextManagerOptions;
  readonly #logger: Logger;

  constructor(options: ContextManagerOptions = {}) {
    const { model: _, profile: __, workingContext: ___, logger, ...config } = options;
    this.#options = options;
    this.#logger = logger ?? QUIET;
    this.#config = { ...DEFAULT_COMPACTION_CONFIG, ...config };
  }

  checkOverflow(messages: readonly Message[], modelId: string): OverflowCheckResult {
    const { maxBytes } = this.#config;
    const limits = this.#limits(modelId);
    return checkOverflow(messages, modelId, this.#reserve(modelId), omitUndefined({ maxBytes, ...limits }));
  }

  /** Checks before the model is called: prunes if it overflows, and compacts if that was not enough. */
  async prepareContext(messages: readonly Message[], modelId: string): Promise<ContextPrepareResult> {
    const count = (list: readonly Message[]) => countTotalTokens(list, { modelId });
    const before = count(messages);
    this.#tellIfNear(before, modelId);
    if (!this.checkOverflow(messages, modelId).isOverflow) return unchanged(messages, before);

    const pruned = needsPruning(messages, this.#config, { modelId })
      ? pruneToolOutputs(messages, this.#config, { modelId })
      : { messages, outputsPruned: 0, prunedTools: [] };
    const afterPrune = count(pruned.messages);
    const compacted = this.checkOverflow(pruned.messages, modelId).isOverflow
      ? await this.#compact(pruned.messages, modelId)
      : undefined;
    const final = this.#fit(compacted?.messages ?? pruned.messages, modelId);
    const gone = compacted ? this.#options.workingContext?.syncDiscoveredTools(extractToolNames(final)) : undefined;
    const afterCompact = count(final);
    this.#logger.info(`Prepared: ${before} → ${afterPrune} → ${afterCompact} tokens.`);
    return {
      messages: final,
      wasPruned: pruned.outputsPruned > 0,
      wasCompacted: compacted !== undefined,
      tokens: { before, afterPrune, afterCompact, final: afterCompact },
      debug: {
        prunedOutputs: pruned.outputsPruned,
        compactedMessages: compacted?.removed ?? 0,
        removedTools: gone ?? pruned.prunedTools,
      },
    };
  }

  toModelMessages(messages: readonly Message[]): ModelMessage[] {
    return convertRichToModel(messages);
  }

  async #compact(
    messages: readonly Message[],
    modelId: string,
  ): Promise<{ messages: readonly Message[]; removed: number } | undefined> {
    const { model, profile = codingProfile, recentMessagesToKeep } = this.#options;
    const { minTurnsToKeep } = this.#config;
    const tally = createTally(modelId, {});
    const room = this.#roomFor(messages, modelId);
    const compacted = await compactList(
      messages,
      {
        targetTokens: Math.min(SUMMARY_TOKENS, Math.floor(room * SUMMARY_SHARE)),
        keep:
          recentMessagesToKeep === undefined
            ? {
                tokens: Math.floor(room * TAIL_SHARE),
                turns: minTurnsToKeep,
                most: Math.floor(room * TURNS_SHARE),
              }
            : { messages: recentMessagesToKeep },
      },
      {
        sessionId: messages[0]?.sessionId ?? "",
        clock: { now: () => Date.now() },
        model,
        profile,
        timeLimit: undefined,
      },
      tally,
    );
    if (compacted === undefined) return undefined;
    const { event } = compacted;
    if (event.tokensAfter > event.tokensBefore * (1 - MIN_WIN)) return undefined;
    return { messages: compacted.messages, removed: event.compactedMessageIds.length };
  }

  /** @throws IrreducibleContextError where nothing makes it fit. */
  #fit(messages: readonly Message[], modelId: string): readonly Message[] {
    const counter = counterFor(modelId);
    const options = { modelId, counter };
    const counts = {
      count: (text: string) => counter.count(text),
      tokensOf: (part: Part) => countPartTokens(part, options),
      messageTokens: (message: Message) => countMessageTokens(message, options),
    };
    const room = { tokens: this.#usable(modelId), bytes: this.#config.maxBytes ?? Number.POSITIVE_INFINITY };
    return fitWindow(messages, room, counts, this.#logger).messages;
  }

  /** Tokens for a compacted window. Where bytes are what is too much, as many fewer: they leave together. */
  #roomFor(messages: readonly Message[], modelId: string): number {
    const usable = this.#usable(modelId);
    const { currentTokens, bytes } = this.checkOverflow(messages, modelId);
    if (bytes === undefined || bytes.current <= bytes.limit) return usable;
    return Math.min(usable, Math.floor((currentTokens * bytes.limit) / bytes.current));
  }

  #usable(modelId: string): number {
    return getContextLimit(modelId, this.#limits(modelId)) - this.#reserve(modelId);
  }

  /** Tokens for the reply. What nobody asked for takes no more than half of a small window. */
  #reserve(modelId: string): number {
    const contextLimit = getContextLimit(modelId, this.#limits(modelId));
    return this.#options.outputReserve ?? Math.min(OUTPUT_RESERVE, Math.floor(contextLimit / 2));
  }

  /** A limit that was given wins over what is known of the model. */
  #limits(modelId: string): ModelLimitsOptions {
    const { modelContextLimit: contextLimit } = this.#options;
    return contextLimit === undefined ? {} : { overrides: { [modelId]: { contextLimit } } };
  }

  #tellIfNear(tokens: number, modelId: string): void {
    const { warning } = getModelLimits(modelId, this.#limits(modelId));
    if (warning !== undefined) this.#logger.warn(warning);
    const usable = this.#usable(modelId);
    if (tokens > usable * NEAR) this.#logger.warn(`${tokens} of ${usable} usable tokens are taken.`);
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
