import type { CompactionLimits } from "../compact/compaction-sizes.ts";
import { type CompactionPolicy, SESSION_POLICY } from "../compact/policy.ts";
import type { CompactionPreview } from "../compact/preview-compaction.ts";
import type { CompactionEvent } from "../compact/window.ts";
import { ABOVE_ZERO, AT_LEAST_ZERO, checkOptions, OBJECT, type OptionRules, TEXT } from "../errors/check-options.ts";
import type { SessionSnapshot } from "./session-repository.ts";
import { withSessionSpan } from "./session-spans.ts";
import { SummaryMeter } from "./summary-meter.ts";
import { loadPlanning, pruneTurn, type SessionParts } from "./turn.ts";
import { MANUAL_BUDGET, turnBudget } from "./turn-budget.ts";

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

/** A compaction that the caller asked for runs if it saves anything. */
const MANUAL_POLICY: CompactionPolicy = { ...SESSION_POLICY, minSaving: 0 };

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
  const compactNow = async () => {
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
    if (!(await repository.commit({ compaction, meter }))) return undefined;
    await emitter.report({ compaction });
    return compaction;
  };
  const stored = await withSessionSpan(deps, "compact", compactNow, { "throughline.compact.reason": "manual" });
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

/** Masks old tool outputs of a session at any fill level, and stores that. */
export async function pruneSession({ repository, emitter }: SessionParts): Promise<boolean> {
  const snapshot = await repository.snapshot();
  const turn = { ...snapshot, budget: turnBudget(MANUAL_BUDGET, snapshot) };
  const { pruned } = await pruneTurn(turn, { ...MANUAL_BUDGET, isForced: true });
  if (pruned === undefined) return false;
  await repository.commit({ pruned });
  await emitter.report({ pruned });
  return true;
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
