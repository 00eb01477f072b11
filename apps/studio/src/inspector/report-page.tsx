import { useState } from "react";
import { type SessionReport, worstCompaction } from "throughline/internal";
import { CacheBill } from "./cache-bill.tsx";
import { CompactionItems } from "./compaction-items.tsx";
import { day, number, short } from "./copy.ts";
import { describeCompaction } from "./describe-compaction.ts";
import { NeededNames } from "./needed-names.tsx";
import styles from "./report-page.module.css";
import { RuleStrip } from "./rule-strip.tsx";
import { WindowChart } from "./window-chart.tsx";

interface ReportPageProps {
  readonly report: SessionReport;
}

/** A recorded session: its windows, and what each compaction kept and lost. Opens on the worst compaction. */
export function ReportPage({ report }: ReportPageProps) {
  const { compactions, calls, meta } = report;
  const [chosen, setChosen] = useState(() => worstCompaction(compactions));
  const [call, setCall] = useState(() => Math.max(0, (compactions[chosen]?.call ?? calls.length) - 1));
  const compaction = compactions[chosen];
  return (
    <main className={styles.page}>
      <header className={styles.header}>
        <h1 dir="auto">{report.title}</h1>
        <p>
          {[meta.cwd, meta.branch, meta.startedAt === undefined ? undefined : day(meta.startedAt)]
            .filter(Boolean)
            .join(" · ")}
        </p>
      </header>
      <p className={styles.sentence}>
        {compaction === undefined
          ? `${number(calls.length)} calls, no compaction. The largest window had ${short(Math.max(0, ...calls.map(({ tokens }) => tokens)))} tokens.`
          : describeCompaction(compaction)}
      </p>
      {compactions.length > 1 && (
        <div className={styles.tabs} role="tablist" aria-label="Compactions">
          {compactions.map(({ at, tokensBefore, tokensAfter, call: first }, i) => (
            <button
              key={at}
              type="button"
              role="tab"
              aria-selected={i === chosen}
              onClick={() => {
                setChosen(i);
                setCall(Math.max(0, first - 1));
              }}
            >
              {`Compaction ${number(i + 1)}`} <small>{`${short(tokensBefore)} → ${short(tokensAfter)}`}</small>
            </button>
          ))}
        </div>
      )}
      <WindowChart report={report} selected={call} onSelect={setCall} />
      <div className={styles.columns}>
        {compaction !== undefined && (
          <CompactionItems key={`items ${chosen}`} report={report} compaction={compaction} />
        )}
        {compaction !== undefined && <NeededNames key={`names ${chosen}`} compaction={compaction} />}
        <div className={styles.stack}>
          <RuleStrip report={report} />
          <CacheBill report={report} />
        </div>
      </div>
    </main>
  );
}
