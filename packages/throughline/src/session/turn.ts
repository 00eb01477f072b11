import { InvalidOptionError } from "../errors/invalid-option-error.ts";
import { IrreducibleContextError } from "../errors/irreducible-context-error.ts";
import { yieldToEventLoop } from "../internal/yield-to-event-loop.ts";
import { convertRichToModel } from "../message/convert/ai-sdk.ts";
import type { ModelMessage } from "../message/convert/ai-sdk-types.ts";
import type { Message } from "../message/message.ts";
import { calculateThreshold } from "../overflow/check-overflow.ts";
import type { ContextSignals } from "../ports/context-signals.ts";
import type { Receipt } from "../receipt/receipt.ts";
import { countTotalBytes } from "../tokens/count-bytes.ts";
import type { TrimOptions } from "../trim/trim-options.ts";
import { type FittedWindow, fitWindow } from "./fit-window.ts";
import { recallForTurn, withMemories } from "./recall-for-turn.ts";
import type { Recaller, SessionContext, Tally } from "./session-context.ts";
import type { CompactionEvent } from "./session-state.ts";
import { writeReceipt } from "./write-receipt.ts";

export interface PrepareOptions {
  readonly system?: string;
  /** Tokens for everything that is sent; by default what the model takes beside its reply. */
  readonly budget?: number;
  /** Bytes for everything that is sent, images and files as base64. */
  readonly maxBytes?: number;
  /** Tokens of what is sent beside the system prompt and the messages: the definitions of tools. */
  readonly toolTokens?: number;
  /** Puts what is remembered and fits into the system prompt, or what this finds. */
  readonly memory?: boolean | Recaller;
  /** What is going on. With it, memories are assembled in tiers: decisions, errors, predictions, conventions, an index. */
  readonly signals?: ContextSignals;
  /** Tokens for memories, at most half of the budget; else 500, or 8,000 with signals, and at most a tenth of it. */
  readonly memoryBudget?: number;
  /** What memories have to fit; the last thing that the user said, where nothing is given. */
  readonly message?: string;
  readonly signal?: AbortSignal;
}

export interface PreparedTurn {
  /** Ready to send with the AI SDK. */
  readonly messages: ModelMessage[];
  /** What was given, and the memories behind it. */
  readonly system: string;
  readonly tokens: {
    readonly before: number;
    readonly afterPrune: number;
    readonly afterCompact: number;
    readonly final: number;
  };
  readonly wasPruned: boolean;
  readonly wasCompacted: boolean;
  readonly receipt: Receipt;
}

/** How many tokens a turn may have, in ours, and when something is done about them. */
export interface TurnBudget {
  /** What the caller asked for, in the provider's tokens. */
  readonly asked: number;
  /** For the messages, in ours. */
  readonly messages: number;
  /** Bytes for the messages. */
  readonly bytes: number;
  readonly trigger: number;
}

/** What a turn does to a session, step by step; the session stores what comes of it. */
export interface TurnSteps {
  window(): Message[];
  /** The latest compaction in the window. */
  latest(): CompactionEvent | undefined;
  prune(budget: TurnBudget): Promise<boolean>;
  compact(budget: TurnBudget, signal: AbortSignal | undefined): Promise<boolean>;
}

/** Tokens that a request costs beside its parts. */
const REQUEST_TOKENS = 8;

/**
 * A pruning is enough where it leaves at most this share of the trigger. Otherwise a compaction would soon follow, and
 * one break of the prompt cache is cheaper than two.
 */
const ENOUGH = 0.5;

/** A turn whose receipt has no number yet. */
export interface UnnumberedTurn extends Omit<PreparedTurn, "receipt"> {
  /** The messages in Throughline's own form. */
  readonly window: readonly Message[];
  readonly receipt: Omit<Receipt, "id">;
}

/** The way of a turn, from top to bottom. */
export async function prepareTurn(
  steps: TurnSteps,
  options: PrepareOptions,
  context: SessionContext,
  tally: Tally,
): Promise<UnnumberedTurn> {
  const recalled = await recallForTurn(steps.window(), options, context, tally);
  const system = withMemories(options.system, recalled?.block);
  const budget = turnBudget({ ...options, system }, context, tally);
  const sizeNow = () => tally.messages(steps.window());
  const dueNow = () => tightened(budget, steps.window(), tally);

  await yieldToEventLoop();
  const before = sizeNow();
  const wasPruned = before > dueNow().trigger && (await steps.prune(dueNow()));
  const afterPrune = sizeNow();
  const due = dueNow().trigger * (wasPruned ? ENOUGH : 1);
  const wasCompacted = afterPrune > due && (await steps.compact(dueNow(), options.signal));
  const afterCompact = sizeNow();
  await yieldToEventLoop();

  const window = steps.window();
  const latest = steps.latest();
  const sourcesOf = sourcesIn(window, latest);
  const fitted = fitTurn(window, sourcesOf, budget, context, tally);
  await yieldToEventLoop();
  const overhead = fixedTokens({ ...options, system }, tally);
  const inProviderTokens = (own: number) => Math.ceil((own + overhead) * tally.factor);
  const counted = tally.messages(fitted.messages) + overhead;
  const final = Math.ceil(counted * tally.factor);
  const receipt = writeReceipt({
    ...fitted,
    window,
    latest,
    sourcesOf,
    overhead,
    recalled,
    budget: budget.asked,
    counted,
    context,
    tally,
  });
  return {
    messages: convertRichToModel(fitted.messages),
    window: fitted.messages,
    system,
    tokens: {
      before: inProviderTokens(before),
      afterPrune: inProviderTokens(afterPrune),
      afterCompact: inProviderTokens(afterCompact),
      final,
    },
    wasPruned,
    wasCompacted,
    receipt,
  };
}

/** Where bytes are what is too much, as many fewer tokens are allowed: they leave together. */
function tightened(budget: TurnBudget, window: readonly Message[], tally: Tally): TurnBudget {
  if (budget.bytes === Number.POSITIVE_INFINITY) return budget;
  const bytes = countTotalBytes(window);
  if (bytes <= budget.bytes) return budget;
  const trigger = Math.floor(tally.messages(window) * (budget.bytes / bytes)) - 1;
  return { ...budget, trigger: Math.min(budget.trigger, Math.max(1, trigger)) };
}

/** What a request costs beside its messages. */
function fixedTokens({ system = "", toolTokens = 0 }: PrepareOptions, tally: Tally): number {
  return tally.text(system) + REQUEST_TOKENS + toolTokens;
}

export function turnBudget(options: PrepareOptions, context: SessionContext, tally: Tally): TurnBudget {
  const { contextLimit, outputReserve, config } = context;
  const asked = options.budget ?? contextLimit - outputReserve;
  if (!(asked > 0)) throw new InvalidOptionError("budget", asked, "a number of tokens above 0");
  const maxBytes = options.maxBytes ?? config.maxBytes ?? Number.POSITIVE_INFINITY;
  if (!(maxBytes > 0)) throw new InvalidOptionError("maxBytes", maxBytes, "a number of bytes above 0");
  const fixed = fixedTokens(options, tally);
  const messages = Math.floor(asked / tally.factor) - fixed;
  const bytes = maxBytes - new TextEncoder().encode(options.system ?? "").length;
  if (messages <= 0 || bytes <= 0) {
    const tokens = Math.ceil(fixed * tally.factor);
    const what = bytes > 0 ? "the system prompt" : `the system prompt, more than ${maxBytes} bytes`;
    throw new IrreducibleContextError(asked, tokens, [{ what, tokens }]);
  }
  const threshold = calculateThreshold({ ...config, modelContextLimit: contextLimit, outputReserve });
  const due = options.budget ?? Math.min(asked, threshold);
  // A huge system prompt must not make every conversation too long.
  const trigger = Math.max(Math.floor(messages / 2), Math.floor(due / tally.factor) - fixed);
  return { asked, messages, bytes, trigger: Math.min(messages, trigger) };
}

type SourcesOf = NonNullable<TrimOptions["sourcesOf"]>;

/** An error speaks of the budget that the caller gave, not of what is left of it here. */
function fitTurn(
  window: readonly Message[],
  sourcesOf: SourcesOf,
  { asked, messages, bytes }: TurnBudget,
  { logger }: SessionContext,
  tally: Tally,
): FittedWindow {
  const counts = { count: tally.text, tokensOf: tally.part, messageTokens: tally.message, sourcesOf };
  try {
    return fitWindow(window, { tokens: messages, bytes }, counts, logger);
  } catch (error) {
    if (!(error instanceof IrreducibleContextError)) throw error;
    const taken = asked - Math.floor(error.budget * tally.factor);
    throw new IrreducibleContextError(asked, taken + Math.ceil(error.tokens * tally.factor), error.parts);
  }
}

/** The messages of the history that some of the legal window are made of: turns may have been joined, results moved. */
function sourcesIn(window: readonly Message[], latest: CompactionEvent | undefined): SourcesOf {
  const standIns = new Set(latest?.standIns.map(({ id }) => id));
  const places = new Map<string, number>();
  window.forEach(({ id, parts }, place) => {
    if (!standIns.has(id)) for (const part of parts) places.set(part.id, place);
  });
  return (messages) => {
    const found = messages.flatMap(({ parts }) => parts.flatMap((part) => places.get(part.id) ?? []));
    return [...new Set(found)].sort((a, b) => a - b).flatMap((place) => window[place]?.id ?? []);
  };
}
