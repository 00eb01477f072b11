import { editedParts } from "../compact/edited-parts.ts";
import { SESSION_POLICY } from "../compact/policy.ts";
import type { CompactionEvent } from "../compact/window.ts";
import { checkOptions } from "../errors/check-options.ts";
import { InvalidOptionError } from "../errors/input-errors.ts";
import { IrreducibleContextError } from "../errors/session-errors.ts";
import { yieldToEventLoop } from "../internal/yield-to-event-loop.ts";
import type { Message } from "../message/message.ts";
import type { Part } from "../message/part.ts";
import { withChangedParts } from "../message/repair/repair.ts";
import { busy, MAX_TRIES } from "../ports/store.ts";
import { pruneToolOutputs } from "../prune/prune-tool-outputs.ts";
import { type ReceiptDraft, toReceipt } from "../receipt/receipt.ts";
import { failedReceipt, type ReceiptInput, writeReceipt } from "../receipt/write-receipt.ts";
import { countTotalBytes } from "../tokens/count-bytes.ts";
import { counterFor } from "../tokens/count-tokens.ts";
import { REQUEST_TOKENS } from "../tokens/token-counter.ts";
import { type FittedWindow, fitWindow } from "../trim/fit-window.ts";
import {
  type BackgroundSummary,
  loadPlanning,
  NOT_READY,
  proseFor,
  SummaryMeter,
  summariesSpent,
} from "./background-summary.ts";
import { type RecalledForTurn, recallForTurn } from "./recall-for-turn.ts";
import { type SessionEmitter, withSessionSpan } from "./session-events.ts";
import { PREPARE_RULES, type PreparedTurn, type PrepareOptions } from "./session-options.ts";
import type { SessionLease } from "./state/session-lease.ts";
import type { SessionRepository, SessionSnapshot } from "./state/session-repository.ts";
import type { SessionChanges } from "./state/session-state.ts";

/** The objects of one open session. */
export interface SessionParts {
  readonly repository: SessionRepository;
  readonly emitter: SessionEmitter;
  readonly lease: SessionLease;
  readonly summary: BackgroundSummary;
}

/**
 * A turn between two stages: the session with the changes of the turn so far. A stage returns a new one; nothing is
 * stored before the commit at the end, which makes the changes on the stored state.
 */
interface TurnState extends SessionSnapshot, Pick<SessionChanges, "pruned" | "compaction"> {
  readonly budget: TurnBudget;
  /** Why a compaction that is due does not run. */
  readonly paused?: string;
}

/** Everything that stays the same if the turn is planned again. */
interface TurnRun extends SessionParts {
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
  readonly receipt: ReceiptDraft;
}

/** A turn whose window cannot fit, with its changes so far. */
interface FailedTurn extends SessionChanges {
  readonly error: IrreducibleContextError;
}

/** A turn that is stored: everything but its messages in the format of the AI SDK. */
type StoredTurn = Omit<PreparedTurn, "messages"> & Pick<PlannedTurn, "fitted" | "state">;

/**
 * Prepares the next turn of a session that was just loaded: recall, stages, commit. If another process changes the
 * session between plan and commit, the turn is planned again. The caller releases the lease of a compaction if it
 * fails.
 */
export async function prepareTurn(session: SessionParts, options: PrepareOptions): Promise<StoredTurn> {
  checkOptions("session.prepare", options, PREPARE_RULES);
  options.signal?.throwIfAborted();
  const { repository, emitter, lease, summary } = session;
  const loaded = await repository.snapshot();
  const recalled = options.memory ? await recallForTurn(loaded, options) : undefined;
  const { system = options.system ?? "" } = recalled ?? {};
  const meter = new SummaryMeter(loaded);
  const run = { ...session, meter, recalled, options: { ...options, system } };
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const turn = await planTurn(tries === 0 ? loaded : await repository.snapshot(), run);
    if (turn === undefined) continue;
    if (options.dryRun === true) return measuredTurn(turn, { system, sessionId: repository.key.sessionId });
    const stored = await repository.commit({ ...turn, meter });
    if (stored?.receipt === undefined) {
      // Another process undid a compaction, or compacted because this one lost its lease. The next attempt takes a new
      // one.
      await lease.release();
      continue;
    }
    const { receipt } = stored;
    await emitter.report(turn, receipt);
    await lease.release(turn.compaction?.event);
    if ("error" in turn) throw turn.error;
    const { counter, budget, window, fitted, state, pruned, compaction } = turn;
    summary.notePrepared({ tokens: counter.messages(window), trigger: budget.trigger });
    const tokens = tokensOf(turn, loaded.window, receipt.tokens);
    const wasCompacted = compaction !== undefined || state.rounds !== loaded.state.rounds;
    return { system, tokens, wasPruned: pruned !== undefined, wasCompacted, receipt, fitted, state };
  }
  throw busy("prepare a turn of", repository.key.sessionId);
}

/** A turn that is not stored, for a measurement. */
function measuredTurn(
  turn: PlannedTurn | FailedTurn,
  { system, sessionId }: { readonly system: string; readonly sessionId: string },
): StoredTurn {
  if ("error" in turn) throw turn.error;
  const { fitted, state, window } = turn;
  const { createdAt, record, latest } = turn.receipt;
  const receipt = toReceipt({ id: "", sessionId, createdAt }, record, latest);
  const tokens = tokensOf(turn, window, receipt.tokens);
  return { system, tokens, wasPruned: false, wasCompacted: false, receipt, fitted, state };
}

/** Provider tokens of the request after each stage. */
function tokensOf(
  { counter, budget, window, prunedWindow }: PlannedTurn,
  loaded: readonly Message[],
  final: number,
): PreparedTurn["tokens"] {
  const size = (messages: readonly Message[]) =>
    Math.ceil((counter.messages(messages) + budget.overhead) * counter.factor);
  const before = size(loaded);
  const afterPrune = prunedWindow === loaded ? before : size(prunedWindow);
  const afterCompact = window === prunedWindow ? afterPrune : size(window);
  return { before, afterPrune, afterCompact, final };
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
    if (options.dryRun !== true) turn = await pruneTurn(turn, options);
    const { window: prunedWindow } = turn;
    const compacted = options.dryRun === true ? turn : await compactTurn(turn, run);
    if (compacted === undefined) return undefined;
    turn = compacted;
    await yieldToEventLoop();
    const { budget, counter, deps } = turn;
    const origin = originOf(turn);
    const window = withoutStepMarks(turn.window);
    // The model of a chat has no tool that expands handles.
    const namesHandles = deps.profile.style !== "chat";
    const fitted = fitWindow(window, budget, { ...deps, ...origin, counter, namesHandles });
    await yieldToEventLoop();
    const rules = turn.state.ledger.constraints;
    const edited = editedParts(turn.state);
    const { requested, overhead } = budget;
    const about = { rules, edited, recalled, budget: requested, overhead };
    const receipt = writeReceipt({ ...turn, ...origin, window, fitted, ...about });
    return { ...turn, prunedWindow, fitted, receipt };
  } catch (error) {
    if (!(error instanceof IrreducibleContextError)) throw error;
    return { ...turn, error, receipt: failedReceipt(error, snapshot.deps) };
  }
}

/** Masks old tool outputs. Without `isForced` only if the window is above its trigger and no undo pauses it. */
export async function pruneTurn(
  turn: TurnState,
  options: BudgetOptions & { readonly isForced?: boolean },
): Promise<TurnState> {
  const { deps, counter, window, budget } = turn;
  const { modelId, config } = deps;
  const { trigger } = budget;
  const isDue = counter.messages(window) > trigger && pauseAfterUndo(turn) === undefined;
  if (options.isForced !== true && !isDue) return turn;
  const at = deps.clock.now();
  const { protectShare, minimumShare } = SESSION_POLICY.prune;
  const requests = window.filter((message) => message.role === "user").length;
  const { masked, messages, ...report } = await withSessionSpan(deps, "prune", async () => {
    const limits = {
      ...config,
      pruneProtect: Math.min(config.pruneProtect, Math.floor(trigger * protectShare)),
      pruneMinimum: Math.min(config.pruneMinimum, Math.floor(trigger * minimumShare)),
      // The work on one long request has old outputs too; the newest are protected by their size.
      minTurnsToKeep: requests > config.minTurnsToKeep ? config.minTurnsToKeep : 0,
    };
    const { pinned } = editedParts(turn.state);
    const found = pruneToolOutputs(window, limits, { modelId, counter: counterFor(modelId, 1), now: at, pinned });
    return { ...found, tokensSaved: Math.round(found.tokensSaved * counter.factor) };
  });
  if (masked.size === 0) return turn;
  const pruned = {
    masks: Object.fromEntries(masked),
    marks: new Map([...masked.keys()].map((id) => [id, at])),
    report,
  };
  const state = { ...turn.state, masks: { ...turn.state.masks, ...pruned.masks } };
  const next = { ...turn, pruned, state, window: messages };
  return { ...next, budget: turnBudget(options, next) };
}

/**
 * Compacts the window of a turn, if it is still too large after pruning and a compaction saves enough. Plans that save
 * too little are remembered, and not made again before there are new messages or a smaller budget. The summary has the
 * prose that a model wrote in the background, if it is ready; the model is asked here only if the caller waits for it.
 *
 * @returns `undefined` if another process changed the session before this one had the lease.
 */
async function compactTurn(
  turn: TurnState,
  { repository, lease, summary, meter, options }: TurnRun,
): Promise<TurnState | undefined> {
  const { state, window, counter, deps, pruned } = turn;
  const { appended, rounds, appendedAtCompaction } = state;
  const { trigger } = turn.budget;
  const due = trigger * (pruned === undefined ? 1 : SESSION_POLICY.prune.enoughShare);
  if (counter.messages(window) <= due) return turn;
  const paused = pauseAfterUndo(turn);
  if (paused !== undefined) return { ...turn, paused };
  if (appended === appendedAtCompaction) return turn;
  const { futile } = repository;
  if (futile?.appended === appended && futile.rounds === rounds && trigger >= futile.trigger) return turn;
  const { planCompaction, addProse, withProse } = await loadPlanning();
  const planned = await planCompaction(turn, SESSION_POLICY, { ...deps.keep, trigger, maxTokens: trigger });
  if (planned === undefined) {
    repository.futile = { appended, rounds, trigger };
    return turn;
  }
  const { signal } = options;
  const { contextLimit: modelLimit } = deps;
  if (!(await lease.take({ event: planned.event, modelLimit, reason: "overflow", signal }))) return undefined;
  summary.cancel();
  const write = async () => {
    if (deps.model === undefined) return planned;
    const ready = proseFor(planned.draft, state.prose) ?? { failure: summariesSpent(turn) ?? NOT_READY };
    const isAsked = options.waitForModel === true && "failure" in ready;
    return isAsked ? addProse(planned, signal, meter.model) : withProse(planned, ready);
  };
  const compaction = await withSessionSpan(deps, "compact", write, { "throughline.compact.reason": "overflow" });
  return { ...turn, compaction, window: compaction.window };
}

/** Why the messages that an undo brought back are neither masked nor compacted; `undefined` if they may be. */
function pauseAfterUndo({ state, sources, window, counter, budget }: TurnState): string | undefined {
  const { appended, appendedAtCompaction, rounds, isPaused } = state;
  const wasUndone = `Not compacted: compaction ${rounds} was undone`;
  if (isPaused === true && counter.messages(window) <= budget.tokens) {
    return `${wasUndone}, and the messages fit the budget.`;
  }
  // The newest compaction is not in the window.
  const isUndone = rounds > 0 && latestOf({ state, sources })?.round !== rounds;
  return appended === appendedAtCompaction && isUndone
    ? `${wasUndone}, and no messages were appended since.`
    : undefined;
}

/** The newest compaction in the stored window. */
function latestOf({ state, sources }: Pick<SessionSnapshot, "state" | "sources">): CompactionEvent | undefined {
  const entry = state.entries.findLast((one) => "event" in one);
  return entry && "event" in entry ? sources.events.get(entry.event) : undefined;
}

/** Step markers are not sent, so they take no tokens and are not on the receipt. */
function withoutStepMarks(window: readonly Message[]): readonly Message[] {
  const isMark = ({ type }: Part) => type === "step-start";
  return window.map((message) => {
    if (!message.parts.some(isMark)) return message;
    return withChangedParts(
      message,
      message.parts.filter((part) => !isMark(part)),
    );
  });
}

/**
 * Finds the appended messages behind messages of the sent window: a repair may have joined messages or moved results.
 */
function originOf({ window, state, sources, compaction }: TurnState): Pick<ReceiptInput, "latest" | "sourcesOf"> {
  const latest = compaction?.event ?? latestOf({ state, sources });
  // Most windows are sent as they are, and need no look-up.
  let places: Map<string, number> | undefined;
  const placeAll = () => {
    const summaryMessages = new Set(latest?.summaryMessages.map(({ id }) => id));
    const found = new Map<string, number>();
    window.forEach(({ id, parts }, place) => {
      if (!summaryMessages.has(id)) for (const part of parts) found.set(part.id, place);
    });
    return found;
  };
  const sourcesOf = (messages: readonly Message[]) => {
    places ??= placeAll();
    const found = messages.flatMap(({ parts }) => parts.flatMap((part) => places?.get(part.id) ?? []));
    return [...new Set(found)].sort((a, b) => a - b).flatMap((place) => window[place]?.id ?? []);
  };
  return { latest, sourcesOf };
}

/** Sizes of one turn, in counted tokens unless noted otherwise. */
interface TurnBudget {
  /** The caller's budget, in the provider's tokens. */
  readonly requested: number;
  /** Tokens of the request without its messages: system prompt, tools and framing. */
  readonly overhead: number;
  /** Tokens for the messages. */
  readonly tokens: number;
  /** Bytes for the messages. */
  readonly bytes: number;
  /** Size of the messages above which they are pruned and compacted; lower if they have too many bytes. */
  readonly trigger: number;
}

/** The options of a turn that its budget depends on. */
export interface BudgetOptions {
  readonly system?: string;
  readonly budget?: number;
  readonly maxBytes?: number;
  readonly toolTokens?: number;
}

/** Options of a pruning or compaction that the caller asked for: it does not depend on bytes. */
export const MANUAL_BUDGET: BudgetOptions = { maxBytes: Number.POSITIVE_INFINITY };

/**
 * Computes the budget of a turn with the present window.
 *
 * @throws IrreducibleContextError if the system prompt alone does not fit.
 */
export function turnBudget(options: BudgetOptions, { deps, counter, window }: SessionSnapshot): TurnBudget {
  const { contextLimit, outputReserve, threshold, config } = deps;
  const { system = "", toolTokens = 0 } = options;
  const requested = options.budget ?? contextLimit - outputReserve;
  if (!(requested > 0)) {
    if (options.budget !== undefined) throw new InvalidOptionError("budget", requested, "a number of tokens above 0");
    throw new InvalidOptionError(
      "outputReserve",
      outputReserve,
      `less than the context limit (${contextLimit} tokens)`,
    );
  }
  const maxBytes = options.maxBytes ?? config.maxBytes ?? Number.POSITIVE_INFINITY;
  if (!(maxBytes > 0)) throw new InvalidOptionError("maxBytes", maxBytes, "a number of bytes above 0");
  const overhead = counter.text(system) + REQUEST_TOKENS + toolTokens;
  const tokens = Math.floor(requested / counter.factor) - overhead;
  const bytes = maxBytes - new TextEncoder().encode(system).length;
  if (tokens <= 0 || bytes <= 0) {
    const size = Math.ceil(overhead * counter.factor);
    const what = bytes > 0 ? "the system prompt" : `the system prompt, more than ${maxBytes} bytes`;
    throw new IrreducibleContextError(requested, size, [{ what, tokens: size }]);
  }
  const due = Math.floor((options.budget ?? Math.min(requested, threshold)) / counter.factor);
  // A huge system prompt must not cause a compaction of a short conversation.
  const trigger = Math.min(tokens, Math.max(Math.min(due, Math.floor(tokens / 2)), due - overhead));
  const current = bytes === Number.POSITIVE_INFINITY ? 0 : countTotalBytes(window);
  if (current <= bytes) return { requested, overhead, tokens, bytes, trigger };
  // Bytes and tokens leave together.
  const share = Math.floor(counter.messages(window) * (bytes / current)) - 1;
  return { requested: requested, overhead, tokens, bytes, trigger: Math.min(trigger, Math.max(1, share)) };
}
