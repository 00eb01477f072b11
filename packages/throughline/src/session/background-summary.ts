import type { CompactionDraft, Prose } from "../compact/plan-compaction.ts";
import { MODEL_SUMMARY_POLICY, SESSION_POLICY } from "../compact/policy.ts";
import type { GeneratedSummary } from "../compact/prose/generate-summary.ts";
import { type AnyModel, toModel } from "../compact/prose/model-adapter.ts";
import { type Entry, isSameEntry, type WindowState } from "../compact/window.ts";
import { omitUndefined } from "../internal/json.ts";
import { lazy } from "../internal/memoize.ts";
import { messageOf } from "../internal/text.ts";
import type { Message } from "../message/message.ts";
import type { Logger } from "../ports/logger.ts";
import type { Model, ModelRequest } from "../ports/model.ts";
import { countTokens } from "../tokens/count-tokens.ts";
import { createTokenCounter } from "../tokens/token-counter.ts";
import { withRenewedLease } from "./state/session-lease.ts";
import type { SessionRepository, SessionSnapshot } from "./state/session-repository.ts";
import type { SessionState } from "./state/session-state.ts";

/** Counted tokens of a window, and the threshold of its next compaction. */
interface Fill {
  readonly tokens: number;
  /** Size at which the next compaction is due. */
  readonly trigger: number;
}

/**
 * Has a model summarize the older messages of a session before a compaction is due, so that no turn waits for it. The
 * result is stored with the session: any process can use it. It is asked for once per compaction, and by one process at
 * a time. The work is stopped when the compaction happens without it.
 */
export class BackgroundSummary {
  readonly #repository: SessionRepository;
  #fill: Fill | undefined;
  #running: AbortController | undefined;

  constructor(repository: SessionRepository) {
    this.#repository = repository;
  }

  /** Records the window of a prepared turn. */
  notePrepared(fill: Fill): void {
    this.#fill = fill;
  }

  /**
   * Records appended messages, and starts a summary if they fill the window almost up to the trigger. Above the
   * trigger it would come too late, because the next turn compacts.
   */
  noteAppended(messages: readonly Message[]): void {
    const { deps } = this.#repository;
    if (deps.model === undefined || this.#fill === undefined) return;
    const { trigger } = this.#fill;
    const tokens = this.#fill.tokens + createTokenCounter(deps.modelId, {}).messages(messages);
    this.#fill = { tokens, trigger };
    if (tokens >= trigger * MODEL_SUMMARY_POLICY.startShare && tokens <= trigger) this.#start(trigger);
  }

  /** Stops a summary that is being written. */
  cancel(): void {
    this.#running?.abort();
    this.#running = undefined;
  }

  #start(trigger: number): void {
    const { deps, state } = this.#repository;
    if (this.#running !== undefined || isForNextRound(state.prose, state)) return;
    if (summariesSpent({ deps, state }) !== undefined) return;
    const running = deps.background.run(deps.sessionId, async (signal) => {
      try {
        await this.#leased(() => this.#write(trigger, signal));
      } finally {
        if (this.#running === running) this.#running = undefined;
      }
    });
    this.#running = running;
  }

  /**
   * Runs work under a separate lease, because compactions need the lease of the session and must not wait for a model.
   */
  async #leased(work: () => Promise<void>): Promise<void> {
    const { store, key, holder, deps } = this.#repository;
    const lease = (milliseconds: number) =>
      store.memories.lease(`sessions:${key.userId}`, `summary:${key.sessionId}`, holder, milliseconds);
    await withRenewedLease(lease, deps.lockTime, work);
  }

  async #write(trigger: number, signal: AbortSignal): Promise<void> {
    const repository = this.#repository;
    const snapshot = await repository.exclusive(async () => repository.snapshot());
    const { deps, state } = snapshot;
    const meter = new SummaryMeter(snapshot);
    // Another process may have written the summary before this one had the lease.
    if (meter.model === undefined || isForNextRound(state.prose, state) || signal.aborted) return;
    const { askForProse, draftCompaction } = await loadPlanning();
    const draft = draftCompaction(snapshot, SESSION_POLICY, { ...deps.keep, trigger, maxTokens: trigger });
    // A summary of only the previous summary would add nothing.
    if (draft === undefined || draft.division.compacted.every((entry) => "event" in entry)) return;
    const outcome = await askForProse(draft, meter.model, signal);
    const edit = (current: SessionState) => {
      // The session was erased meanwhile.
      if (current.appended < state.appended) return undefined;
      const metered = meter.addTo(current);
      const stored = "failure" in outcome && signal.aborted ? metered : withOutcome(metered, draft, outcome);
      return stored === current ? undefined : stored;
    };
    await repository.exclusive(() => repository.commit({ edit }));
  }
}

/** The state with a summary, unless the messages that it covers were compacted or restored meanwhile. */
function withOutcome(state: SessionState, draft: CompactionDraft, outcome: GeneratedSummary): SessionState {
  const prose = readyProse(draft, outcome);
  const isInWindow = draft.division.compacted.every((entry) => state.entries.some((one) => isSameEntry(one, entry)));
  return isInWindow && isForNextRound(prose, state) ? { ...state, prose } : state;
}

/** Calls of a model for summaries, and their tokens: input and output. */
export interface SummaryUsage {
  readonly calls: number;
  readonly tokens: number;
}

const NONE: SummaryUsage = { calls: 0, tokens: 0 };

/** A model that counts its calls and tokens, and refuses those beyond the limits of the session. */
export class SummaryMeter {
  /** `undefined` if the session has no model. */
  readonly model: Model | undefined;
  readonly #before: SummaryUsage;
  readonly #limits: SummaryUsage;
  #used = NONE;

  constructor({ deps, state }: Pick<SessionSnapshot, "deps" | "state">) {
    this.#before = state.summaries ?? NONE;
    this.#limits = deps.summaryLimits;
    this.model = deps.model === undefined ? undefined : this.#metered(deps.model);
  }

  /** Adds the calls that are not stored yet to a state. */
  addTo(state: SessionState): SessionState {
    if (this.#used.calls === 0) return state;
    return { ...state, summaries: sum(state.summaries ?? NONE, this.#used) };
  }

  #metered(given: AnyModel): Model {
    const model = toModel(given);
    const { modelId, contextLimit } = model;
    return {
      ...omitUndefined({ modelId, contextLimit, onCall: model.onCall?.bind(model) }),
      generate: async (request) => {
        this.#admit(request);
        const reply = await model.generate(request);
        this.#used = sum(this.#used, { calls: 0, tokens: countTokens(reply.text ?? "") });
        return reply;
      },
    };
  }

  /** Counts a call before it is made: also a call that is stopped costs its input. */
  #admit({ system, prompt, maxOutputTokens }: ModelRequest): void {
    const input = countTokens(system) + countTokens(prompt);
    const refusal = whySpent(sum(this.#before, this.#used), this.#limits, input + maxOutputTokens);
    if (refusal !== undefined) throw new Error(refusal);
    this.#used = sum(this.#used, { calls: 1, tokens: input });
  }
}

/** Why a session may not call the model for a summary any more; `undefined` if it may. */
export function summariesSpent({ deps, state }: Pick<SessionSnapshot, "deps" | "state">): string | undefined {
  return whySpent(state.summaries ?? NONE, deps.summaryLimits, 1);
}

function whySpent(used: SummaryUsage, limits: SummaryUsage, tokens: number): string | undefined {
  if (used.calls >= limits.calls) return `the session reached its limit of model calls for summaries: ${limits.calls}`;
  if (used.tokens + tokens <= limits.tokens) return undefined;
  return `the session has too few model tokens left for summaries: the limit is ${limits.tokens}`;
}

function sum(a: SummaryUsage, b: SummaryUsage): SummaryUsage {
  return { calls: a.calls + b.calls, tokens: a.tokens + b.tokens };
}

/**
 * Summary that a model wrote before the compaction was due, or the reason why there is none. Plain data, stored with
 * the session. It covers the entries from `first` to `last` that a compaction would have replaced at that time. Later
 * messages are not covered: the narrative of the ledger covers them.
 */
export interface ReadyProse {
  /** Round of the compaction that it was written for. */
  readonly round: number;
  readonly first: Entry;
  readonly last: Entry;
  /** Position of the last message that it covers. */
  readonly upTo: number;
  readonly outcome: GeneratedSummary;
}

/** The reason if the model has not answered when the compaction is due. */
export const NOT_READY = "the model's summary was not ready";

/**
 * Keeps the outcome of a summary for the compaction that the draft is of; `undefined` if the draft replaces nothing.
 */
function readyProse(draft: CompactionDraft, outcome: GeneratedSummary): ReadyProse | undefined {
  const { compacted } = draft.division;
  const [first, last] = [compacted[0], compacted.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  return { round: draft.parts.round, first, last, upTo: draft.upTo, outcome };
}

/** True if a summary was written for the next compaction. Each compaction has one attempt. */
function isForNextRound(ready: ReadyProse | undefined, { rounds }: Pick<WindowState, "rounds">): boolean {
  return ready?.round === rounds + 1;
}

/** The outcome of the model's work for a compaction, if it covers nothing but messages that the compaction replaces. */
export function proseFor(draft: CompactionDraft, ready: ReadyProse | undefined): Prose | undefined {
  const { compacted } = draft.division;
  const isCompacted = (entry: Entry) => compacted.some((one) => isSameEntry(one, entry));
  const fits = ready !== undefined && isForNextRound(ready, draft.state);
  if (!fits || !isCompacted(ready.first) || !isCompacted(ready.last)) return undefined;
  return { ...ready.outcome, upTo: ready.upTo };
}

/** Most sessions are never compacted: the code for it is loaded when it is needed. */
export const loadPlanning = lazy(() => import("../compact/plan-compaction.ts"));

interface RunningWork {
  readonly name: string;
  readonly controller: AbortController;
  /** Never rejects. */
  readonly done: Promise<void>;
}

/** Background work. `close` ends it at the latest; failures are logged. */
export class BackgroundWork {
  readonly #logger: Logger;
  /** Keeps a short-lived process alive until a promise settles. */
  readonly #waitUntil: ((work: Promise<void>) => void) | undefined;
  readonly #running = new Set<RunningWork>();
  #isClosed = false;

  constructor(logger: Logger, waitUntil?: (work: Promise<void>) => void) {
    this.#logger = logger;
    this.#waitUntil = waitUntil;
  }

  /**
   * Starts work, unless `close` was called.
   *
   * @param name Session that the work is for.
   * @param work Has to end soon after its signal is aborted.
   * @returns a function that stops the work; `undefined` if it was not started.
   */
  run(name: string, work: (signal: AbortSignal) => Promise<void>): AbortController | undefined {
    if (this.#isClosed) return undefined;
    const controller = new AbortController();
    const done = work(controller.signal)
      .catch((error: unknown) => this.#logger.warn(`Background work for session ${name} failed: ${messageOf(error)}`))
      .finally(() => this.#running.delete(running));
    const running = { name, controller, done };
    this.#running.add(running);
    try {
      this.#waitUntil?.(done);
    } catch (error) {
      this.#logger.warn(`Could not pass background work to waitUntil: ${messageOf(error)}`);
    }
    return controller;
  }

  /** Stops the work for a session and waits for its end. */
  stop(name: string): Promise<void> {
    return this.#end([...this.#running].filter((work) => work.name === name));
  }

  /** Stops all work and waits for its end. No work starts after that. */
  close(): Promise<void> {
    this.#isClosed = true;
    return this.#end([...this.#running]);
  }

  async #end(all: readonly RunningWork[]): Promise<void> {
    for (const { controller } of all) controller.abort();
    await Promise.all(all.map(({ done }) => done));
  }
}
