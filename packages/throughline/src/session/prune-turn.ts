import { SESSION_POLICY } from "../compact/policy.ts";
import { materialize } from "../compact/window.ts";
import { pruneToolOutputs } from "../prune/prune-tool-outputs.ts";
import { withSpan } from "../telemetry/with-span.ts";
import { counterFor } from "../tokens/count-tokens.ts";
import type { SessionDeps } from "./session-deps.ts";
import type { SessionEmitter } from "./session-events.ts";
import type { Change, SessionRepository } from "./session-repository.ts";
import { pruneSpan } from "./session-spans.ts";
import type { SessionState } from "./session-state.ts";
import { type PrunedOutputs, type TurnState, triggerFor, turnBudget } from "./turn-state.ts";

/** Masks old tool outputs. Without `isForced` only if the window is above its trigger. */
export async function pruneTurn(turn: TurnState, { isForced = false } = {}): Promise<TurnState> {
  const { deps, counter, window, state, sources } = turn;
  const { modelId, telemetry, config } = deps;
  const trigger = isForced ? turn.budget.trigger : triggerFor(turn);
  if (!isForced && counter.messages(window) <= trigger) return turn;
  const at = deps.clock.now();
  const { protectShare, minimumShare } = SESSION_POLICY.prune;
  const turns = window.filter((message) => message.role === "user").length;
  const { masked, ...report } = await withSpan(telemetry, pruneSpan(deps), async () => {
    const limits = {
      ...config,
      pruneProtect: Math.min(config.pruneProtect, Math.floor(trigger * protectShare)),
      pruneMinimum: Math.min(config.pruneMinimum, Math.floor(trigger * minimumShare)),
      // One long turn of an agent has old outputs too; its newest are protected by their size.
      minTurnsToKeep: turns > config.minTurnsToKeep ? config.minTurnsToKeep : 0,
    };
    const found = pruneToolOutputs(window, limits, { modelId, counter: counterFor(modelId, 1), now: at });
    const { outputsPruned, prunedTools, masked } = found;
    return { outputsPruned, tokensSaved: Math.round(found.tokensSaved * counter.factor), prunedTools, masked };
  });
  if (masked.size === 0) return turn;
  const pruned = { masked, at, report };
  const next = prunedChange(state, pruned).state;
  return { ...turn, pruned, state: next, window: materialize(next, sources) };
}

/** Masks old tool outputs of a session at any fill level, and stores that. */
export async function pruneSession(repository: SessionRepository, emitter: SessionEmitter): Promise<boolean> {
  const snapshot = repository.snapshot();
  const turn = { ...snapshot, budget: turnBudget({}, snapshot) };
  const { pruned } = await pruneTurn(turn, { isForced: true });
  if (pruned === undefined) return false;
  await repository.commit((state) => prunedChange(state, pruned));
  announcePruned(pruned, emitter, turn.deps);
  return true;
}

/** The masks of a pruning, on top of a state that may have changed since. */
export function prunedChange(state: SessionState, { masked, at }: PrunedOutputs): Change & { state: SessionState } {
  return {
    state: { ...state, masks: { ...state.masks, ...Object.fromEntries(masked) } },
    marks: new Map([...masked.keys()].map((id) => [id, at])),
  };
}

/** Logs a stored pruning and tells listeners about it. */
export function announcePruned({ report }: PrunedOutputs, emitter: SessionEmitter, { logger }: SessionDeps): void {
  logger.info(`Pruned ${report.outputsPruned} tool outputs, ${report.tokensSaved} tokens.`);
  emitter.tell("prune:complete", report);
}
