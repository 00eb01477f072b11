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
import type { ModelMessage } from "../message/convert/ai-sdk-types.ts";
import type { Message } from "../message/message.ts";
import { busy, MAX_TRIES } from "../ports/commit-session.ts";
import type { ContextSignals } from "../ports/context-signals.ts";
import type { Receipt } from "../receipt/receipt.ts";
import { failedReceipt, type ReceiptInput, writeReceipt } from "../receipt/write-receipt.ts";
import { type FittedWindow, fitWindow } from "../trim/fit-window.ts";
import { applyChanges } from "./apply-changes.ts";
import type { BackgroundSummary } from "./background-summary.ts";
import { compactTurn } from "./compact-session.ts";
import { pruneTurn } from "./prune-turn.ts";
import { type RecalledForTurn, recallForTurn, withMemories } from "./recall-for-turn.ts";
import type { Recaller } from "./session-deps.ts";
import type { SessionEmitter } from "./session-events.ts";
import type { SessionLease } from "./session-lease.ts";
import type { SessionRepository, SessionSnapshot } from "./session-repository.ts";
import { SummaryMeter } from "./summary-meter.ts";
import { type SessionChanges, type TurnState, turnBudget } from "./turn-state.ts";

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

/** The objects of one open session. */
export interface SessionParts {
  readonly repository: SessionRepository;
  readonly emitter: SessionEmitter;
  readonly lease: SessionLease;
  readonly summary: BackgroundSummary;
}

/** Everything that stays the same if the turn is planned again. */
export interface TurnRun extends SessionParts {
  readonly meter: SummaryMeter;
  readonly options: PrepareOptions & { readonly system: string };
  readonly recalled: RecalledForTurn | undefined;
}

/** A turn after all stages. */
interface PlannedTurn extends TurnState {
  /** The window after pruning. */
  readonly prunedWindow: readonly Message[];
  /** The window as it is sent. */
  readonly fitted: FittedWindow;
  readonly receipt: Omit<Receipt, "id">;
}

/** A turn whose window cannot fit, with its changes so far. */
interface FailedTurn extends SessionChanges {
  readonly error: IrreducibleContextError;
}

/** A turn that is stored: everything but its messages in the format of the AI SDK. */
type StoredTurn = Omit<PreparedTurn, "messages"> & Pick<PlannedTurn, "fitted" | "state">;

/**
 * Prepares the next turn of a session that was just loaded: recall, stages, commit. If another process changes the
 * session between plan and commit, the turn is planned again. The caller releases the lease of a compaction.
 */
export async function prepareTurn(session: SessionParts, options: PrepareOptions): Promise<StoredTurn> {
  checkOptions("session.prepare", options, PREPARE_RULES);
  options.signal?.throwIfAborted();
  const { repository, emitter, lease, summary } = session;
  const loaded = await repository.snapshot();
  const recalled = options.memory ? await recallForTurn(loaded, options) : undefined;
  const system = withMemories(options.system, recalled?.block);
  const meter = new SummaryMeter(loaded);
  const run = { ...session, meter, recalled, options: { ...options, system } };
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const turn = await planTurn(tries === 0 ? loaded : await repository.snapshot(), run);
    if (turn === undefined) continue;
    const stored = await repository.commit((state) => applyChanges({ ...turn, meter }, state));
    if (stored?.receipt === undefined) {
      // Another process undid a compaction, or compacted because this one lost its lease. The next attempt takes a new one.
      await lease.release();
      continue;
    }
    const { receipt } = stored;
    await emitter.report(turn, receipt);
    if ("error" in turn) throw turn.error;
    const { counter, budget, window, prunedWindow, fitted, state, pruned, compaction } = turn;
    summary.notePrepared({ tokens: counter.messages(window), trigger: budget.trigger });
    const [before = 0, afterPrune = 0, afterCompact = 0] = [loaded.window, prunedWindow, window].map((messages) =>
      Math.ceil((counter.messages(messages) + budget.overhead) * counter.factor),
    );
    const tokens = { before, afterPrune, afterCompact, final: receipt.tokens };
    const wasCompacted = compaction !== undefined || state.rounds !== loaded.state.rounds;
    return { system, tokens, wasPruned: pruned !== undefined, wasCompacted, receipt, fitted, state };
  }
  throw busy("prepare a turn of", repository.key.sessionId);
}

/**
 * Runs the stages of a turn: budget, prune, compact, trim, receipt. Nothing is stored.
 *
 * @returns `undefined` if another process changed the session before this one had the lease for a compaction.
 */
async function planTurn(snapshot: SessionSnapshot, run: TurnRun): Promise<PlannedTurn | FailedTurn | undefined> {
  const { options, recalled } = run;
  let turn: TurnState | undefined;
  try {
    turn = { ...snapshot, budget: turnBudget(options, snapshot) };
    await yieldToEventLoop();
    turn = await pruneTurn(turn, options);
    const { window: prunedWindow } = turn;
    const compacted = await compactTurn(turn, run);
    if (compacted === undefined) return undefined;
    turn = compacted;
    await yieldToEventLoop();
    const { window, budget, counter, deps } = turn;
    const origin = originOf(turn);
    const fitted = fitWindow(window.map(withoutStepMarks), budget, { ...deps, ...origin, counter });
    await yieldToEventLoop();
    const rules = turn.state.ledger.constraints;
    const { asked, overhead } = budget;
    const receipt = writeReceipt({ ...turn, ...origin, fitted, rules, recalled, budget: asked, overhead });
    return { ...turn, prunedWindow, fitted, receipt };
  } catch (error) {
    if (!(error instanceof IrreducibleContextError)) throw error;
    return { ...turn, error, receipt: failedReceipt(error, snapshot.deps) };
  }
}

/** Marks of steps are not sent, so they take no room and are not on the receipt. */
function withoutStepMarks(message: Message): Message {
  const parts = message.parts.filter(({ type }) => type !== "step-start");
  if (parts.length === message.parts.length) return message;
  const { tokens: _, ...rest } = message;
  return { ...rest, parts };
}

/** Finds the appended messages behind messages of the sent window: a repair may have joined turns or moved results. */
function originOf({ window, state, sources, compaction }: TurnState): Pick<ReceiptInput, "latest" | "sourcesOf"> {
  const entry = state.entries.findLast((one) => "event" in one);
  const latest = compaction?.event ?? (entry && "event" in entry ? sources.events.get(entry.event) : undefined);
  const standIns = new Set(latest?.standIns.map(({ id }) => id));
  const places = new Map<string, number>();
  window.forEach(({ id, parts }, place) => {
    if (!standIns.has(id)) for (const part of parts) places.set(part.id, place);
  });
  const sourcesOf = (messages: readonly Message[]) => {
    const found = messages.flatMap(({ parts }) => parts.flatMap((part) => places.get(part.id) ?? []));
    return [...new Set(found)].sort((a, b) => a - b).flatMap((place) => window[place]?.id ?? []);
  };
  return { latest, sourcesOf };
}
