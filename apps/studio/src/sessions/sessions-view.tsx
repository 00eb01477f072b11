import { useCallback, useEffect, useState } from "react";
import { routeHref } from "../app/route.ts";
import { sessionsCopy as copy } from "../copy/sessions.ts";
import { useServer, useSessionEvents } from "../server/use-server.ts";
import { NARROW, useMedia } from "../ui/use-media.ts";
import { VisuallyHidden } from "../ui/visually-hidden.tsx";
import { type ListedSession, SessionList } from "./session-list.tsx";
import { SessionPage } from "./session-page.tsx";
import styles from "./sessions-view.module.css";

/** Milliseconds between looks at the progress of reading. */
const LOOK = 800;
/** Looks after which the worst compaction so far is shown, though not everything has been read. */
const MAX_LOOKS = 6;
/** Last segment of the address of the list on a narrow screen. */
const LIST = "all";

interface SessionsViewProps {
  /** Id of the open session, and the zero-based number of a compaction. */
  readonly path: readonly string[];
}

/** Recorded sessions of this machine and those of the server. Opens on the worst compaction. */
export function SessionsView({ path }: SessionsViewProps) {
  const isNarrow = useMedia(NARROW);
  const [id, compaction] = path;
  const [turn, setTurn] = useState(0);
  useSessionEvents(useCallback(() => setTurn((last) => last + 1), []));
  const isList = id === LIST;
  if (isNarrow && isList) {
    return (
      <main className={styles.view}>
        <VisuallyHidden>
          <h1>{copy.title}</h1>
        </VisuallyHidden>
        <SessionList openId={undefined} turn={turn} />
      </main>
    );
  }
  return (
    <div className={styles.view}>
      {!isNarrow && <SessionList openId={isList ? undefined : id} turn={turn} />}
      <main className={styles.main}>
        {isNarrow && (
          <a className={styles.back} href={routeHref("sessions", LIST)}>
            {copy.showList}
          </a>
        )}
        {id === undefined || isList ? (
          <Worst turn={turn} />
        ) : (
          <SessionPage key={id} id={id} compaction={readNumber(compaction)} turn={turn} />
        )}
      </main>
    </div>
  );
}

interface WorstAnswer {
  readonly session?: ListedSession;
  readonly total: number;
  readonly waiting: number;
}

/** The worst compaction of all sessions. While they are being read: the progress, and then the worst so far. */
function Worst({ turn }: { readonly turn: number }) {
  const { data, problem, reload } = useServer<WorstAnswer>("/inspect/worst");
  const [looks, setLooks] = useState(0);
  const [found, setFound] = useState<ListedSession>();
  const isSettled = data !== undefined && (data.waiting === 0 || (looks >= MAX_LOOKS && data.session !== undefined));
  useEffect(() => {
    if (isSettled && found === undefined && data.session !== undefined) setFound(data.session);
  }, [isSettled, found, data]);
  useEffect(() => {
    if (data === undefined || isSettled) return undefined;
    const timer = setTimeout(() => {
      setLooks(looks + 1);
      reload();
    }, LOOK);
    return () => clearTimeout(timer);
  }, [data, isSettled, looks, reload]);
  if (found?.worst !== undefined) return <SessionPage id={found.id} compaction={found.worst.compaction} turn={turn} />;
  if (problem !== undefined) return <p className={styles.empty}>{problem}</p>;
  if (data === undefined || !isSettled) {
    return (
      <p className={styles.empty} role="status">
        {data === undefined ? copy.loading : copy.reading(data.total - data.waiting, data.total)}
      </p>
    );
  }
  const { title, words } = data.total === 0 ? copy.empty : copy.noCompaction;
  return (
    <div className={styles.empty}>
      <h1>{title}</h1>
      <p>{words}</p>
    </div>
  );
}

function readNumber(text: string | undefined): number | undefined {
  const value = Number(text ?? Number.NaN);
  return Number.isInteger(value) && value >= 0 ? value : undefined;
}
