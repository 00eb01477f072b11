import { SESSION_POLICY } from "../compact/policy.ts";
import { pruneToolOutputs } from "../prune/prune-tool-outputs.ts";
import { withSpan } from "../telemetry/with-span.ts";
import { counterFor } from "../tokens/count-tokens.ts";
import { applyChanges } from "./apply-changes.ts";
import { pruneSpan } from "./session-spans.ts";
import type { SessionParts } from "./turn.ts";
import { type BudgetOptions, MANUAL_BUDGET, type TurnState, turnBudget } from "./turn-state.ts";

/** Masks old tool outputs. Without `isForced` only if the window is above its trigger. */
export async function pruneTurn(
  turn: TurnState,
  options: BudgetOptions & { readonly isForced?: boolean },
): Promise<TurnState> {
  const { deps, counter, window, budget } = turn;
  const { modelId, telemetry, config } = deps;
  const { trigger } = budget;
  if (options.isForced !== true && counter.messages(window) <= trigger) return turn;
  const at = deps.clock.now();
  const { protectShare, minimumShare } = SESSION_POLICY.prune;
  const turns = window.filter((message) => message.role === "user").length;
  const { masked, messages, ...report } = await withSpan(telemetry, pruneSpan(deps), async () => {
    const limits = {
      ...config,
      pruneProtect: Math.min(config.pruneProtect, Math.floor(trigger * protectShare)),
      pruneMinimum: Math.min(config.pruneMinimum, Math.floor(trigger * minimumShare)),
      // One long turn of an agent has old outputs too; its newest are protected by their size.
      minTurnsToKeep: turns > config.minTurnsToKeep ? config.minTurnsToKeep : 0,
    };
    const found = pruneToolOutputs(window, limits, { modelId, counter: counterFor(modelId, 1), now: at });
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

/** Masks old tool outputs of a session at any fill level, and stores that. */
export async function pruneSession({ repository, emitter }: SessionParts): Promise<boolean> {
  const snapshot = await repository.snapshot();
  const turn = { ...snapshot, budget: turnBudget(MANUAL_BUDGET, snapshot) };
  const { pruned } = await pruneTurn(turn, { ...MANUAL_BUDGET, isForced: true });
  if (pruned === undefined) return false;
  await repository.commit((state) => applyChanges({ pruned }, state));
  await emitter.report({ pruned });
  return true;
}
