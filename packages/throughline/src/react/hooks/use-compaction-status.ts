import { useEffect, useState } from "react";
import type { CompactionStage } from "../../chat/compact/compact-context.ts";
import type { Session } from "../../session/session.ts";
import type { SessionEvent } from "../../session/session-events.ts";

/** Result of `useCompactionStatus`. */
export interface CompactionStatus {
  /** Whether a compaction is running. */
  readonly isCompacting: boolean;
  /** The last compaction or pruning since the component was mounted; `null` if there was none. */
  readonly lastCompaction: {
    /** Always `stage1`: sessions summarize messages and do not drop memories. */
    readonly stage: Exclude<CompactionStage, "none">;
    /** Tokens that it saved. */
    readonly savedTokens: number;
    /** `prune`: tool outputs were masked. `compact`: messages were replaced by a summary. */
    readonly by: "prune" | "compact";
  } | null;
}

const QUIET: CompactionStatus = { isCompacting: false, lastCompaction: null };

/**
 * Returns whether a session is being compacted, and how many tokens the last compaction saved.
 *
 * @param session Session to watch. `null` and `undefined` are never compacted.
 *
 * @example
 * const { isCompacting, lastCompaction } = useCompactionStatus(session);
 */
export function useCompactionStatus(session: Pick<Session, "on"> | null | undefined): CompactionStatus {
  const [seen, setSeen] = useState<{ readonly session: unknown; readonly status: CompactionStatus }>();
  useEffect(
    () =>
      session?.on((event) =>
        setSeen((before) => ({
          session,
          status: nextStatus(before?.session === session ? before.status : QUIET, event),
        })),
      ),
    [session],
  );
  return seen !== undefined && seen.session === session ? seen.status : QUIET;
}

function nextStatus(before: CompactionStatus, { type, data }: SessionEvent): CompactionStatus {
  switch (type) {
    case "compaction:start":
      return { ...before, isCompacting: true };
    case "compaction:complete": {
      const savedTokens = data.tokensBefore - data.tokensAfter;
      // One that won nothing was not done.
      const lastCompaction = savedTokens > 0 ? ({ stage: "stage1", savedTokens, by: "compact" } as const) : null;
      return { isCompacting: false, lastCompaction: lastCompaction ?? before.lastCompaction };
    }
    case "prune:complete":
      return { ...before, lastCompaction: { stage: "stage1", savedTokens: data.tokensSaved, by: "prune" } };
  }
}
