import { applyCompaction } from "../compact/plan-compaction.ts";
import { extractToolNames } from "../compact/working-context.ts";
import { NEAR_LIMIT } from "../overflow/compaction-config.ts";
import type { Receipt } from "../receipt/receipt.ts";
import type { SessionEmitter } from "./session-events.ts";
import type { SessionLease } from "./session-lease.ts";
import type { SessionRepository } from "./session-repository.ts";
import type { TurnState } from "./turn-state.ts";

/** The session that is changed, and the lease of its compaction. */
interface CommitDeps {
  readonly repository: SessionRepository;
  readonly emitter: SessionEmitter;
  readonly lease?: SessionLease;
}

/**
 * Stores all changes of a turn in one commit, logs them, and tells listeners about them. They are made on the current
 * state, which may be newer than the one they were planned on.
 *
 * @returns the receipt with its number, or `undefined` if another process changed the compacted window.
 */
export async function commitChanges(
  { repository, emitter, lease }: CommitDeps,
  { pruned, compaction }: Pick<TurnState, "pruned" | "compaction">,
  written?: Omit<Receipt, "id">,
): Promise<{ readonly receipt: Receipt | undefined } | undefined> {
  let receipt: Receipt | undefined;
  const isStored = await repository.commit((current, messages) => {
    const masked = pruned ? { ...current, masks: { ...current.masks, ...pruned.masks } } : current;
    const state = compaction ? applyCompaction(compaction, masked, messages) : masked;
    receipt = written && { id: `${written.sessionId}/receipt-${repository.receipts + 1}`, ...written };
    const receipts = receipt && [{ id: receipt.id, createdAt: receipt.createdAt, value: receipt }];
    return state && { state, event: compaction?.event, marks: pruned?.marks, receipts };
  });
  if (!isStored) {
    emitter.completeCompaction();
    // Another process undid a compaction, or compacted because this one lost its lease. The next attempt takes a new one.
    await lease?.release();
    return undefined;
  }
  const { logger, workingContext } = repository.deps;
  if (pruned !== undefined) {
    const { outputsPruned, tokensSaved } = pruned.report;
    logger.info(`Pruned ${outputsPruned} tool outputs, ${tokensSaved} tokens.`);
    emitter.tell("prune:complete", pruned.report);
  }
  if (compaction !== undefined) {
    const { round, tokensBefore, tokensAfter } = compaction.event;
    workingContext?.syncDiscoveredTools(extractToolNames(repository.snapshot().window));
    logger.info(`Compaction round ${round}: ${tokensBefore} → ${tokensAfter} tokens.`);
    emitter.completeCompaction(compaction.event);
  }
  if (receipt !== undefined && receipt.tokens > receipt.budget * NEAR_LIMIT) {
    logger.info(`${receipt.tokens} of ${receipt.budget} tokens are in use.`);
  }
  return { receipt };
}
