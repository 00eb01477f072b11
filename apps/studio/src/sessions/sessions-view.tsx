import { useCallback, useEffect, useState } from "react";
import { routeHref } from "../app/route.ts";
import { sessionsCopy as copy } from "../copy/sessions.ts";
import { useServer, useSessionEvents } from "../server/use-server.ts";
import { Button } from "../ui/controls/button.tsx";
import { NARROW, useMedia } from "../ui/use-snapshot.ts";
import { VisuallyHidden } from "../ui/visually-hidden.tsx";
import { type ListedSession, SessionList } from "./session-list.tsx";
import { SessionPage } from "./session-page.tsx";
import styles from "./sessions-view.module.css";

/** Milliseconds between looks at the progress of reading. */
const LOOK = 800;
/** Milliseconds after which the worst compaction so far is shown, though not everything has been read. */
const WAIT_FOR_WORST_MS = 2_500;
/** Last segment of the address of the list on a narrow screen. */
const LIST = "all";

interface SessionsViewProps {
  /** Id of the open session, and the zero-based number of a compaction. */
  readonly path: readonly string[];
}

/** Recorded sessions of this machine and those of the server. Opens on the worst compaction. */
export function SessionsView({ path }: SessionsViewProps) {
  const isNarrow = useMedia(NARROW);
  const [id, compaction, view, call] = path;
  const [turn, setTurn] = useState(0);
  const [worstId, setWorstId] = useState<string>();
  useSessionEvents(useCallback(() => setTurn((last) => last + 1), []));
  const isList = id === LIST;
  const isWorst = id === undefined || isList;
  if (isNarrow && isList) {
    return (
      <main className={styles.view}>
        <VisuallyHidden>
          <h1>{copy.title}</h1>
        </VisuallyHidden>
        <SessionList openId={undefined} isWorst={false} turn={turn} />
      </main>
    );
  }
  return (
    <div className={styles.view}>
      {!isNarrow && <SessionList openId={isWorst ? worstId : id} isWorst={isWorst} turn={turn} />}
      <main className={styles.main}>
        {isNarrow && (
          <a className={styles.back} href={routeHref("sessions", LIST)}>
            {copy.showList}
          </a>
        )}
        {isWorst ? (
          <Worst turn={turn} onShow={setWorstId} />
        ) : (
          <SessionPage
            key={id}
            id={id}
            compaction={readNumber(compaction)}
            view={view}
            call={readNumber(call)}
            turn={turn}
          />
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

/**
 * The worst compaction of all sessions. While they are being read: the progress, then the worst so far, which stays until
 * the person asks for a worse one.
 */
function Worst({ turn, onShow }: { readonly turn: number; readonly onShow: (id: string) => void }) {
  const { data, problem, reload } = useServer<WorstAnswer>("/inspect/worst");
  const [start] = useState(() => performance.now());
  const [shown, setShown] = useState<ListedSession>();
  const found = data?.session;
  const isRead = data?.waiting === 0;
  useEffect(() => {
    if (data === undefined || isRead) return undefined;
    const timer = setTimeout(reload, LOOK);
    return () => clearTimeout(timer);
  }, [data, isRead, reload]);
  useEffect(() => {
    const isWaiting = performance.now() - start < WAIT_FOR_WORST_MS || (found?.worst?.gone ?? 0) === 0;
    if (shown === undefined && found !== undefined && (isRead || !isWaiting)) setShown(found);
  }, [shown, found, isRead, start]);
  const shownId = shown?.id;
  useEffect(() => {
    if (shownId !== undefined) onShow(shownId);
  }, [shownId, onShow]);
  if (shown?.worst !== undefined) {
    return (
      <>
        {found !== undefined && found.id !== shown.id && (
          <p className={styles.worse} role="status">
            {copy.worse.words}{" "}
            <Button kind="link" onClick={() => setShown(found)}>
              {copy.worse.show}
            </Button>
          </p>
        )}
        <SessionPage key={shown.id} id={shown.id} compaction={shown.worst.compaction} turn={turn} />
      </>
    );
  }
  if (problem !== undefined || data === undefined || !isRead || found !== undefined) {
    const progress = data === undefined ? copy.loading : copy.reading(data.total - data.waiting, data.total);
    return (
      <div className={styles.empty}>
        <VisuallyHidden>
          <h1>{copy.title}</h1>
        </VisuallyHidden>
        <p role={problem === undefined ? "status" : "alert"}>{problem ?? progress}</p>
      </div>
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
