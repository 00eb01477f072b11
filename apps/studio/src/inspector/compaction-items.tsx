import { type ReactNode, useMemo, useState } from "react";
import {
  BANDS,
  type ItemFate,
  type ReportedCompaction,
  type ReportedMessage,
  type SessionReport,
} from "throughline/internal";
import { BAND_NAMES, count, FATE_NAMES, MISSING, number, UNRECORDED } from "./copy.ts";
import styles from "./report-page.module.css";

const FATES: readonly ItemFate[] = ["gone", "mentioned", "kept"];
/** Rows that are shown at once. */
const PAGE = 200;

/** Acts on the messages of a session that can be changed. */
export interface ItemActs {
  /** Content above the items: the cost of an action, before it is done. */
  readonly notice: ReactNode;
  readonly render: (messageId: string, fate: ItemFate) => ReactNode;
}

interface CompactionItemsProps {
  readonly report: SessionReport;
  readonly compaction: ReportedCompaction;
  readonly acts?: ItemActs | undefined;
}

/** The window before a compaction, with the outcome of each message. */
export function CompactionItems({ report, compaction, acts }: CompactionItemsProps) {
  const groups = useMemo(() => Map.groupBy(compaction.items, ({ fate }) => fate), [compaction]);
  const sumOf = (fate: ItemFate) => (groups.get(fate) ?? []).reduce((sum, item) => sum + item.tokens, 0);
  const [fate, setFate] = useState<ItemFate>(() => FATES.find((one) => groups.has(one)) ?? "gone");
  const items = groups.get(fate) ?? [];
  const [shown, setShown] = useState(PAGE);
  return (
    <section className={styles.box} aria-label="Messages before the compaction">
      <h2>Before and after</h2>
      <Sums report={report} compaction={compaction} tokens={FATES.map((one) => [one, sumOf(one)])} />
      <div className={styles.tabs} role="tablist" aria-label="What happened to each message">
        {FATES.map((one) => (
          <button
            key={one}
            type="button"
            role="tab"
            aria-selected={one === fate}
            onClick={() => {
              setFate(one);
              setShown(PAGE);
            }}
          >
            {FATE_NAMES[one]} <small>{number(groups.get(one)?.length ?? 0)}</small>
          </button>
        ))}
      </div>
      {acts?.notice}
      <ol className={styles.items}>
        {items.slice(0, shown).map(({ message, band, tokens }) => (
          <li key={message}>
            {actsOn(acts, report.messages[message], fate)}
            <small>
              {[BAND_NAMES[band], message >= 0 && `message ${number(message + 1)}`, count(tokens, "token")]
                .filter(Boolean)
                .join(" · ")}
            </small>
            <span dir="auto">{report.messages[message]?.text}</span>
          </li>
        ))}
        {items.length === 0 && <li className={styles.none}>None.</li>}
      </ol>
      {items.length > shown && (
        <button type="button" className={styles.more} onClick={() => setShown(shown + PAGE)}>
          {`Show more (${number(items.length - shown)} left)`}
        </button>
      )}
    </section>
  );
}

function actsOn(acts: ItemActs | undefined, message: ReportedMessage | undefined, fate: ItemFate): ReactNode {
  return message?.id === undefined ? undefined : acts?.render(message.id, fate);
}

interface SumsProps extends CompactionItemsProps {
  readonly tokens: readonly (readonly [ItemFate, number])[];
}

/** The sizes of both windows as sums of their parts. */
function Sums({ report, compaction: { bandsBefore, call }, tokens }: SumsProps) {
  const before = BANDS.reduce((sum, band) => sum + bandsBefore[band], 0);
  const unrecorded = before - tokens.reduce((sum, [, own]) => sum + own, 0);
  const parts = [...tokens.map(([fate, own]) => [FATE_NAMES[fate], own] as const), [UNRECORDED, unrecorded] as const];
  const after = report.calls[call];
  return (
    <table className={styles.sums}>
      <tbody>
        <Sum name="Before" parts={parts} total={before} />
        {after !== undefined && (
          <Sum
            name="After"
            parts={BANDS.map((band) => [BAND_NAMES[band], after.bands[band]] as const)}
            total={after.tokens}
            reported={after.reported}
          />
        )}
      </tbody>
    </table>
  );
}

interface SumProps {
  readonly name: string;
  readonly parts: readonly (readonly [string, number])[];
  readonly total: number;
  readonly reported?: number | undefined;
}

function Sum({ name, parts, total, reported }: SumProps) {
  const shown = parts.filter(([, tokens]) => tokens > 0);
  const missing = (reported ?? total) - total;
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        {shown.map(([part, tokens]) => `${number(tokens)} ${part.toLowerCase()}`).join(" + ")}{" "}
        <strong>{`= ${number(total)} tokens`}</strong>
        {reported !== undefined && missing <= 0 && `; the provider reported ${number(reported)}`}
        {reported !== undefined && missing > 0 && (
          <>
            {` + ${number(missing)} ${MISSING} `}
            <strong>{`= ${number(reported)} reported by the provider`}</strong>
          </>
        )}
      </td>
    </tr>
  );
}
