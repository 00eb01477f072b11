import { useEffect, useState } from "react";
import type { Receipt } from "throughline";
import type { FactBook } from "throughline/chat";
import { formatDay, formatTime, formatTokens } from "../../../copy/format.ts";
import { requestCopy } from "../../../copy/requests.ts";
import { Select } from "../../../ui/controls/select.tsx";
import { Drawer } from "../../../ui/overlays/drawer.tsx";
import type { ShownMessage } from "../../chat-state.ts";
import { ReceiptView } from "./receipt-view.tsx";
import styles from "./request-details.module.css";

/** Maximum number of requests in the list. */
const RECEIPTS = 50;

export interface RequestDetailsProps {
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  /** The receipts of the open conversation, the newest last. */
  readonly readReceipts: (limit?: number) => Promise<readonly Receipt[]>;
  readonly messages: readonly ShownMessage[];
  readonly book: FactBook;
  /** Context of the model in use, in tokens. */
  readonly contextLimit: number;
  /** A change means that there is a new receipt. */
  readonly isAnswering: boolean;
}

/** Details of the last request or an earlier one: counted, injected, pruned and left out. */
export function RequestDetails(props: RequestDetailsProps) {
  return (
    <Drawer side="right" title={requestCopy.title} isOpen={props.isOpen} onOpenChange={props.onOpenChange}>
      <Receipts {...props} />
    </Drawer>
  );
}

type Read = { readonly receipts: readonly Receipt[] } | { readonly problem: string };

function Receipts({ readReceipts, messages, book, contextLimit, isAnswering }: RequestDetailsProps) {
  const [read, setRead] = useState<Read>();
  const [pickedId, setPickedId] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: there is a new receipt when an answer begins or ends
  useEffect(() => {
    let isStale = false;
    readReceipts(RECEIPTS).then(
      (receipts) => !isStale && setRead({ receipts }),
      (error: unknown) => !isStale && setRead({ problem: String(error) }),
    );
    return () => {
      isStale = true;
    };
  }, [readReceipts, isAnswering]);

  if (read === undefined) return <p className={styles.empty}>{requestCopy.loading}</p>;
  if ("problem" in read) return <p className={styles.empty}>{requestCopy.notLoaded(read.problem)}</p>;
  const newestFirst = read.receipts.toReversed();
  const receipt = newestFirst.find((one) => one.id === pickedId) ?? newestFirst[0];
  if (receipt === undefined) {
    return <p className={styles.empty}>{requestCopy.empty}</p>;
  }
  return (
    <div className={styles.view}>
      <Select
        label={requestCopy.turn}
        className={styles.picker}
        value={receipt.id}
        options={newestFirst.map((one, index) => ({ value: one.id, label: describeTurn(one, index) }))}
        onChange={setPickedId}
      />
      <ReceiptView receipt={receipt} messages={messages} book={book} contextLimit={contextLimit} />
    </div>
  );
}

function describeTurn({ createdAt, tokens }: Receipt, index: number): string {
  const which = index === 0 ? requestCopy.lastTurn : requestCopy.turnsAgo(index);
  return `${which} · ${formatDay(createdAt)} ${formatTime(createdAt)} · ${formatTokens(tokens)}`;
}
