import { type ReactNode, useMemo, useState } from "react";
import {
  type ReportedCompaction,
  type RulePresence,
  type SessionReport,
  worstCompaction,
} from "throughline/internal/inspect";
import { openRoute, replaceRoute } from "../app/route.ts";
import { day } from "../copy/inspector.ts";
import { sessionsCopy as copy } from "../copy/sessions.ts";
import type { ItemActs } from "../inspector/compaction-items.tsx";
import { Findings } from "../inspector/findings.tsx";
import { useServer } from "../server/use-server.ts";
import { Button } from "../ui/controls/button.tsx";
import { VisuallyHidden } from "../ui/visually-hidden.tsx";
import { EditProposal, PresentWindow, useWindowEdits, type WindowEdits } from "./present-window.tsx";
import { RequestList } from "./request-list.tsx";
import { SessionActs } from "./session-acts.tsx";
import { agentName } from "./session-list.tsx";
import styles from "./sessions-view.module.css";
import { Tabs, WindowPanel } from "./window-panel.tsx";

/** Ids of sessions in the store of the server. */
const OWN = "throughline:";
/** Address segment for the worst compaction. */
const WORST = "worst";

type View = keyof typeof copy.views | "call";

interface SessionPageProps {
  readonly id: string;
  /** Zero-based; default: the worst one. */
  readonly compaction: number | undefined;
  /** Content of the first column; `call` for the window of a call. Default: the items of the compaction. */
  readonly view?: string | undefined;
  readonly call?: number | undefined;
  /** Changes if the server reports a change. */
  readonly turn: number;
}

/** The report of a session at one of its compactions. */
export function SessionPage(props: SessionPageProps) {
  const { id, turn } = props;
  const isOwn = id.startsWith(OWN);
  const path = `/inspect/sessions/${encodeURIComponent(id)}`;
  // A recorded session is read again when it is opened; one of the server also when it changed.
  const { data, problem, reload } = useServer<WireReport>(path, isOwn ? turn : 0);
  const report = useMemo(() => (data === undefined ? undefined : readReport(data)), [data]);
  if (problem !== undefined || report === undefined) {
    return (
      <div className={styles.empty}>
        <VisuallyHidden>
          <h1>{copy.title}</h1>
        </VisuallyHidden>
        <p role={problem === undefined ? "status" : "alert"}>{problem ?? copy.loading}</p>
        {problem !== undefined && <Button onClick={reload}>{copy.retry}</Button>}
      </div>
    );
  }
  return <SessionFindings {...props} path={path} report={report} reload={reload} />;
}

interface SessionFindingsProps extends SessionPageProps {
  readonly path: string;
  readonly report: SessionReport;
  readonly reload: () => void;
}

function SessionFindings(props: SessionFindingsProps) {
  const { id, path, report, compaction, view, call, turn, reload } = props;
  const { compactions } = report;
  const ownId = id.startsWith(OWN) ? id.slice(OWN.length) : undefined;
  const [changes, setChanges] = useState(0);
  const change = () => {
    setChanges((last) => last + 1);
    reload();
  };
  const edits = useWindowEdits(ownId, turn + changes, change);
  const chosen =
    compaction !== undefined && compaction < compactions.length ? compaction : worstCompaction(compactions);
  const place = chosen < 0 ? WORST : chosen;
  const lastCall = Math.max(0, report.calls.length - 1);
  const shownView = view ?? (compactions.length > 0 ? "items" : ownId === undefined ? "call" : "now");
  const shownCall = shownView === "call" ? Math.min(call ?? lastCall, lastCall) : undefined;
  const openCall = (next: number) => openRoute("sessions", id, place, "call", next);
  const panels: Readonly<Record<string, ReactNode>> = {
    call: shownCall !== undefined && (
      <WindowPanel path={path} report={report} call={shownCall} base={compactions[chosen]?.call} />
    ),
    requests: <RequestList report={report} onOpen={openCall} />,
    now: ownId !== undefined && <PresentWindow sessionId={ownId} turn={turn + changes} edits={edits} />,
  };
  return (
    <div className={styles.report}>
      <Header id={id} path={path} report={report} />
      <Findings
        report={report}
        chosen={chosen}
        onChoose={(next) => openRoute("sessions", id, next)}
        call={shownCall}
        onCall={(next) => (shownView === "call" ? replaceRoute("sessions", id, place, "call", next) : openCall(next))}
        views={
          <Views id={id} report={report} chosen={place} view={shownView} call={shownCall} isOwn={ownId !== undefined} />
        }
        panel={panels[shownView]}
        {...(ownId !== undefined && { itemActs: bringBackActs(edits) })}
        more={
          ownId !== undefined && <SessionActs sessionId={ownId} turn={turn + changes} edits={edits} onChange={change} />
        }
      />
    </div>
  );
}

function Header({ id, path, report: { meta, title } }: Pick<SessionFindingsProps, "id" | "path" | "report">) {
  const startedAt = meta.startedAt === undefined ? undefined : day(meta.startedAt);
  return (
    <header className={styles.header}>
      <h1 dir="auto">{title}</h1>
      <p>{[agentName(id.split(":")[0] ?? ""), meta.cwd, meta.branch, startedAt].filter(Boolean).join(" · ")}</p>
      <a className={styles.export} href={`${path}/html`} download>
        {copy.export}
      </a>
    </header>
  );
}

interface ViewsProps extends Pick<SessionFindingsProps, "id" | "report"> {
  readonly chosen: number | string;
  readonly view: string;
  /** Index of the call whose window is shown. */
  readonly call: number | undefined;
  readonly isOwn: boolean;
}

function Views({ id, report, chosen, view, call, isOwn }: ViewsProps) {
  const names: View[] = [
    ...(report.compactions.length > 0 ? (["items"] as const) : []),
    "requests",
    ...(isOwn ? (["now"] as const) : []),
    ...(call === undefined ? [] : (["call"] as const)),
  ];
  return (
    <Tabs
      label={copy.view}
      value={view}
      tabs={names.map((value) => ({
        value,
        label: value === "call" ? copy.requests.call((call ?? 0) + 1) : copy.views[value],
      }))}
      onChange={(next) => {
        if (next !== "call") openRoute("sessions", id, chosen, ...(next === "items" ? [] : [next]));
      }}
    />
  );
}

/** Brings messages of a session back that a compaction replaced. */
function bringBackActs(edits: WindowEdits): ItemActs {
  const { kindOf, propose, isBusy } = edits;
  return {
    notice: <EditProposal edits={edits} isBringBack />,
    render: (messageId, fate) => {
      if (kindOf(messageId) === "pin") {
        return (
          <Button kind="link" disabled={isBusy} onClick={() => propose("release", [messageId])}>
            {`${copy.edits.isBack} · ${copy.edits.unpin}`}
          </Button>
        );
      }
      if (fate === "kept" || fate === "added") return null;
      return (
        <Button kind="link" disabled={isBusy} onClick={() => propose("pin", [messageId])}>
          {copy.edits.bringBack}
        </Button>
      );
    },
  };
}

/** A report as the server sends it: `snake_case` names and ISO times. */
type WireReport = object;

type Renamed = Omit<SessionReport, "rules" | "compactions"> & {
  readonly rules: readonly (Omit<RulePresence, "repeatedAt"> & { readonly repeatedIn?: number })[];
  readonly compactions: readonly (Omit<ReportedCompaction, "at"> & { readonly firstMessage: number })[];
};

/** Reads a report of the server into the form that the inspector shows. */
export function readReport(wire: WireReport): SessionReport {
  const { rules, compactions, ...rest } = renamed(wire) as Renamed;
  return {
    ...rest,
    rules: rules.map(({ repeatedIn, ...rule }) => ({
      ...rule,
      ...(repeatedIn !== undefined && { repeatedAt: repeatedIn }),
    })),
    compactions: compactions.map(({ firstMessage, ...compaction }) => ({ ...compaction, at: firstMessage })),
  };
}

function renamed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(renamed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => {
      const name = key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
      const isTime = typeof field === "string" && /(?:^at|At)$/.test(name);
      return [name, isTime ? Date.parse(field) : renamed(field)];
    }),
  );
}
