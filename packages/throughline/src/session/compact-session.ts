import type { CompactionLimits } from "../compact/compaction-sizes.ts";
import { type CompactionPolicy, SESSION_POLICY } from "../compact/policy.ts";
import type { CompactionPreview } from "../compact/preview-compaction.ts";
import { NOT_READY, proseFor } from "../compact/ready-prose.ts";
import type { CompactionEvent } from "../compact/window.ts";
import { ABOVE_ZERO, AT_LEAST_ZERO, checkOptions, OBJECT, type OptionRules, TEXT } from "../errors/check-options.ts";
import { lazy } from "../internal/lazy.ts";
import { withSpan } from "../telemetry/with-span.ts";
import { applyChanges } from "./apply-changes.ts";
import type { SessionSnapshot } from "./session-repository.ts";
import { compactSpan } from "./session-spans.ts";
import { SummaryMeter, summariesSpent } from "./summary-meter.ts";
import type { SessionParts, TurnRun } from "./turn.ts";
import { MANUAL_BUDGET, type TurnState, turnBudget } from "./turn-state.ts";

/** Options of `session.compact` and `session.preview`. */
export interface CompactOptions {
  /** Topic that the summary should keep above all. */
  readonly focus?: string;
  /**
   * Maximum size of the summary in tokens, ledger included. Default: 25% of the threshold, from 4,000 (at most 40% of
   * it) to 6,000, plus room for the user's own words.
   */
  readonly targetTokens?: number;
  /**
   * Size of the verbatim tail in tokens; 0 keeps none. Default: that of the session, or else 30% of the threshold
   * or of a session below it.
   */
  readonly keepTokens?: number;
  /** Aborts the compaction, which rejects with its reason. Nothing is stored then. */
  readonly signal?: AbortSignal;
}

const COMPACT_RULES: OptionRules<CompactOptions> = {
  focus: TEXT,
  targetTokens: ABOVE_ZERO,
  keepTokens: AT_LEAST_ZERO,
  signal: OBJECT,
};

/** Most sessions are never compacted: the code for it is loaded when it is needed. */
export const loadPlanning = lazy(() => import("../compact/plan-compaction.ts"));

/** A compaction that the caller asked for runs if it saves anything. */
const MANUAL_POLICY: CompactionPolicy = { ...SESSION_POLICY, minSaving: 0 };

/**
 * Compacts the window of a turn, if it is still too large after pruning and a compaction saves enough. Plans that save
 * too little are remembered, and not made again before there are new messages or a smaller budget. The summary has the
 * prose that a model wrote in the background, if it is ready; the model is asked here only if the caller waits for it.
 *
 * @returns `undefined` if another process changed the session before this one had the lease.
 */
export async function compactTurn(
  turn: TurnState,
  { repository, emitter, lease, summary, meter, options }: TurnRun,
): Promise<TurnState | undefined> {
  const { state, window, counter, deps, pruned } = turn;
  const { appended, rounds, appendedAtCompaction } = state;
  const { trigger } = turn.budget;
  const due = trigger * (pruned === undefined ? 1 : SESSION_POLICY.prune.enoughShare);
  if (counter.messages(window) <= due || appended === appendedAtCompaction) return turn;
  const { futile } = repository;
  if (futile?.appended === appended && futile.rounds === rounds && trigger >= futile.trigger) return turn;
  const { draftCompaction, planCompaction, addProse, withProse } = await loadPlanning();
  const draft = draftCompaction(turn, SESSION_POLICY, { ...deps.keep, trigger, maxTokens: trigger });
  const planned = draft && (await planCompaction(draft));
  if (planned === undefined) {
    repository.futile = { appended, rounds, trigger };
    return turn;
  }
  if (!(await lease.take(options.signal))) return undefined;
  emitter.startCompaction(planned.event, deps.contextLimit, "overflow");
  summary.cancel();
  const compaction = await withSpan(deps.telemetry, compactSpan(deps, "overflow"), () => {
    if (deps.model === undefined) return Promise.resolve(planned);
    const ready = proseFor(planned.draft, state.prose) ?? { failure: summariesSpent(turn) ?? NOT_READY };
    const isAsked = options.waitForModel === true && "failure" in ready;
    return isAsked ? addProse(planned, options.signal, meter.model) : withProse(planned, ready);
  });
  return { ...turn, compaction, window: compaction.window };
}

/**
 * Compacts a session because the caller asked for it, and waits for the model. The caller releases the lease.
 *
 * @returns `undefined` if nothing would be saved.
 */
export async function compactSession(
  { repository, emitter, lease, summary }: SessionParts,
  options: CompactOptions,
): Promise<CompactionEvent | undefined> {
  const { deps } = repository;
  const limits = manualLimits(await repository.snapshot(), options);
  const stored = await withSpan(deps.telemetry, compactSpan(deps, "manual"), async () => {
    await lease.take(options.signal);
    const snapshot = await repository.snapshot();
    const { draftCompaction, planCompaction, addProse } = await loadPlanning();
    const draft = draftCompaction(snapshot, MANUAL_POLICY, limits);
    const planned = draft && (await planCompaction(draft));
    options.signal?.throwIfAborted();
    if (planned === undefined) return undefined;
    emitter.startCompaction(planned.event, deps.contextLimit, "manual");
    summary.cancel();
    const meter = new SummaryMeter(snapshot);
    const compaction = await addProse(planned, options.signal, meter.model);
    if (!(await repository.commit((state) => applyChanges({ compaction, meter }, state)))) return undefined;
    await emitter.report({ compaction });
    return compaction;
  });
  return stored?.event;
}

/** Describes the effect of {@link compactSession} without storing anything. */
export async function previewSession(
  snapshot: SessionSnapshot,
  options: CompactOptions,
): Promise<CompactionPreview | undefined> {
  const limits = manualLimits(snapshot, options);
  const [{ draftCompaction, planCompaction }, { previewCompaction }] = await Promise.all([
    loadPlanning(),
    import("../compact/preview-compaction.ts"),
  ]);
  const draft = draftCompaction(snapshot, MANUAL_POLICY, limits);
  const planned = draft && (await planCompaction(draft));
  options.signal?.throwIfAborted();
  return planned && previewCompaction(planned);
}

function manualLimits(snapshot: SessionSnapshot, options: CompactOptions): CompactionLimits {
  checkOptions("session.compact", options, COMPACT_RULES);
  const { deps, counter, window } = snapshot;
  const { trigger } = turnBudget(MANUAL_BUDGET, snapshot);
  // The caller may compact a session that is far below its threshold.
  const tailOf = Math.min(trigger, counter.messages(window));
  const { focus, targetTokens, keepTokens = deps.keep.keepTokens } = options;
  const isExact = options.keepTokens !== undefined;
  return { ...deps.keep, trigger, tailOf, focus, targetTokens, keepTokens, isExact };
}
