import { useMemo, useSyncExternalStore } from "react";
import { type CompactionStatus, CompactionTracker } from "../../chat/compact/compaction-tracker.ts";
import type { Session } from "../../session/session.ts";

const QUIET: CompactionStatus = { isCompacting: false, lastCompaction: null };
const NEVER = (): (() => void) => () => undefined;

/**
 * Returns whether a session is being compacted, and the stage and the saved tokens of the last compaction.
 *
 * @param source Session to watch, or a tracker that also gets the chat's turns. `null` and `undefined` are never
 *   compacted.
 *
 * @example
 * const { isCompacting, lastCompaction } = useCompactionStatus(session);
 */
export function useCompactionStatus(
  source: Pick<Session, "on"> | CompactionTracker | null | undefined,
): CompactionStatus {
  const tracker = useMemo(() => {
    if (source === null || source === undefined || source instanceof CompactionTracker) return source;
    return new CompactionTracker(source);
  }, [source]);
  return useSyncExternalStore(tracker?.subscribe ?? NEVER, tracker?.getSnapshot ?? (() => QUIET));
}
