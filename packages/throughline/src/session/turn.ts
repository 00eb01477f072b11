import {
  ABOVE_ZERO,
  AT_LEAST_ZERO,
  CHECKED_LATER,
  checkOptions,
  FLAG,
  OBJECT,
  type OptionRules,
  TEXT,
} from "../errors/check-options.ts";
import { IrreducibleContextError } from "../errors/irreducible-context-error.ts";
import { yieldToEventLoop } from "../internal/yield-to-event-loop.ts";
import { convertRichToModel } from "../message/convert/ai-sdk.ts";
import type { ModelMessage } from "../message/convert/ai-sdk-types.ts";
import type { Message } from "../message/message.ts";
import { busy, MAX_TRIES } from "../ports/commit-session.ts";
import type { ContextSignals } from "../ports/context-signals.ts";
import type { Receipt } from "../receipt/receipt.ts";
import { failedReceipt, writeReceipt } from "../receipt/write-receipt.ts";
import type { BackgroundSummary } from "./background-summary.ts";
import { commitChanges } from "./commit-changes.ts";
import { compactTurn } from "./compact-session.ts";
import { pruneTurn } from "./prune-turn.ts";
import { type RecalledForTurn, recallForTurn, withMemories } from "./recall-for-turn.ts";
import type { Recaller } from "./session-deps.ts";
import type { SessionEmitter } from "./session-events.ts";
import { SessionLease } from "./session-lease.ts";
import type { SessionRepository } from "./session-repository.ts";
import { SummaryMeter } from "./summary-meter.ts";
import { type TrimmedTurn, trimTurn } from "./trim-turn.ts";
import { type TurnState, turnBudget } from "./turn-state.ts";

/** Options of `session.prepare`. */
export interface PrepareOptions {
  /** System prompt. Memories are appended to it. Default: none. */
  readonly system?: string;
  /** Maximum tokens of the whole request (default: the context limit without the output reserve). */
  readonly budget?: number;
  /** Maximum bytes of the whole request, images and files as base64. */
  readonly maxBytes?: number;
  /** Tokens of the tool definitions, which are sent besides the system prompt and the messages. */
  readonly toolTokens?: number;
  /** Adds matching memories to the system prompt; a function finds them instead of `tl.memory`. Default: `false`. */
  readonly memory?: boolean | Recaller;
  /** The current situation. With signals, memories are assembled in tiers: decisions, errors, predictions, conventions. */
  readonly signals?: ContextSignals;
  /** Tokens for memories, at most half of the budget (default: 500, or 8,000 with signals, at most a tenth of it). */
  readonly memoryBudget?: number;
  /** Text that memories have to match (default: the user's last message). */
  readonly message?: string;
  /**
   * Waits for the model's summary if a compaction is due and none is ready (default: `false`). Otherwise the summary is
   * written without a model then.
   */
  readonly waitForModel?: boolean;
  /** Aborts the preparation: `prepare` rejects with its reason. */
  readonly signal?: AbortSignal;
}

const PREPARE_RULES: OptionRules<PrepareOptions> = {
  system: TEXT,
  budget: ABOVE_ZERO,
  maxBytes: ABOVE_ZERO,
  toolTokens: AT_LEAST_ZERO,
  memory: [(value) => typeof value === "boolean" || typeof value === "function", "true, false or a function"],
  signals: CHECKED_LATER,
  memoryBudget: AT_LEAST_ZERO,
  message: TEXT,
  waitForModel: FLAG,
  signal: OBJECT,
};

/** A window that is ready to send, with its receipt. */
export interface PreparedTurn {
  /** Messages in the format of the AI SDK, ready to send. */
  readonly messages: ModelMessage[];
  /** The given system prompt, followed by memories. */
  readonly system: string;
  /** Estimates of the provider's input tokens, system prompt included, after each step. */
  readonly tokens: {
    readonly before: number;
    readonly afterPrune: number;
    readonly afterCompact: number;
    readonly final: number;
  };
  /** Whether this turn masked tool outputs. */
  readonly wasPruned: boolean;
  /** Whether this turn compacted the session. */
  readonly wasCompacted: boolean;
  /** Explains each token of the window. */
  readonly receipt: Receipt;
}

/** A prepared turn, with the window in Throughline's own form. */
export interface FinishedTurn extends PreparedTurn {
  readonly window: readonly Message[];
  /** Number of messages in the session. */
  readonly appended: number;
}

/** Everything that stays the same if the turn is planned again. */
export interface TurnRun {
  readonly repository: SessionRepository;
  readonly emitter: SessionEmitter;
  readonly lease: SessionLease;
  readonly summary: BackgroundSummary;
  readonly meter: SummaryMeter;
  readonly options: PrepareOptions & { readonly system: string };
  readonly recalled: RecalledForTurn | undefined;
  /** The window before this turn: its counted tokens, and the number of compactions. */
  readonly before: { readonly tokens: number; readonly rounds: number };
}

/**
 * Prepares the next turn of a session that was just loaded: recall, budget, prune, compact, trim, receipt, commit. If
 * another process changes the session between plan and commit, the turn is planned again.
 */
export async function prepareTurn(
  repository: SessionRepository,
  emitter: SessionEmitter,
  summary: BackgroundSummary,
  options: PrepareOptions,
): Promise<FinishedTurn> {
  checkOptions("session.prepare", options, PREPARE_RULES);
  options.signal?.throwIfAborted();
  const loaded = repository.snapshot();
  const recalled = options.memory ? await recallForTurn(loaded, options) : undefined;
  const system = withMemories(options.system, recalled?.block);
  const before = { tokens: loaded.counter.messages(loaded.window), rounds: loaded.state.rounds };
  const lease = new SessionLease(repository, options.signal);
  const meter = new SummaryMeter(loaded);
  const run = { repository, emitter, lease, summary, meter, recalled, before, options: { ...options, system } };
  try {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const turn = await attemptTurn(run);
      if (turn !== undefined) return turn;
    }
    throw busy("prepare a turn of", loaded.deps.sessionId);
  } finally {
    emitter.completeCompaction();
    await lease.release();
  }
}

/** Runs the stages of a turn and commits it; `undefined` if the session changed meanwhile. */
async function attemptTurn(run: TurnRun): Promise<FinishedTurn | undefined> {
  const { repository, options, recalled } = run;
  const snapshot = repository.snapshot();
  let turn: TurnState | undefined;
  try {
    turn = { ...snapshot, budget: turnBudget(options, snapshot) };
    await yieldToEventLoop();
    turn = await pruneTurn(turn, options);
    const afterPrune = turn.counter.messages(turn.window);
    const compacted = await compactTurn(turn, run);
    if (compacted === undefined) return undefined;
    turn = compacted;
    await yieldToEventLoop();
    const trimmed = trimTurn(turn);
    await yieldToEventLoop();
    const { asked: budget, overhead } = turn.budget;
    const rules = turn.state.ledger.constraints;
    const stored = await commitChanges(run, turn, writeReceipt({ ...trimmed, rules, recalled, budget, overhead }));
    run.summary.notePrepared({ tokens: turn.counter.messages(turn.window), trigger: turn.budget.trigger });
    return stored?.receipt && finishTurn(run, trimmed, afterPrune, stored.receipt);
  } catch (error) {
    if (!(error instanceof IrreducibleContextError)) throw error;
    const stored = await commitChanges(run, turn ?? {}, failedReceipt(error, snapshot.deps));
    if (stored === undefined) return undefined;
    throw error;
  }
}

function finishTurn(
  { options, before }: TurnRun,
  { counter, budget, window, state, pruned, fitted }: TrimmedTurn,
  afterPrune: number,
  receipt: Receipt,
): FinishedTurn {
  const providerTokens = (counted: number) => Math.ceil((counted + budget.overhead) * counter.factor);
  return {
    messages: convertRichToModel(fitted.messages),
    system: options.system,
    tokens: {
      before: providerTokens(before.tokens),
      afterPrune: providerTokens(afterPrune),
      afterCompact: providerTokens(counter.messages(window)),
      final: receipt.tokens,
    },
    wasPruned: pruned !== undefined,
    wasCompacted: state.rounds !== before.rounds,
    receipt,
    window: fitted.messages,
    appended: state.appended,
  };
}
