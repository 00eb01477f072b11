import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { type ExtractionBatch, ExtractionTrigger } from "../../chat/turn/extraction-trigger.ts";
import { checkOptions, FUNCTION } from "../../errors/check-options.ts";

/** Options of `useMemoryExtraction`. */
export interface MemoryExtractionOptions<T> {
  /**
   * Extracts facts from the new messages and saves them: `tl.memory.ingest` does both. After a rejection the same
   * messages are tried again next time.
   */
  readonly extract: (batch: ExtractionBatch<T>) => PromiseLike<unknown>;
  /** Returns true for messages that were extracted before, e.g. in an earlier visit. Default: none were. */
  readonly isExtracted?: (message: T) => boolean;
}

/** Result of `useMemoryExtraction`. */
export interface MemoryExtraction {
  /** Extracts from the new messages now, if there are at least two. */
  readonly triggerExtraction: () => void;
  /** True if an extraction is running. */
  readonly isExtracting: boolean;
  /** Time at which the last extraction ended, in milliseconds since 1970; `null` before that. */
  readonly lastExtraction: number | null;
  /** Error of the last extraction, if it failed. */
  readonly error?: unknown;
}

/**
 * Extracts facts from a conversation: after every five messages, when the tab is hidden or closed, when another
 * conversation is opened, and when the component is unmounted. Each message is extracted once.
 *
 * @param conversationId Id of the open conversation.
 * @param messages The whole conversation.
 * @param options How to extract, and which messages were extracted before.
 * @throws InvalidOptionError if an option is invalid or unknown.
 *
 * @example
 * useMemoryExtraction("c1", messages, {
 *   extract: ({ conversationId, fresh }) =>
 *     tl.memory.ingest({
 *       sessionId: conversationId,
 *       messages: fresh.map(({ id, role, parts }) => ({
 *         id,
 *         role,
 *         text: parts.map((part) => (part.type === "text" ? part.text : "")).join(""),
 *       })),
 *     }),
 * });
 */
export function useMemoryExtraction<T extends object>(
  conversationId: string,
  messages: readonly T[],
  options: MemoryExtractionOptions<T>,
): MemoryExtraction {
  checkOptions("useMemoryExtraction", options, { extract: FUNCTION, isExtracted: FUNCTION });
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
