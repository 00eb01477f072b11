import { useMemo } from "react";
import type { SessionReport } from "throughline/internal";
import { sessionsCopy as copy } from "../copy/sessions.ts";
import { LOSS_NAMES, number, short } from "../inspector/copy.ts";
import report from "../inspector/report-page.module.css";
import { VirtualList } from "../ui/virtual-list.tsx";
import styles from "./window-panel.module.css";

const ROW_HEIGHT = 84;

interface RequestListProps {
  readonly report: SessionReport;
  readonly onOpen: (call: number) => void;
}

interface Request {
  readonly time: string;
  readonly size: string;
  readonly cache: string;
  readonly added: string;
  readonly text: string;
  readonly lost: string;
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

function describeRequest({ calls, messages, compactions }: SessionReport, call: number): Request {
  const { tokens = 0, reported, message = 0, at, cache } = calls[call] ?? {};
  const added = messages.slice(calls[call - 1]?.message ?? 0, message);
  const change = tokens - (calls[call - 1]?.tokens ?? 0);
  const said = added.findLast(({ role, text }) => role === "user" && text !== "") ?? added.at(-1);
  const isCut = compactions.some((one) => one.call === call);
  return {
    time: at === undefined ? "" : new Date(at).toLocaleTimeString(undefined, { timeStyle: "short" }),
    size: copy.requests.size(number(tokens), signed(change), reported === undefined ? undefined : number(reported)),
    cache: cache === undefined ? "" : copy.requests.cache(short(cache.read), short(cache.written)),
    added: [isCut && copy.requests.compacted, countRoles(added.map(({ role }) => role))].filter(Boolean).join(", "),
    text: said?.text.slice(0, 200) ?? "",
    lost: cache?.lost === undefined ? "" : copy.requests.lost(short(cache.lost.tokens), LOSS_NAMES[cache.lost.cause]),
  };
}

function signed(value: number): string {
  return `${value < 0 ? "−" : "+"}${number(Math.abs(value))}`;
}

function countRoles(roles: readonly string[]): string {
  const counts = Map.groupBy(roles, (role) => role);
  return [...counts].map(([role, own]) => copy.requests.added(role, own.length)).join(", ");
}
