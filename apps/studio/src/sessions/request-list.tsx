import { useMemo } from "react";
import type { SessionReport } from "throughline/internal/inspect";
import { LOSS_NAMES, number, short } from "../copy/inspector.ts";
import { sessionsCopy as copy } from "../copy/sessions.ts";
import report from "../inspector/report-page.module.css";
import { VirtualList } from "../ui/virtual-list.tsx";
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

/** Texts about a request in the list of requests. */
interface Request {
  readonly time: string;
  readonly size: string;
  readonly cache: string;
  readonly added: string;
  readonly text: string;
  readonly lost: string;
}

/** Describes a request: its size, its prompt cache, and the messages since the request before. */
export function describeRequest({ calls, messages, compactions }: SessionReport, call: number): Request {
  const { message = 0, at, cache } = calls[call] ?? {};
  const added = messages.slice(calls[call - 1]?.message ?? 0, message);
  const said = added.findLast(({ role, text }) => role === "user" && text !== "") ?? added.at(-1);
  const isCut = compactions.some((one) => one.call === call);
  return {
    time: at === undefined ? "" : new Date(at).toLocaleTimeString(undefined, { timeStyle: "short" }),
    size: describeSize(calls, call),
    cache: cache === undefined ? "" : copy.requests.cache(short(cache.read), short(cache.written)),
    added: [isCut && copy.requests.compacted, countKinds(added)].filter(Boolean).join(", "),
    text: said?.text.slice(0, 200) ?? "",
    lost: cache?.lost === undefined ? "" : copy.requests.lost(short(cache.lost.tokens), LOSS_NAMES[cache.lost.cause]),
  };
}

function signed(value: number): string {
  return `${value < 0 ? "−" : "+"}${number(Math.abs(value))}`;
}

/** The size that the provider reported, or else our count, with the change since the call before. */
function describeSize(calls: SessionReport["calls"], call: number): string {
  const { tokens = 0, reported } = calls[call] ?? {};
  const before = calls[call - 1];
  if (reported === undefined) return copy.requests.size(number(tokens), signed(tokens - (before?.tokens ?? 0)));
  const change = reported - (before?.reported ?? before?.tokens ?? 0);
  return copy.requests.reported(number(reported), signed(change), number(tokens));
}

/** Counts messages by role. A message of tool calls alone is no reply. */
function countKinds(messages: SessionReport["messages"]): string {
  const roles = Map.groupBy(
    messages.filter(({ isOnlyCalls }) => isOnlyCalls !== true),
    ({ role }) => role,
  );
  const toolCalls = messages.reduce((sum, one) => sum + (one.toolCalls ?? 0), 0);
  const kinds = [...roles].map(([role, own]) => copy.requests.added(role, own.length));
  return [...(toolCalls > 0 ? [copy.requests.toolCalls(toolCalls)] : []), ...kinds].join(", ");
}
