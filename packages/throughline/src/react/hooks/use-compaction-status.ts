import { useEffect, useState } from "react";
import type { CompactionStage } from "../../chat/compact/compact-context.ts";
import type { Session } from "../../session/session.ts";
import type { SessionEvent } from "../../session/session-events.ts";

export interface CompactionStatus {
  readonly isCompacting: boolean;
  /** What was done last to make room in the window; nothing before that. */
  readonly lastCompaction: {
    readonly stage: Exclude<CompactionStage, "none">;
    readonly savedTokens: number;
    /** Whether outputs were masked, or messages replaced by a summary. */
    readonly by: "prune" | "compact";
  } | null;
}

const QUIET: CompactionStatus = { isCompacting: false, lastCompaction: null };

/**
 * Whether a session is being compacted, and what the last time won.
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
