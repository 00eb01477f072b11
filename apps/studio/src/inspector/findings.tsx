import { type ReactNode, useEffect, useRef } from "react";
import type { SessionReport } from "throughline/internal/inspect";
import { CacheBill } from "./cache-bill.tsx";
import { CompactionItems, type ItemActs } from "./compaction-items.tsx";
import { number, short } from "./copy.ts";
import { describeCompaction } from "./describe-compaction.ts";
import { NeededNames } from "./needed-names.tsx";
import styles from "./report-page.module.css";
import { RuleStrip } from "./rule-strip.tsx";
import { WindowChart } from "./window-chart.tsx";

interface FindingsProps {
  readonly report: SessionReport;
  /** Index of the selected compaction; -1 if there is none. */
  readonly chosen: number;
  readonly onChoose: (compaction: number) => void;
  /** Index of the chosen call. Default: the last one before the compaction. */
  readonly call: number | undefined;
  readonly onCall: (call: number) => void;
  /** Replaces the items of the compaction and the names that were needed afterwards. */
  readonly panel?: ReactNode;
  /** Choice of what the columns show. */
  readonly views?: ReactNode;
  /** Acts on messages of a session that can be changed. */
  readonly itemActs?: ItemActs;
  /** More parts at the top of the last column. */
  readonly more?: ReactNode;
}

/** Kept and lost content of a session's compactions, on one screen. */
export function Findings(props: FindingsProps) {
  const { report, chosen, onChoose, call, onCall, panel, views, itemActs, more } = props;
  const { compactions, calls } = report;
  const compaction = compactions[chosen];
  const before = Math.max(0, (compaction?.call ?? calls.length) - 1);
  const items = compaction !== undefined && (
    <CompactionItems key={`items ${chosen}`} report={report} compaction={compaction} acts={itemActs} />
  );
  return (
    <>
      <p className={styles.sentence}>
        {compaction === undefined
          ? `${number(calls.length)} calls, no compaction. The largest window had ${short(Math.max(0, ...calls.map(({ tokens }) => tokens)))} tokens.`
          : describeCompaction(compaction, report.rules)}
      </p>
      <WindowChart report={report} selected={call ?? before} onSelect={onCall} />
      {(compactions.length > 1 || views !== undefined) && (
        <div className={styles.bar}>
          {compactions.length > 1 && <CompactionTabs compactions={compactions} chosen={chosen} onChoose={onChoose} />}
          {views}
        </div>
      )}
      <div className={styles.columns}>
        {panel ?? items}
        {panel === undefined && compaction !== undefined && (
          <NeededNames key={`names ${chosen}`} report={report} compaction={compaction} />
        )}
        <div className={styles.stack}>
          {more}
          <RuleStrip report={report} />
          <CacheBill report={report} onCall={onCall} />
        </div>
      </div>
    </>
  );
}

type CompactionTabsProps = Pick<FindingsProps, "chosen" | "onChoose"> & Pick<SessionReport, "compactions">;

function CompactionTabs({ compactions, chosen, onChoose }: CompactionTabsProps) {
  const selected = useRef<HTMLButtonElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another choice may be off the screen
  useEffect(() => {
    selected.current?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [chosen]);
  return (
    <div className={styles.tabs} role="tablist" aria-label="Compactions">
      {compactions.map(({ at, tokensBefore, tokensAfter }, i) => (
        <button
          key={at}
          ref={i === chosen ? selected : null}
          type="button"
          role="tab"
          aria-selected={i === chosen}
          onClick={() => onChoose(i)}
        >
          {`Compaction ${number(i + 1)}`} <small>{`${short(tokensBefore)} → ${short(tokensAfter)}`}</small>
        </button>
      ))}
    </div>
  );
}
