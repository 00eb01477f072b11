import { type ReactNode, useState } from "react";
import type { Receipt } from "throughline";
import type { FactBook } from "throughline/chat";
import { showFact } from "throughline/react";
import { formatNumber, formatTokens } from "../../../copy/format.ts";
import { requestCopy } from "../../../copy/requests.ts";
import { CategoryMark } from "../../../panel/cards/categories.tsx";
import { Button } from "../../../ui/controls/button.tsx";
import { Disclosure } from "../../../ui/controls/disclosure.tsx";
import { useSnapshot } from "../../../ui/use-snapshot.ts";
import { VisuallyHidden } from "../../../ui/visually-hidden.tsx";
import type { ShownMessage } from "../../chat-state.ts";
import { type CountedRule, describeLimit, type InjectedMemory, readReceipt } from "./read-receipt.ts";
import styles from "./receipt-view.module.css";

interface ReceiptViewProps {
  readonly receipt: Receipt;
  readonly messages: readonly ShownMessage[];
  readonly book: FactBook;
  /** Context of the model in use, in tokens. */
  readonly contextLimit: number;
}

/** One receipt: the items of the window with their tokens, and those that were left out. */
export function ReceiptView({ receipt, messages, book, contextLimit }: ReceiptViewProps) {
  const { counted, injected, pruned, compacted, trimmed } = readReceipt(receipt);
  const words = new Map(messages.map((message) => [message.id, message.text]));
  const toItem = ({ messageId, tokens, ...rest }: Omit<TableItem, "text">): TableItem => ({
    ...rest,
    messageId,
    tokens,
    text: words.get(messageId),
  });
  return (
    <>
      <Totals receipt={receipt} counted={counted} contextLimit={contextLimit} />
      <Section {...requestCopy.counted} count={requestCopy.counted.count(receipt.items.length)}>
        {counted.map((one) => (
          <CountedLine key={one.rule} counted={one} items={one.items.map(toItem)} />
        ))}
      </Section>
      <Section {...requestCopy.injected} count={requestCopy.injected.count(injected.length)}>
        {injected.length > 0 && <Injected injected={injected} book={book} />}
      </Section>
      <Section {...requestCopy.pruned} count={requestCopy.messages(pruned.length)}>
        {pruned.map(({ messageId, parts }) => (
          <p key={messageId} className={styles.line}>
            {words.get(messageId) ?? <code>{messageId}</code>}
            <Handles handles={parts.map((part) => `part:${part}`)} />
          </p>
        ))}
      </Section>
      <Section {...requestCopy.compacted} count={requestCopy.messages(compacted.length)}>
        {compacted.length > 0 && <ItemTable caption={requestCopy.compacted.title} items={compacted.map(toItem)} />}
      </Section>
      <Section {...requestCopy.trimmed} count={requestCopy.messages(trimmed.length)}>
        {trimmed.length > 0 && <ItemTable caption={requestCopy.trimmed.title} items={trimmed.map(toItem)} />}
        <Handles handles={receipt.handles} />
      </Section>
      <Remarks receipt={receipt} />
    </>
  );
}

function Remarks({ receipt }: { readonly receipt: Receipt }) {
  return (
    <>
      <Section {...requestCopy.repairs} count={formatNumber(receipt.repairs.length)}>
        {receipt.repairs.map(({ code, messageId, text }) => (
          <p key={`${code}:${messageId}:${text}`} className={styles.line}>
            <code>{code}</code> {text}
          </p>
        ))}
      </Section>
      <Section {...requestCopy.notes} count={formatNumber(receipt.notes.length)}>
        {receipt.notes.map((note) => (
          <p key={note} className={styles.line}>
            {note}
          </p>
        ))}
      </Section>
    </>
  );
}

function CountedLine({ counted, items }: { readonly counted: CountedRule; readonly items: readonly TableItem[] }) {
  return (
    <Disclosure
      className={styles.rule}
      summary={
        <span className={styles.summary}>
          <span>{counted.label}</span>
          <span>{requestCopy.counted.count(items.length)}</span>
          <span className={styles.tokens}>{formatTokens(counted.tokens)}</span>
        </span>
      }
    >
      <ItemTable caption={counted.label} items={items} />
    </Disclosure>
  );
}

interface TotalsProps extends Pick<ReceiptViewProps, "receipt" | "contextLimit"> {
  readonly counted: readonly CountedRule[];
}

function Totals({ receipt, counted, contextLimit }: TotalsProps) {
  const { tokens, budget } = receipt;
  const { model, limit, reserved } = describeLimit(receipt, contextLimit);
  return (
    <div className={styles.totals}>
      <p className={styles.total}>
        <strong>{formatNumber(tokens)}</strong> {requestCopy.of(limit)}
      </p>
      <p className={styles.model}>
        {requestCopy.totals(model, receipt.counted, Math.max(0, budget - tokens))}
        {reserved > 0 && requestCopy.reserved(reserved)}
      </p>
      <div className={styles.bar} aria-hidden>
        {counted.map((one) => (
          <span key={one.rule} style={{ flexGrow: one.tokens }} data-rule={one.rule} />
        ))}
        <span style={{ flexGrow: Math.max(0, budget - tokens) }} data-rule="free" />
      </div>
    </div>
  );
}

function Injected({ injected, book }: { readonly injected: readonly InjectedMemory[]; readonly book: FactBook }) {
  const { facts, deleted } = useSnapshot(book);
  const known = new Map([...deleted, ...facts].map((fact) => [fact.id, fact]));
  return (
    <ul className={styles.memories}>
      {injected.map(({ id, reason }) => {
        const fact = known.get(id);
        return (
          <li key={id}>
            {fact && <CategoryMark category={fact.category} />}
            <span>
              {fact === undefined ? <code>{id}</code> : showFact(fact.fact)}
              <span className={styles.reason}>{reason ?? requestCopy.noReason}</span>
            </span>
          </li>
        );
      })}
    </ul>
  );
}

function Handles({ handles }: { readonly handles: readonly string[] }) {
  if (handles.length === 0) return null;
  return (
    <span className={styles.handles}>
      {requestCopy.recallAs}{" "}
      {handles.map((handle) => (
        <code key={handle}>{handle}</code>
      ))}
    </span>
  );
}

interface SectionProps {
  readonly title: string;
  readonly about: string;
  readonly count: string;
  readonly children: ReactNode;
}

function Section({ title, about, count, children }: SectionProps) {
  return (
    <section className={styles.section}>
      <h3 className={styles.heading}>
        {title} <span>{count}</span>
      </h3>
      <p className={styles.about}>{about}</p>
      {children}
    </section>
  );
}

/** Maximum number of items before *Show all*. */
const SHOWN_AT_FIRST = 30;

/** An item of the window, or one that was left out. */
interface TableItem extends Partial<Pick<Receipt["items"][number], "role" | "sources" | "shortened">> {
  readonly messageId: string;
  readonly tokens: number;
  /** Text of a message of this conversation. */
  readonly text?: string | undefined;
}

function ItemTable({ caption, items }: { readonly caption: string; readonly items: readonly TableItem[] }) {
  const [isWhole, setWhole] = useState(items.length <= SHOWN_AT_FIRST);
  const shown = isWhole ? items : items.slice(-SHOWN_AT_FIRST);
  return (
    <>
      {!isWhole && (
        <Button kind="link" onClick={() => setWhole(true)}>
          {requestCopy.showAll(items.length)}
        </Button>
      )}
      <table className={styles.table}>
        <caption>
          <VisuallyHidden>{caption}</VisuallyHidden>
        </caption>
        <thead>
          <tr>
            <th scope="col">{requestCopy.item}</th>
            <th scope="col">{requestCopy.tokens}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((item) => (
            <tr key={item.messageId}>
              <td>
                <span className={styles.words}>
                  {item.role !== undefined && <span className={styles.role}>{item.role}</span>}
                  {item.text ?? <code>{item.messageId}</code>}
                </span>
                <span className={styles.detail}>{detailsOf(item)}</span>
              </td>
              <td>{formatNumber(item.tokens)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function detailsOf({ sources, shortened }: TableItem): string {
  return [sources && requestCopy.sources(sources.length), shortened && requestCopy.shortened(shortened.length)]
    .filter(Boolean)
    .join(" · ");
}
