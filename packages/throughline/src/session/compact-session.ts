import type { CompactionLimits } from "../compact/compaction-sizes.ts";
import { addProse, applyCompaction, planCompaction, saves } from "../compact/plan-compaction.ts";
import { SESSION_POLICY } from "../compact/policy.ts";
import { type CompactionPreview, previewCompaction } from "../compact/preview-compaction.ts";
import { type CompactionEvent, materialize } from "../compact/window.ts";
import { extractToolNames } from "../compact/working-context.ts";
import { ABOVE_ZERO, AT_LEAST_ZERO, checkOptions, OBJECT, type OptionRules, TEXT } from "../errors/check-options.ts";
import { withSpan } from "../telemetry/with-span.ts";
import type { SessionDeps } from "./session-deps.ts";
import { CompactionNotice, type SessionEmitter } from "./session-events.ts";
import { SessionLease } from "./session-lease.ts";
import type { SessionRepository, SessionSnapshot } from "./session-repository.ts";
import { compactSpan } from "./session-spans.ts";
import { type TurnState, triggerFor, turnBudget } from "./turn-state.ts";

/** Options of `session.compact` and `session.preview`. */
export interface CompactOptions {
  /** Topic that the summary should keep above all. */
  readonly focus?: string;
  /** Maximum size of the summary in tokens, ledger included. */
  readonly targetTokens?: number;
  /** Size of the verbatim tail in tokens; 0 keeps none. */
  readonly keepTokens?: number;
  readonly signal?: AbortSignal;
}

const COMPACT_RULES: OptionRules<CompactOptions> = {
  focus: TEXT,
  targetTokens: ABOVE_ZERO,
  keepTokens: AT_LEAST_ZERO,
  signal: OBJECT,
};

/** Minimum saving of a compaction that the caller asked for: anything above 0. */
const MIN_MANUAL_SAVING = 0;

/**
 * Plans the compaction that a turn needs. The turn stays as it is if it needs none, or if none would save enough. Plans
 * that save too little are remembered, and not made again before there are new messages or a smaller budget.
 */
export async function planTurnCompaction(turn: TurnState, repository: SessionRepository): Promise<TurnState> {
  const { state, window, counter, deps, pruned } = turn;
  const { appended, rounds, appendedAtCompaction } = state;
  const trigger = triggerFor(turn);
  const due = trigger * (pruned === undefined ? 1 : SESSION_POLICY.prune.enoughShare);
  if (counter.messages(window) <= due || appended === appendedAtCompaction) return turn;
  const { futile } = repository;
  const isFutile = futile?.appended === appended && futile.rounds === rounds && trigger >= futile.trigger;
  if (isFutile) return turn;
  const compaction = await planCompaction(turn, SESSION_POLICY, { ...limitsFor(deps, trigger), maxTokens: trigger });
  if (compaction !== undefined && saves(compaction, SESSION_POLICY.minSaving)) return { ...turn, compaction };
  repository.futile = { appended, rounds, trigger };
  return turn;
}

/** Compacts the window of a turn, if that is planned. The model, if there is one, is asked for prose. */
export async function compactTurn(
  turn: TurnState,
  notice: CompactionNotice,
  signal: AbortSignal | undefined,
): Promise<TurnState> {
  const { deps, state, sources, compaction: planned } = turn;
  if (planned === undefined) return turn;
  notice.start(planned.event, deps.contextLimit, "overflow");
  const event = await withSpan(deps.telemetry, compactSpan(deps, "overflow"), async () => {
    return (await addProse(planned, SESSION_POLICY.minSaving, signal)).event;
  });
  const compaction = { ...planned, event };
  const next = applyCompaction(compaction, state, sources.messages) ?? state;
  const after = { ...sources, events: new Map(sources.events).set(event.id, event) };
  return { ...turn, compaction, state: next, sources: after, window: materialize(next, after) };
}

/** Compacts a session because the caller asked for it; `undefined` if nothing would be saved. */
export async function compactSession(
  repository: SessionRepository,
  emitter: SessionEmitter,
  options: CompactOptions,
): Promise<CompactionEvent | undefined> {
  const { deps } = repository;
  const limits = manualLimits(repository.snapshot(), options);
  const lease = new SessionLease(repository, options.signal);
  return withSpan(deps.telemetry, compactSpan(deps, "manual"), async () => {
    const notice = new CompactionNotice(emitter);
    let stored: CompactionEvent | undefined;
    try {
      await lease.take();
      const planned = await planCompaction(repository.snapshot(), SESSION_POLICY, limits);
      options.signal?.throwIfAborted();
      if (planned === undefined || !saves(planned, MIN_MANUAL_SAVING)) return undefined;
      notice.start(planned.event, deps.contextLimit, "manual");
      const compaction = await addProse(planned, MIN_MANUAL_SAVING, options.signal);
      const isStored = await repository.commit((state, messages) => {
        const next = applyCompaction(compaction, state, messages);
        return next && { state: next, event: compaction.event };
      });
      if (isStored) stored = compaction.event;
      if (stored !== undefined) noteCompacted(stored, repository);
      return stored;
    } finally {
      notice.complete(stored);
      await lease.release();
    }
  });
}

/** Describes the effect of {@link compactSession} without storing anything. */
export async function previewSession(
  snapshot: SessionSnapshot,
  options: CompactOptions,
): Promise<CompactionPreview | undefined> {
  const planned = await planCompaction(snapshot, SESSION_POLICY, manualLimits(snapshot, options));
  options.signal?.throwIfAborted();
  return planned !== undefined && saves(planned, MIN_MANUAL_SAVING) ? previewCompaction(planned) : undefined;
}

/** Updates the working context and the log after a compaction was stored. */
export function noteCompacted(
  { round, tokensBefore, tokensAfter }: CompactionEvent,
  repository: SessionRepository,
): void {
  const { workingContext, logger } = repository.deps;
  workingContext?.syncDiscoveredTools(extractToolNames(repository.snapshot().window));
  logger.info(`Compaction round ${round}: ${tokensBefore} → ${tokensAfter} tokens.`);
}

function limitsFor({ config, recentMessages, keepTokens }: SessionDeps, trigger: number): CompactionLimits {
  return { trigger, hasHistory: true, keepTokens, keepMessages: recentMessages, minTurns: config.minTurnsToKeep };
}

function manualLimits(snapshot: SessionSnapshot, options: CompactOptions): CompactionLimits {
  checkOptions("session.compact", options, COMPACT_RULES);
  const limits = limitsFor(snapshot.deps, turnBudget({}, snapshot).trigger);
  const { focus, targetTokens, keepTokens = limits.keepTokens } = options;
  return { ...limits, focus, targetTokens, keepTokens };
}
