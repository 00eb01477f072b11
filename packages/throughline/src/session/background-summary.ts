import type { CompactionDraft } from "../compact/plan-compaction.ts";
import { MODEL_SUMMARY_POLICY, SESSION_POLICY } from "../compact/policy.ts";
import type { GeneratedSummary } from "../compact/prose/generate-summary.ts";
import { isForNextRound, readyProse } from "../compact/prose/ready-prose.ts";
import { isSameEntry } from "../compact/window.ts";
import type { Message } from "../message/message.ts";
import { createTokenCounter } from "../tokens/token-counter.ts";
import { withRenewedLease } from "./state/session-lease.ts";
import type { SessionRepository } from "./state/session-repository.ts";
import type { SessionState } from "./state/session-state.ts";
import { SummaryMeter, summariesSpent } from "./summary-meter.ts";
import { loadPlanning } from "./turn.ts";

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

  /** Runs work under a separate lease: the lease of the session is for compactions, which must not wait for a model. */
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
