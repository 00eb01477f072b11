import type { CompactionLimits } from "../compact/divide-window.ts";
import type { CompactionPreview } from "../compact/plan-compaction.ts";
import { type CompactionPolicy, SESSION_POLICY } from "../compact/policy.ts";
import { findProfile, type ProfileName, type SummaryProfile } from "../compact/profiles.ts";
import type { CompactionEvent } from "../compact/window.ts";
import {
  ABOVE_ZERO,
  AT_LEAST_ZERO,
  CHECKED_LATER,
  checkOptions,
  OBJECT,
  type OptionRules,
  TEXT,
} from "../errors/check-options.ts";
import { omitUndefined } from "../internal/json.ts";
import { getModelLimits } from "../tokens/model-limits.ts";
import { createTokenCounter } from "../tokens/token-counter.ts";
import { loadPlanning, SummaryMeter } from "./background-summary.ts";
import { withSessionSpan } from "./session-events.ts";
import { thresholdOf } from "./session-settings.ts";
import type { SessionSnapshot } from "./state/session-repository.ts";
import { type BudgetOptions, MANUAL_BUDGET, pruneTurn, type SessionParts, turnBudget } from "./turn.ts";

/** Options of `session.compact` and `session.preview`. */
export interface CompactOptions {
  /** Topic that the summary should keep above all. */
  readonly focus?: string;
  /**
   * Maximum size of the summary in tokens, ledger included. Default: 25% of the threshold, from 3,200 (at most 40% of
   * it) to 4,000, plus room for the user's own words.
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

/** Options of `session.preview`: those of `session.compact`, and settings to try. */
export interface PreviewOptions extends CompactOptions {
  /** Maximum tokens of the whole request. Default: that of the session. */
  readonly budget?: number;
  /** Sections of the summary. Default: those of the session. */
  readonly profile?: ProfileName | SummaryProfile;
  /** Model that the window is for: sets the tokenizer, and the context limit too. Default: that of the session. */
  readonly modelId?: string;
}

const COMPACT_RULES: OptionRules<CompactOptions> = {
  focus: TEXT,
  targetTokens: ABOVE_ZERO,
  keepTokens: AT_LEAST_ZERO,
  signal: OBJECT,
};

const PREVIEW_RULES: OptionRules<PreviewOptions> = {
  ...COMPACT_RULES,
  budget: ABOVE_ZERO,
  profile: CHECKED_LATER,
  modelId: TEXT,
};

/** A compaction that the caller asked for runs if it saves anything. */
const MANUAL_POLICY: CompactionPolicy = { ...SESSION_POLICY, minSaving: 0 };

/**
 * Compacts a session because the caller asked for it, and waits for the model. The caller releases the lease if it
 * fails.
 *
 * @returns `undefined` if nothing would be saved.
 */
export async function compactSession(
  { repository, emitter, lease, summary }: SessionParts,
  options: CompactOptions,
): Promise<CompactionEvent | undefined> {
  checkOptions("session.compact", options, COMPACT_RULES);
  const { signal } = options;
  const limits = manualLimits(await repository.snapshot(), options);
  const { planCompaction, addProse } = await loadPlanning();
  const compactNow = async () => {
    for (;;) {
      const snapshot = await repository.snapshot();
      const planned = await planCompaction(snapshot, MANUAL_POLICY, limits);
      signal?.throwIfAborted();
      if (planned === undefined) return undefined;
      const { contextLimit: modelLimit } = snapshot.deps;
      // If another process changed the session before this one had the lease, it is planned again, under the lease.
      if (!(await lease.take({ event: planned.event, modelLimit, reason: "manual", signal }))) continue;
      summary.cancel();
      const meter = new SummaryMeter(snapshot);
      const compaction = await addProse(planned, signal, meter.model);
      if (!(await repository.commit({ compaction, meter }))) return undefined;
      await emitter.report({ compaction });
      await lease.release(compaction.event);
      return compaction;
    }
  };
  const reason = { "throughline.compact.reason": "manual" };
  const stored = await withSessionSpan(repository.deps, "compact", compactNow, reason);
  return stored?.event;
}

/** Describes the effect of {@link compactSession} without storing anything. */
export async function previewSession(
  loaded: SessionSnapshot,
  given: PreviewOptions,
): Promise<CompactionPreview | undefined> {
  checkOptions("session.preview", given, PREVIEW_RULES);
  const { budget, profile, modelId, ...options } = given;
  const snapshot = withSettings(loaded, omitUndefined({ profile, modelId }));
  const limits = manualLimits(snapshot, options, omitUndefined({ ...MANUAL_BUDGET, budget }));
  const [{ planCompaction }, { previewCompaction }] = await Promise.all([
    loadPlanning(),
    import("../compact/plan-compaction.ts"),
  ]);
  const planned = await planCompaction(snapshot, MANUAL_POLICY, limits);
  options.signal?.throwIfAborted();
  const threshold = Math.floor(limits.trigger * snapshot.counter.factor);
  return planned && { ...previewCompaction(planned), threshold };
}

/** A session as it would be with another profile or model. */
function withSettings(
  snapshot: SessionSnapshot,
  { profile, modelId }: Pick<PreviewOptions, "profile" | "modelId">,
): SessionSnapshot {
  if (profile === undefined && modelId === undefined) return snapshot;
  const deps = { ...snapshot.deps, ...(profile !== undefined && { profile: findProfile(profile) }) };
  if (modelId === undefined) return { ...snapshot, deps };
  const { contextLimit } = getModelLimits(modelId);
  const next = { ...deps, modelId, contextLimit };
  const counter = createTokenCounter(modelId, snapshot.state.calibration);
  return { ...snapshot, counter, deps: { ...next, threshold: thresholdOf(next) } };
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

function manualLimits(
  snapshot: SessionSnapshot,
  options: CompactOptions,
  budget: BudgetOptions = MANUAL_BUDGET,
): CompactionLimits {
  const { deps, counter, window } = snapshot;
  const { trigger } = turnBudget(budget, snapshot);
  // The caller may compact a session that is far below its threshold.
  const tailOf = Math.min(trigger, counter.messages(window));
  const { focus, targetTokens, keepTokens = deps.keep.keepTokens } = options;
  const isExact = options.keepTokens !== undefined;
  return { ...deps.keep, trigger, tailOf, focus, targetTokens, keepTokens, isExact };
}
