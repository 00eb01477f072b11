import type { Message } from "throughline";
import {
  emptyCounts,
  learnWorkflows,
  type OutcomeCounts,
  type RecordPorts,
  readRecord,
  SessionRecorder,
  sumCounts,
} from "throughline/internal";
import type { SessionMeta } from "throughline/transcript";
import { LOCAL_USER, type OpenData } from "../data/open-data.ts";
import type { Progress } from "../progress.ts";
import { projectOf } from "../project.ts";
import { type IngestCounts, ingestMessages, noIngestCounts, sumIngestCounts } from "./ingest-messages.ts";
import { learningDeps } from "./learning-deps.ts";
import { SavedMessages } from "./saved-messages.ts";

const PAGE = 200;

/** A stored session with the metadata of its transcript. */
export interface LearnSession {
  readonly id: string;
  readonly meta: SessionMeta;
  /** The project of its memories; `undefined` for none. */
  readonly project: string | undefined;
}

/** Counts for one project. */
export interface LearnedProject {
  /** `undefined` for sessions whose transcripts have no folder. */
  readonly project: string | undefined;
  /** Without sub-agents. */
  readonly sessions: number;
  /** New memories: facts, episodes and workflows. */
  readonly memories: number;
}

/** The result of learning from sessions. */
export interface Learned {
  readonly episodes: OutcomeCounts;
  readonly workflows: OutcomeCounts;
  /** The workflows, one line each. */
  readonly hints: readonly string[];
  /** File accesses recorded for the predictor. */
  readonly touches: number;
  readonly projects: readonly LearnedProject[];
  /** Stored utterances by session id. */
  readonly speech: ReadonlyMap<string, IngestCounts>;
}

interface LearnOptions {
  /** Advanced by one per session. */
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

interface LearnedSession {
  readonly id: string;
  readonly isOwn: boolean;
  readonly speech: IngestCounts;
  readonly episodes: OutcomeCounts;
  readonly touches: number;
}

/**
 * Learns from stored sessions, project by project: utterances, facts, episodes, workflows and file accesses. Sessions
 * without new messages are skipped, so an interrupted run resumes when it is repeated.
 */
export async function learnFromSessions(
  data: OpenData,
  sessions: readonly LearnSession[],
  { progress, signal }: LearnOptions,
): Promise<Learned> {
  const learned: LearnedSession[] = [];
  const workflows: OutcomeCounts[] = [];
  const hints: string[] = [];
  const projects: LearnedProject[] = [];
  for (const [projectId, members] of Map.groupBy(sessions, ({ project }) => project)) {
    const ports = await learningDeps(data, projectId);
    const own: LearnedSession[] = [];
    for (const session of members) {
      signal.throwIfAborted();
      own.push(await learnSession(data, ports, session, signal));
      progress.advance(1);
    }
    const found = await learnWorkflows(ports, { signal });
    workflows.push(found.counts);
    hints.push(...found.hints);
    projects.push(countProject(projectId, own, found.counts));
    learned.push(...own);
  }
  return {
    episodes: sumCounts(learned.map(({ episodes }) => episodes)),
    workflows: sumCounts(workflows),
    hints,
    touches: learned.reduce((sum, { touches }) => sum + touches, 0),
    projects,
    speech: new Map(learned.map(({ id, speech }) => [id, speech])),
  };
}

function countProject(
  project: string | undefined,
  own: readonly LearnedSession[],
  workflows: OutcomeCounts,
): LearnedProject {
  const { added, replaced } = sumIngestCounts(own.map(({ speech }) => speech));
  const episodes = sumCounts(own.map((one) => one.episodes));
  return {
    project,
    sessions: own.filter(({ isOwn }) => isOwn).length,
    memories: added + replaced + episodes.added + workflows.added,
  };
}

async function learnSession(
  data: OpenData,
  ports: RecordPorts,
  session: LearnSession,
  signal: AbortSignal,
): Promise<LearnedSession> {
  const { id, meta } = session;
  const isOwn = meta.parentId === undefined;
  const saved = new SavedMessages();
  // An answer may be many pages behind its question.
  for await (const page of pagesOf(data, id, signal)) for (const message of page) saved.add(message);
  let speech = noIngestCounts();
  for await (const page of pagesOf(data, id, signal)) {
    speech = sumIngestCounts([speech, await ingestMessages(ports.memory, id, page, { saved, signal })]);
  }
  const learned = isOwn ? await learnEpisodes(data, ports, session, signal) : { episodes: emptyCounts(), touches: 0 };
  return { id, isOwn, speech, ...learned };
}

async function learnEpisodes(
  data: OpenData,
  ports: RecordPorts,
  { id: sessionId, meta }: LearnSession,
  signal: AbortSignal,
): Promise<Pick<LearnedSession, "episodes" | "touches">> {
  const { store } = data;
  const key = { userId: LOCAL_USER, sessionId };
  const { appended } = await store.sessions.head(key);
  const [first] = await store.messages.list(key, { limit: 1 });
  const known = first && (await readRecord(ports, { sessionId, at: first.createdAt }));
  const isObserved = ports.observe === undefined || (known?.told ?? 0) >= (known?.touches ?? 0);
  if (known !== undefined && known.messages >= appended && isObserved) {
    return { episodes: { ...emptyCounts(), unchanged: Object.keys(known.episodes).length }, touches: 0 };
  }
  const recorder = new SessionRecorder({ sessionId, folder: meta.cwd && projectOf(meta.cwd).root, title: meta.title });
  for await (const page of pagesOf(data, sessionId, signal)) for (const message of page) recorder.add(message);
  if (recorder.isEmpty) return { episodes: emptyCounts(), touches: 0 };
  const written = await recorder.write(ports, { signal });
  if (meta.branch !== undefined && first !== undefined)
    await ports.observe?.({ sessionId, branch: meta.branch, at: first.createdAt });
  return written;
}

async function* pagesOf(
  { store }: OpenData,
  sessionId: string,
  signal: AbortSignal,
): AsyncGenerator<readonly Message[]> {
  for (let from = 0; ; from += PAGE) {
    signal.throwIfAborted();
    const page = await store.messages.list({ userId: LOCAL_USER, sessionId }, { from, limit: PAGE });
    if (page.length > 0) yield page;
    if (page.length < PAGE) return;
  }
}
