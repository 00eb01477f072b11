import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { type ExtractionBatch, ExtractionTrigger } from "../../chat/extraction/extraction-trigger.ts";

export interface MemoryExtractionOptions<T> {
  /** Extracts and remembers: `tl.memory.ingest` does both. */
  readonly extract: (batch: ExtractionBatch<T>) => PromiseLike<unknown>;
  /** What was extracted from before, in an earlier session perhaps. */
  readonly isExtracted?: (message: T) => boolean;
}

export interface MemoryExtraction {
  readonly triggerExtraction: () => void;
  readonly isExtracting: boolean;
  /** When the last extraction ended, in milliseconds since 1970. */
  readonly lastExtraction: number | null;
  /** What the last extraction failed with. */
  readonly error?: unknown;
}

/**
 * Extracts facts from a conversation after every five messages, when the tab is hidden or closed, when another
 * conversation is opened, and when the component goes.
 *
 * @example
 * useMemoryExtraction(id, messages, { extract: async ({ fresh }) => console.log(fresh.length) });
 */
export function useMemoryExtraction<T extends object>(
  conversationId: string,
  messages: readonly T[],
  options: MemoryExtractionOptions<T>,
): MemoryExtraction {
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  const trigger = useTrigger(conversationId, latest);

  useEffect(() => trigger.note(messages), [trigger, messages]);
  useEffect(() => {
    // React may take a component down and put it up again at once: that is no end.
    trigger.cancel();
    return () => trigger.trigger();
  }, [trigger]);
  useEffect(() => {
    const finish = () => trigger.finish();
    const finishHidden = () => {
      if (document.visibilityState === "hidden") trigger.finish();
    };
    document.addEventListener("visibilitychange", finishHidden);
    window.addEventListener("beforeunload", finish);
    window.addEventListener("pagehide", finish);
    return () => {
      document.removeEventListener("visibilitychange", finishHidden);
      window.removeEventListener("beforeunload", finish);
      window.removeEventListener("pagehide", finish);
    };
  }, [trigger]);

  const state = useSyncExternalStore(trigger.subscribe, trigger.getSnapshot, trigger.getSnapshot);
  const triggerExtraction = useCallback(() => trigger.trigger(), [trigger]);
  return { ...state, triggerExtraction };
}

/** One for each conversation, so that who comes back to one does not have it read twice. */
function useTrigger<T extends object>(
  conversationId: string,
  latest: { readonly current: MemoryExtractionOptions<T> },
): ExtractionTrigger<T> {
  const [triggers] = useState(() => new Map<string, ExtractionTrigger<T>>());
  const known = triggers.get(conversationId);
  if (known !== undefined) return known;
  const trigger = new ExtractionTrigger<T>({
    conversationId,
    extract: (batch) => latest.current.extract(batch),
    isExtracted: (message) => latest.current.isExtracted?.(message) ?? false,
  });
  triggers.set(conversationId, trigger);
  return trigger;
}
