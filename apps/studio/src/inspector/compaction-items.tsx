import { useMemo, useState } from "react";
import type { ItemFate, ReportedCompaction, SessionReport } from "throughline/internal";
import { BAND_NAMES, count, FATE_NAMES, number } from "./copy.ts";
import styles from "./report-page.module.css";

const FATES: readonly ItemFate[] = ["gone", "mentioned", "kept"];
/** Rows that are shown at once. */
const PAGE = 200;

interface CompactionItemsProps {
  readonly report: SessionReport;
  readonly compaction: ReportedCompaction;
}

/** The window before a compaction, message by message, by what happened to it. */
export function CompactionItems({ report, compaction }: CompactionItemsProps) {
  const groups = useMemo(() => Map.groupBy(compaction.items, ({ fate }) => fate), [compaction]);
  const [fate, setFate] = useState<ItemFate>("gone");
  const items = groups.get(fate) ?? [];
  const [shown, setShown] = useState(PAGE);
  return (
    <section className={styles.box} aria-label="Messages before the compaction">
      <h2>What happened to each message</h2>
      <div className={styles.tabs} role="tablist">
        {FATES.map((one) => {
          const own = groups.get(one) ?? [];
          const tokens = own.reduce((sum, item) => sum + item.tokens, 0);
          return (
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
              {FATE_NAMES[one]} <small>{`${number(own.length)} · ${number(tokens)} tokens`}</small>
            </button>
          );
        })}
      </div>
      <ol className={styles.items}>
        {items.slice(0, shown).map(({ message, band, tokens }) => (
          <li key={message}>
            <small>{`${BAND_NAMES[band]} · message ${number(message + 1)} · ${count(tokens, "token")}`}</small>
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
