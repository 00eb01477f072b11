import { useState } from "react";
import { type SessionReport, worstCompaction } from "throughline/internal/inspect";
import { day } from "../copy/inspector.ts";
import { Findings } from "./findings.tsx";
import styles from "./report-page.module.css";

/** A recorded session: its windows, and the kept and lost content of each compaction. Opens on the worst compaction. */
export function ReportPage({ report }: { readonly report: SessionReport }) {
  const { compactions, meta } = report;
  const [chosen, setChosen] = useState(() => worstCompaction(compactions));
  const [call, setCall] = useState<number>();
  const choose = (next: number) => {
    setChosen(next);
    setCall(undefined);
  };
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
      <Findings report={report} chosen={chosen} onChoose={choose} call={call} onCall={setCall} />
    </main>
  );
}
