import { type KeyboardEvent, useDeferredValue, useEffect, useState } from "react";
import { routeHref } from "../app/route.ts";
import { day } from "../copy/inspector.ts";
import { sessionsCopy as copy } from "../copy/sessions.ts";
import { usePages } from "../server/use-server.ts";
import { VirtualList } from "../ui/virtual-list.tsx";
import styles from "./session-list.module.css";

/** A session as the server lists it. */
export interface ListedSession {
  readonly id: string;
  readonly agent: string;
  readonly title: string;
  readonly project?: string;
  readonly changed_at: string;
  readonly calls: number;
  readonly tokens: number;
  readonly limit: number;
  readonly compactions: number;
  readonly worst?: { readonly compaction: number; readonly gone: number };
}

interface SessionPageAnswer {
  readonly items: readonly ListedSession[];
  readonly next_cursor: string | null;
  readonly total: number;
  readonly waiting: number;
  readonly failed: number;
  readonly agents: readonly string[];
  readonly projects: readonly string[];
}

/** Milliseconds between looks while files are being read. */
const LOOK = 1_500;
const ROW_HEIGHT = 74;
const ALL = "";

interface SessionListProps {
  readonly openId: string | undefined;
  /** True if the worst compaction is open, whichever session it is in. */
  readonly isWorst: boolean;
  /** Changes if the server reports a change. */
  readonly turn: number;
}

/** All sessions, with search and filters. */
export function SessionList({ openId, isWorst, turn }: SessionListProps) {
  const [query, setQuery] = useState("");
  const [agent, setAgent] = useState(ALL);
  const [project, setProject] = useState(ALL);
  const [sort, setSort] = useState<"recent" | "loss">("recent");
  const [looks, setLooks] = useState(0);
  const words = useDeferredValue(query);
  const asked = new URLSearchParams({ limit: "100", sort });
  if (words.trim() !== "") asked.set("query", words.trim());
  if (agent !== ALL) asked.set("agent", agent);
  if (project !== ALL) asked.set("project_path", project);
  const { items, first, problem, loadMore } = usePages<ListedSession, SessionPageAnswer>(
    `/inspect/sessions?${asked}`,
    turn + looks,
  );
  const waiting = first?.waiting ?? 0;
  useEffect(() => {
    if (waiting === 0) return undefined;
    const timer = setTimeout(() => setLooks(looks + 1), LOOK);
    return () => clearTimeout(timer);
  }, [waiting, looks]);
  const options = (all: string, values: readonly string[], nameOf: (value: string) => string) => [
    { value: ALL, label: all },
    ...values.map((value) => ({ value, label: nameOf(value) })),
  ];
  return (
    <section className={styles.list} aria-label={copy.list}>
      <div className={styles.controls}>
        <input
          type="search"
          dir="auto"
          className={styles.search}
          aria-label={copy.search}
          placeholder={copy.search}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
        />
        <div className={styles.filters}>
          <Choice
            label={copy.agent}
            value={agent}
            onChange={setAgent}
            options={options(copy.allAgents, first?.agents ?? [], agentName)}
          />
          <Choice
            label={copy.project}
            value={project}
            onChange={setProject}
            options={options(copy.allProjects, first?.projects ?? [], folderName)}
          />
        </div>
        <div className={styles.filters}>
          <Choice
            label={copy.sort}
            value={sort}
            onChange={setSort}
            options={[
              { value: "recent", label: copy.sorts.recent },
              { value: "loss", label: copy.sorts.loss },
            ]}
          />
          <a className={styles.worst} href={routeHref("sessions")} aria-current={isWorst ? "page" : undefined}>
            {copy.worst}
          </a>
        </div>
      </div>
      {first !== undefined && waiting > 0 && (
        <p className={styles.note} role="status">
          {copy.reading(first.total - waiting, first.total)}
        </p>
      )}
      {problem !== undefined && <p className={styles.note}>{problem}</p>}
      {first !== undefined && first.failed > 0 && <p className={styles.note}>{copy.failed(first.failed)}</p>}
      {first !== undefined && items.length === 0 && waiting === 0 && <p className={styles.note}>{copy.none}</p>}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the rows are links; arrow keys move between them */}
      <div className={styles.rows} onKeyDown={moveWithArrows}>
        <VirtualList
          items={items}
          keyOf={({ id }) => id}
          height={ROW_HEIGHT}
          label={copy.list}
          onEnd={loadMore}
          render={(session) => <SessionRow session={session} isOpen={session.id === openId} />}
        />
      </div>
    </section>
  );
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly onChange: (value: Value) => void;
}

/** A filter. The browser's own list opens at once, however many projects there are. */
function Choice<Value extends string>({ label, value, options, onChange }: ChoiceProps<Value>) {
  return (
    <select
      className={styles.choice}
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value as Value)}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}

function SessionRow({ session, isOpen }: { readonly session: ListedSession; readonly isOpen: boolean }) {
  const { id, agent, title, project, changed_at, calls, tokens, limit, compactions, worst } = session;
  const fill = Math.min(100, Math.round((100 * tokens) / Math.max(1, limit)));
  const about = [
    agentName(agent),
    project === undefined ? undefined : folderName(project),
    day(Date.parse(changed_at)),
  ];
  return (
    <a className={styles.row} href={routeHref("sessions", id)} aria-current={isOpen ? "true" : undefined}>
      <span className={styles.title} dir="auto">
        {title}
      </span>
      <span className={styles.about}>{about.filter(Boolean).join(" · ")}</span>
      <span className={styles.about}>
        <span className={styles.fill} role="img" aria-label={copy.fill(fill)} title={copy.fill(fill)}>
          <i style={{ width: `${fill}%` }} />
        </span>
        {compactions === 0 ? copy.calls(calls) : copy.compactions(compactions, worst?.gone ?? 0)}
      </span>
    </a>
  );
}

/** Display name of an agent. */
export function agentName(agent: string): string {
  return copy.agents[agent] ?? agent;
}

function folderName(folder: string): string {
  return folder.split(/[\\/]/).filter(Boolean).at(-1) ?? folder;
}

function moveWithArrows(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || !(event.target instanceof HTMLAnchorElement)) return;
  const links = [...event.currentTarget.querySelectorAll("a")];
  const next = links[links.indexOf(event.target) + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
