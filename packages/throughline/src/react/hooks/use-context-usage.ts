import { useCallback, useEffect, useMemo, useState } from "react";
import { type ContextUsage, readContextUsage } from "../../chat/turn/read-context-usage.ts";
import type { Receipt } from "../../receipt/receipt.ts";
import type { Session } from "../../session/session.ts";

/** Where receipts come from. A session is one. */
export interface ReceiptSource {
  receipts(limit?: number): Promise<readonly Receipt[]>;
  on?: Session["on"];
}

export interface ContextUsageOptions {
  /** Tokens that the model takes in all; without it, what the turn was allowed. */
  readonly contextLimit?: number;
}

export interface ContextUsageState {
  /** Nothing before the first turn. */
  readonly usage: ContextUsage | null;
  /** Looks for a newer receipt: to be called when a turn was prepared. */
  readonly refresh: () => void;
}

/**
 * How full the window is, by what is in it, from the last receipt: of a session, or one that is given.
 *
 * @example
 * const { usage, refresh } = useContextUsage(session, { contextLimit: 128_000 });
 */
export function useContextUsage(
  source: ReceiptSource | Receipt | null | undefined,
  { contextLimit }: ContextUsageOptions = {},
): ContextUsageState {
  const [read, setRead] = useState<{ readonly source: ReceiptSource; readonly receipt: Receipt | undefined }>();
  const [asked, setAsked] = useState(0);
  const refresh = useCallback(() => setAsked((count) => count + 1), []);

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
  }, [source, asked]);

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
