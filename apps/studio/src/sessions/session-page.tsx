import { useMemo } from "react";
import { worstCompaction } from "throughline/internal";
import { openRoute } from "../app/route.ts";
import { sessionsCopy as copy } from "../copy/sessions.ts";
import { day } from "../inspector/copy.ts";
import { Findings } from "../inspector/findings.tsx";
import { useServer } from "../server/use-server.ts";
import { Button } from "../ui/button.tsx";
import { readReport, type WireReport } from "./read-report.ts";
import { SessionActs } from "./session-acts.tsx";
import { agentName } from "./session-list.tsx";
import styles from "./sessions-view.module.css";
import { WindowPanel } from "./window-panel.tsx";

/** Ids of sessions in the store of the server. */
const OWN = "throughline:";

interface SessionPageProps {
  readonly id: string;
  /** Zero-based; default: the worst one. */
  readonly compaction: number | undefined;
  /** Changes when the server told of a change. */
  readonly turn: number;
}

/** The report of a session at one of its compactions. */
export function SessionPage({ id, compaction, turn }: SessionPageProps) {
  const isOwn = id.startsWith(OWN);
  const path = `/inspect/sessions/${encodeURIComponent(id)}`;
  // A recorded session is read again when it is opened; one of the server also when it changed.
  const { data, problem, reload } = useServer<WireReport>(path, isOwn ? turn : 0);
  const report = useMemo(() => (data === undefined ? undefined : readReport(data)), [data]);
  if (problem !== undefined) {
    return (
      <div className={styles.empty}>
        <p>{problem}</p>
        <Button onClick={reload}>{copy.retry}</Button>
      </div>
    );
  }
  if (report === undefined) {
    return (
      <p className={styles.empty} role="status">
        {copy.loading}
      </p>
    );
  }
  const { meta, compactions, title } = report;
  const chosen =
    compaction !== undefined && compaction < compactions.length ? compaction : worstCompaction(compactions);
  const startedAt = meta.startedAt === undefined ? undefined : day(meta.startedAt);
  return (
    <div className={styles.report}>
      <header className={styles.header}>
        <h1 dir="auto">{title}</h1>
        <p>{[agentName(id.split(":")[0] ?? ""), meta.cwd, meta.branch, startedAt].filter(Boolean).join(" · ")}</p>
        <a className={styles.export} href={`${path}/html`} download>
          {copy.export}
        </a>
      </header>
      <Findings
        report={report}
        chosen={chosen}
        onChoose={(next) => openRoute("sessions", id, next)}
        renderWindow={(call, onBack) => (
          <WindowPanel
            path={path}
            report={report}
            call={call}
            base={compactions[chosen]?.call}
            onBack={compactions.length === 0 ? undefined : onBack}
          />
        )}
        more={isOwn && <SessionActs sessionId={id.slice(OWN.length)} turn={turn} onChange={reload} />}
      />
    </div>
  );
}
