import { type ReactNode, useMemo, useState } from "react";
import {
  BANDS,
  type ItemFate,
  type ReportedCompaction,
  type ReportedMessage,
  type SessionReport,
} from "throughline/internal/inspect";
import { BAND_NAMES, inspectorCopy as copy, FATE_NAMES, FATE_REASONS, number } from "../copy/inspector.ts";
import styles from "./report-page.module.css";

const FATES: readonly ItemFate[] = ["gone", "mentioned", "masked", "kept", "added"];
/** Fates that are not offered if no message has them. */
const RARE: readonly ItemFate[] = ["masked", "added"];
/** Rows that are shown at once. */
const PAGE = 100;

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
  const [fate, setFate] = useState<ItemFate>(() => FATES.find((one) => groups.has(one)) ?? "gone");
  const items = useMemo(() => (groups.get(fate) ?? []).toSorted((a, b) => b.tokens - a.tokens), [groups, fate]);
  const [shown, setShown] = useState(PAGE);
  return (
    <section className={styles.box} aria-label={copy.items.label}>
      <h2>{copy.items.title}</h2>
      <Sums report={report} compaction={compaction} />
      <div className={styles.tabs} role="tablist" aria-label={copy.items.fates}>
        {FATES.filter((one) => groups.has(one) || !RARE.includes(one)).map((one) => (
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
      {items.length > 0 && (
        <p className={`${styles.none} ${styles.fate}`}>{`${copy.token(sumOf(items))}: ${FATE_REASONS[fate]}`}</p>
      )}
      {acts?.notice}
      <ol className={styles.items}>
        {items.slice(0, shown).map(({ message, band, tokens, text = report.messages[message]?.text }) => (
          <li key={message}>
            {actsOn(acts, report.messages[message], fate)}
            <small>
              {[BAND_NAMES[band], message >= 0 && copy.message(message), copy.token(tokens)]
                .filter(Boolean)
                .join(" · ")}
            </small>
            <span dir="auto">{text}</span>
          </li>
        ))}
        {items.length === 0 && <li className={styles.none}>{copy.items.none}</li>}
      </ol>
      {items.length > shown && (
        <button type="button" className={styles.more} onClick={() => setShown(shown + PAGE)}>
          {copy.items.more(items.length - shown)}
        </button>
      )}
    </section>
  );
}

function actsOn(acts: ItemActs | undefined, message: ReportedMessage | undefined, fate: ItemFate): ReactNode {
  return message?.id === undefined ? undefined : acts?.render(message.id, fate);
}

function sumOf(items: ReportedCompaction["items"]): number {
  return items.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** The sizes of both windows as sums of their parts. */
function Sums({ report, compaction: { bandsBefore, call } }: Pick<CompactionItemsProps, "report" | "compaction">) {
  const after = report.calls[call];
  const shown = BANDS.filter((band) => bandsBefore[band] + (after?.bands[band] ?? 0) > 0);
  const difference = after?.reported === undefined ? 0 : after.reported - after.tokens;
  return (
    <table className={styles.sums}>
      <caption>{describeWindows(call, after !== undefined)}</caption>
      <thead>
        <tr className={styles.total}>
          <th scope="col" className={styles.part}>
            {copy.items.tokens}
          </th>
          <th scope="col" className={styles.figure}>
            {copy.items.before}
          </th>
          <th scope="col" className={styles.figure}>
            {copy.items.after}
          </th>
        </tr>
      </thead>
      <tbody className={styles.parts}>
        {shown.map((band) => (
          <Sum key={band} name={BAND_NAMES[band]} before={bandsBefore[band]} after={after?.bands[band]} />
        ))}
      </tbody>
      <tfoot>
        <Sum
          name={copy.items.total}
          before={shown.reduce((sum, band) => sum + bandsBefore[band], 0)}
          after={after?.tokens}
          isTotal
        />
        {difference !== 0 && (
          <Sum name={difference > 0 ? copy.items.notInTranscript : copy.items.removed} after={difference} />
        )}
        {after?.reported !== undefined && <Sum name={copy.items.reported} after={after.reported} />}
      </tfoot>
    </table>
  );
}

/** The calls whose windows the table compares. */
function describeWindows(call: number, hasAfter: boolean): string {
  const before = call === 0 ? "" : copy.items.callBefore(call);
  return [before, hasAfter && copy.items.callAfter(call)].filter(Boolean).join(" ");
}

interface SumProps {
  readonly name: string;
  readonly before?: number;
  readonly after: number | undefined;
  readonly isTotal?: boolean;
}

function Sum({ name, before, after, isTotal = false }: SumProps) {
  return (
    <tr className={isTotal ? styles.total : undefined}>
      <th scope="row" className={styles.part}>
        {name}
      </th>
      <td className={styles.figure}>{before === undefined ? "" : number(before)}</td>
      <td className={styles.figure}>{after === undefined ? "" : number(after)}</td>
    </tr>
  );
}
