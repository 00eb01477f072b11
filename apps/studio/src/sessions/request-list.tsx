import { useMemo } from "react";
import type { SessionReport } from "throughline/internal/inspect";
import { sessionsCopy as copy } from "../copy/sessions.ts";
import report from "../inspector/report-page.module.css";
import { VirtualList } from "../ui/virtual-list.tsx";
import { describeRequest, type Request } from "./describe-request.ts";
import styles from "./window-panel.module.css";

const ROW_HEIGHT = 84;

interface RequestListProps {
  readonly report: SessionReport;
  readonly onOpen: (call: number) => void;
}

/** All requests of a session: tokens, prompt cache and what each added. A click opens the window as it was sent. */
export function RequestList({ report: session, onOpen }: RequestListProps) {
  const numbers = useMemo(() => session.calls.map((_, call) => call), [session]);
  return (
    <section className={`${report.box} ${styles.panel}`} aria-label={copy.requests.title}>
      <h2>{copy.requests.title}</h2>
      <VirtualList
        items={numbers}
        keyOf={(call) => call}
        height={ROW_HEIGHT}
        label={copy.requests.title}
        className={styles.items}
        render={(call) => <Row request={describeRequest(session, call)} call={call} onOpen={onOpen} />}
      />
    </section>
  );
}

interface RowProps extends Pick<RequestListProps, "onOpen"> {
  readonly call: number;
  readonly request: Request;
}

function Row({ call, request: { time, size, cache, added, text, lost }, onOpen }: RowProps) {
  return (
    <button type="button" className={`${styles.item} ${styles.request}`} onClick={() => onOpen(call)}>
      <b>{copy.requests.call(call + 1)}</b> <small>{time}</small>
      <span>{size}</span>
      <small>
        {cache} {lost !== "" && <b className={styles.removed}>{lost}</b>}
      </small>
      <small dir="auto" className={styles.line}>
        {[added, text].filter(Boolean).join(": ")}
      </small>
    </button>
  );
}
