import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { type CompactionStatus, CompactionTracker } from "../chat/compact/compaction-tracker.ts";
import type { FactBook, FactBookState } from "../chat/fact-book/fact-book.ts";
import { type ExtractionBatch, ExtractionTrigger } from "../chat/turn/extraction-trigger.ts";
import { type ContextUsage, readContextUsage } from "../chat/turn/read-context-usage.ts";
import { ABOVE_ZERO, checkOptions, FUNCTION } from "../errors/check-options.ts";
import type { Receipt } from "../receipt/receipt.ts";
import type { Session } from "../session/session.ts";

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
    // React may unmount a component and mount it again at once, which is not the end of its use.
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

/** Source of receipts, such as a `Session`. */
export interface ReceiptSource {
  /**
   * Returns the newest receipts, oldest first.
   *
   * @param limit Maximum number of receipts.
   */
  receipts(limit?: number): Promise<readonly Receipt[]>;
  /** Listens to changes, after which the receipt is read again. Optional. */
  on?: Session["on"];
}

/** Options of `useContextUsage`. */
export interface ContextUsageOptions {
  /** Context limit of the model in tokens. Default: the budget of the turn. */
  readonly contextLimit?: number;
}

/** Result of `useContextUsage`. */
export interface ContextUsageState {
  /** Usage of the last window; `null` before the first turn, or if receipts cannot be read. */
  readonly usage: ContextUsage | null;
  /** Reads the newest receipt. Call it after each prepared turn. */
  readonly refresh: () => void;
}

/**
 * Returns how full the context window is, by kind of content, for a usage bar. Reads the last receipt again after each
 * compaction and pruning, and when you call `refresh`.
 *
 * @param source Session, or a receipt from `session.prepare`. `null` and `undefined` have no usage.
 * @param options Context limit of the model.
 * @throws InvalidOptionError if an option is invalid or unknown.
 *
 * @example
 * const { usage, refresh } = useContextUsage(session, { contextLimit: 128_000 });
 */
export function useContextUsage(
  source: ReceiptSource | Receipt | null | undefined,
  options: ContextUsageOptions = {},
): ContextUsageState {
  checkOptions("useContextUsage", options, { contextLimit: ABOVE_ZERO });
  const { contextLimit } = options;
  const [read, setRead] = useState<{ readonly source: ReceiptSource; readonly receipt: Receipt | undefined }>();
  const [refreshCount, setRefreshCount] = useState(0);
  const refresh = useCallback(() => setRefreshCount((count) => count + 1), []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: every request reads again
  useEffect(() => {
    if (!isSource(source)) return undefined;
    let isWanted = true;
    source.receipts(1).then(
      (receipts) => {
        if (isWanted) setRead({ source, receipt: receipts.at(-1) });
      },
      // Without a receipt there is nothing to show, and the chat goes on.
      () => undefined,
    );
    return () => {
      isWanted = false;
    };
  }, [source, refreshCount]);

  useEffect(() => (isSource(source) ? source.on?.(refresh) : undefined), [source, refresh]);

  const receipt = isSource(source) ? (read?.source === source ? read.receipt : undefined) : (source ?? undefined);
  const usage = useMemo(() => {
    if (receipt === undefined) return null;
    return readContextUsage(receipt, contextLimit === undefined ? {} : { contextLimit });
  }, [receipt, contextLimit]);
  return { usage, refresh };
}

function isSource(source: ReceiptSource | Receipt | null | undefined): source is ReceiptSource {
  return source !== null && source !== undefined && "receipts" in source;
}

/**
 * Returns the state of a fact book and renders again when it changes. Reloads the facts when the tab becomes visible,
 * because another tab may have changed them.
 *
 * @param book Fact book from `createFactBook`.
 *
 * @example
 * const { facts, removals, clearing } = useMemoryFacts(book);
 */
export function useMemoryFacts(book: FactBook): FactBookState {
  useEffect(() => {
    const refresh = () => {
      if (document.visibilityState === "visible") void book.refresh();
    };
    document.addEventListener("visibilitychange", refresh);
    return () => document.removeEventListener("visibilitychange", refresh);
  }, [book]);
  const subscribe = useCallback((listener: () => void) => book.subscribe(listener), [book]);
  const read = useCallback(() => book.getSnapshot(), [book]);
  return useSyncExternalStore(subscribe, read, read);
}
