import type { RecordPorts } from "../../context/episodes/record-ports.ts";
import { readRecord } from "../../context/episodes/session-record.ts";
import { SessionRecorder } from "../../context/episodes/session-recorder.ts";
import { emptyTally, sumTallies, type Tally } from "../../context/episodes/tell-anew.ts";
import { learnWorkflows } from "../../context/workflows/learn-workflows.ts";
import type { SessionMeta } from "../../transcript/transcript.ts";
import { type OpenData, OWNER } from "../data/open-data.ts";
import type { Progress } from "../progress.ts";
import { projectOf } from "../project-of.ts";
import { learningPorts } from "./learning-ports.ts";

const PAGE = 200;

/** A session that is kept, and what its transcript says of it. */
export interface LearnSession {
  readonly id: string;
  readonly meta: SessionMeta;
}

/** What was learnt from sessions. */
export interface Learnt {
  readonly episodes: Tally;
  readonly workflows: Tally;
  /** The workflows, a line each. */
  readonly hints: readonly string[];
  /** Touches of files that the predictor was told of. */
  readonly touches: number;
  /** What it is remembered under; nothing for what was done in no folder. */
  readonly projects: readonly (string | undefined)[];
}

export interface LearnOptions {
  /** Under which all of it is remembered; the folder of each session, where none is given. */
  readonly project: string | undefined;
  /** Advanced by one for every session. */
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/**
 * Learns from sessions that are kept: episodes, workflows and touches of files. Sessions of which nothing is new are passed
 * over, so whoever is interrupted goes on by doing it again.
 */
export async function learnFromSessions(
  data: OpenData,
  sessions: readonly LearnSession[],
  { project, progress, signal }: LearnOptions,
): Promise<Learnt> {
  const own = sessions.filter(({ meta }) => meta.parentId === undefined);
  const byProject = Map.groupBy(own, ({ meta }) => project ?? (meta.cwd && projectOf(meta.cwd).id));
  const episodes: Tally[] = [];
  const workflows: Tally[] = [];
  const hints: string[] = [];
  let touches = 0;
  for (const [projectId, members] of byProject) {
    const ports = await learningPorts(data, projectId);
    for (const session of members) {
      signal.throwIfAborted();
      const learnt = await learnSession(data, ports, session, signal);
      episodes.push(learnt.episodes);
      touches += learnt.touches;
      progress.advance(1);
    }
    const found = await learnWorkflows(ports, { signal });
    workflows.push(found.tally);
    hints.push(...found.hints);
  }
  return {
    episodes: sumTallies(episodes),
    workflows: sumTallies(workflows),
    hints,
    touches,
    projects: [...byProject.keys()],
  };
}

async function learnSession(
  { store }: OpenData,
  ports: RecordPorts,
  { id: sessionId, meta }: LearnSession,
  signal: AbortSignal,
): Promise<{ readonly episodes: Tally; readonly touches: number }> {
  const key = { owner: OWNER, sessionId };
  const { appended } = await store.sessions.head(key);
  const [first] = await store.messages.range(key, 0, 1);
  const known = first && (await readRecord(ports, { sessionId, at: first.createdAt }));
  const isHeard = ports.observe === undefined || (known?.told ?? 0) >= (known?.touches ?? 0);
  if (known !== undefined && known.messages >= appended && isHeard) {
    return { episodes: { ...emptyTally(), unchanged: Object.keys(known.episodes).length }, touches: 0 };
  }
  const recorder = new SessionRecorder({ sessionId, folder: meta.cwd && projectOf(meta.cwd).root, title: meta.title });
  for (let from = 0; from < appended; from += PAGE) {
    signal.throwIfAborted();
    for (const message of await store.messages.range(key, from, PAGE)) recorder.add(message);
  }
  return recorder.isEmpty ? { episodes: emptyTally(), touches: 0 } : recorder.write(ports, { signal });
}
