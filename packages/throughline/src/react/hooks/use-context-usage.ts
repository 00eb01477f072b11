import { useCallback, useEffect, useMemo, useState } from "react";
import { type ContextUsage, readContextUsage } from "../../chat/turn/read-context-usage.ts";
import { ABOVE_ZERO, checkOptions } from "../../errors/check-options.ts";
import type { Receipt } from "../../receipt/receipt.ts";
import type { Session } from "../../session/session.ts";

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

  // biome-ignore lint/correctness/useExhaustiveDependencies: each time that it is asked for, it is read anew
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
