import type { ReactNode } from "react";
import type { Receipt } from "throughline";
import type { FactBook } from "throughline/chat";
import { Disclosure } from "../../../ui/disclosure.tsx";
import { useSnapshot } from "../../../ui/use-snapshot.ts";
import type { ShownMessage } from "../../chat.ts";
import { CategoryMark } from "../category-mark.tsx";
import { formatCount, formatNumber, formatTokens } from "../format.ts";
import { ItemTable, type TableItem } from "./item-table.tsx";
import { type CountedRule, describeLimit, type InjectedMemory, readReceipt } from "./read-receipt.ts";
import styles from "./receipt-view.module.css";

export interface ReceiptViewProps {
  readonly receipt: Receipt;
  readonly messages: readonly ShownMessage[];
  readonly book: FactBook;
  /** Context of the model in use, in tokens. */
  readonly contextLimit: number;
}

/** One receipt: why each token was in the window, and what was not. */
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
      <Section
        title="Counted"
        about="Everything in the request, by part."
        count={formatCount(receipt.items.length, "item", "items")}
      >
        {counted.map((one) => (
          <CountedLine key={one.rule} counted={one} items={one.items.map(toItem)} />
        ))}
      </Section>
      <Section
        title="Injected"
        about="Memories added to the system prompt, each with its reason."
        count={formatCount(injected.length, "memory", "memories")}
      >
        {injected.length > 0 && <Injected injected={injected} book={book} />}
      </Section>
      <Section
        title="Pruned"
        about="Messages with long parts cut or hidden."
        count={formatCount(pruned.length, "message", "messages")}
      >
        {pruned.map(({ messageId, parts }) => (
          <p key={messageId} className={styles.line}>
            {words.get(messageId) ?? <code>{messageId}</code>}
            <Handles handles={parts.map((part) => `part:${part}`)} />
          </p>
        ))}
      </Section>
      <Section
        title="Compacted"
        about="Earlier messages replaced by the summary."
        count={formatCount(compacted.length, "message", "messages")}
      >
        {compacted.length > 0 && <ItemTable caption="Compacted" items={compacted.map(toItem)} />}
      </Section>
      <Section
        title="Trimmed"
        about="Messages left out because the context was full."
        count={formatCount(trimmed.length, "message", "messages")}
      >
        {trimmed.length > 0 && <ItemTable caption="Trimmed" items={trimmed.map(toItem)} />}
        <Handles handles={receipt.handles} />
      </Section>
      <Remarks receipt={receipt} />
    </>
  );
}

function Remarks({ receipt }: { readonly receipt: Receipt }) {
  return (
    <>
      <Section
        title="Repairs"
        about="Changes that make the request valid for the model."
        count={formatNumber(receipt.repairs.length)}
      >
        {receipt.repairs.map(({ code, messageId, text }) => (
          <p key={`${code}:${messageId}:${text}`} className={styles.line}>
            <code>{code}</code> {text}
          </p>
        ))}
      </Section>
      <Section title="Notes" about="Remarks about this request." count={formatNumber(receipt.notes.length)}>
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
          <span>{formatCount(items.length, "item", "items")}</span>
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
        <strong>{formatNumber(tokens)}</strong> of {formatTokens(limit)}
      </p>
      <p className={styles.model}>
        {model} · counted {formatNumber(receipt.counted)} · {formatNumber(Math.max(0, budget - tokens))} left
        {reserved > 0 && ` · ${formatNumber(reserved)} reserved for the reply`}
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
              {fact?.fact ?? <code>{id}</code>}
              <span className={styles.reason}>{reason ?? "No reason recorded."}</span>
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
      Recall as{" "}
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
