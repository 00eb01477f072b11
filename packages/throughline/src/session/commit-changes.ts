import { applyCompaction } from "../compact/apply-compaction.ts";
import { NOT_READY } from "../compact/ready-prose.ts";
import { extractToolNames } from "../compact/working-context.ts";
import { NEAR_LIMIT } from "../overflow/compaction-config.ts";
import type { Receipt } from "../receipt/receipt.ts";
import type { SessionEmitter } from "./session-events.ts";
import type { SessionLease } from "./session-lease.ts";
import type { SessionRepository } from "./session-repository.ts";
import type { SummaryMeter } from "./summary-meter.ts";
import type { TurnState } from "./turn-state.ts";

/** The session that is changed, and the lease of its compaction. */
interface CommitDeps {
  readonly repository: SessionRepository;
  readonly emitter: SessionEmitter;
  readonly lease?: SessionLease;
  /** The model that wrote the summary. */
  readonly meter?: SummaryMeter;
}

type TurnChanges = Pick<TurnState, "pruned" | "compaction">;

/**
 * Stores all changes of a turn in one commit, logs them, and notifies listeners. They are applied to the current
 * state, which may be newer than the one they were planned on.
 *
 * @returns the receipt with its number, or `undefined` if another process changed the compacted window.
 */
export async function commitChanges(
  { repository, emitter, lease, meter }: CommitDeps,
  changes: TurnChanges,
  written?: Omit<Receipt, "id">,
): Promise<{ readonly receipt: Receipt | undefined } | undefined> {
  const { pruned, compaction } = changes;
  let receipt: Receipt | undefined;
  const isStored = await repository.commit((current, messages) => {
    const masked = pruned ? { ...current, masks: { ...current.masks, ...pruned.masks } } : current;
    const compacted = compaction ? applyCompaction(compaction, masked, messages) : masked;
    const state = compacted && meter ? meter.addTo(compacted) : compacted;
    receipt = written && { id: `${written.sessionId}/receipt-${repository.receipts + 1}`, ...written };
    const receipts = receipt && [{ id: receipt.id, createdAt: receipt.createdAt, value: receipt }];
    // Prose that was written for this compaction cannot be used for the next one.
    const left = state && compaction && state.prose ? { ...state, prose: undefined } : state;
    return left && { state: left, event: compaction?.event, marks: pruned?.marks, receipts };
  });
  if (!isStored) {
    emitter.completeCompaction();
    // Another process undid a compaction, or compacted because this one lost its lease. The next attempt takes a new one.
    await lease?.release();
    return undefined;
  }
  meter?.reset();
  reportChanges({ repository, emitter }, changes, receipt);
  return { receipt };
}

/** Logs stored changes and notifies listeners. */
function reportChanges(
  { repository, emitter }: CommitDeps,
  { pruned, compaction }: TurnChanges,
  receipt: Receipt | undefined,
): void {
  const { logger, workingContext, model } = repository.deps;
  if (pruned !== undefined) {
    const { outputsPruned, tokensSaved } = pruned.report;
    logger.info(`Pruned ${outputsPruned} tool outputs, ${tokensSaved} tokens.`);
    emitter.tell("prune:complete", pruned.report);
  }
  if (compaction !== undefined) {
    const { round, tokensBefore, tokensAfter, withoutProse } = compaction.event;
    workingContext?.syncDiscoveredTools(extractToolNames(repository.snapshot().window));
    logger.info(`Compaction round ${round}: ${tokensBefore} → ${tokensAfter} tokens.`);
    if (model !== undefined && withoutProse !== undefined) {
      const level = withoutProse === NOT_READY ? "info" : "warn";
      logger[level](
        `Compaction round ${round}: no summary by the model (${withoutProse}), using the deterministic one.`,
      );
    }
    emitter.completeCompaction(compaction.event);
  }
  if (receipt !== undefined && receipt.tokens > receipt.budget * NEAR_LIMIT) {
    logger.info(`${receipt.tokens} of ${receipt.budget} tokens are in use.`);
  }
}
