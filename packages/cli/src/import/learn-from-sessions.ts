import type { Message } from "throughline";
import {
  emptyCounts,
  learnWorkflows,
  mineWorkflows,
  type OutcomeCounts,
  type RecordPorts,
  readRecord,
  SessionRecorder,
  type SessionRuns,
  sumCounts,
} from "throughline/internal/engine";
import type { SessionMeta } from "throughline/transcript";
import { projectOf } from "../config/project.ts";
import { LOCAL_USER, learningDeps, type OpenData } from "../data/open-data.ts";
import type { Progress } from "../terminal/progress.ts";
import {
  type IngestCounts,
  ingestUtterances,
  noIngestCounts,
  SavedMessages,
  sumIngestCounts,
  type Utterance,
  utterancesOf,
} from "./ingest-messages.ts";

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
  const recording = isOwn ? await startRecording(data, ports, session) : NOTHING_TO_RECORD;
  const saved = new SavedMessages();
  const said: (readonly Utterance[])[] = [];
  for await (const page of pagesOf(data, id, signal)) {
    for (const message of page) {
      saved.add(message);
      recording.recorder?.add(message);
    }
    said.push(utterancesOf(page));
  }
  let speech = noIngestCounts();
  // After all pages: an answer may be many pages behind its question.
  for (const utterances of said) {
    speech = sumIngestCounts([speech, await ingestUtterances(ports.memory, id, utterances, { saved, signal })]);
  }
  return { id, isOwn, speech, ...(await writeRecording(ports, session, recording, signal)) };
}

/** The recorder of a session, or the number of its episodes if it was recorded before. */
interface Recording {
  readonly recorder?: SessionRecorder;
  readonly unchanged: number;
  /** Time of the first message. */
  readonly startedAt?: number;
}

const NOTHING_TO_RECORD: Recording = { unchanged: 0 };

async function startRecording(
  { store }: OpenData,
  ports: RecordPorts,
  { id: sessionId, meta }: LearnSession,
): Promise<Recording> {
  const key = { userId: LOCAL_USER, sessionId };
  const { appended } = await store.sessions.head(key);
  const [first] = await store.messages.list(key, { limit: 1 });
  const known = first && (await readRecord(ports, { sessionId, at: first.createdAt }));
  const isObserved = ports.observe === undefined || (known?.told ?? 0) >= (known?.touches ?? 0);
  if (known !== undefined && known.messages >= appended && isObserved)
    return { unchanged: Object.keys(known.episodes).length };
  const recorder = new SessionRecorder({ sessionId, folder: meta.cwd && projectOf(meta.cwd).root, title: meta.title });
  return { recorder, unchanged: 0, ...(first && { startedAt: first.createdAt }) };
}

async function writeRecording(
  ports: RecordPorts,
  { id: sessionId, meta: { branch } }: LearnSession,
  { recorder, unchanged, startedAt: at }: Recording,
  signal: AbortSignal,
): Promise<Pick<LearnedSession, "episodes" | "touches">> {
  if (recorder === undefined || recorder.isEmpty) return { episodes: { ...emptyCounts(), unchanged }, touches: 0 };
  const written = await recorder.write(ports, { signal });
  if (branch !== undefined && at !== undefined) await ports.observe?.({ sessionId, branch, at });
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

/** Memories that an import would learn, one per line. */
export interface ForeseenLearning {
  readonly episodes: readonly string[];
  readonly workflows: readonly string[];
  /** Only episodes and workflows: facts are extracted during the import. */
  readonly projects: readonly LearnedProject[];
}

/** Previews what would be learned from transcripts, file by file, without storing anything. */
export class LearningPreview {
  readonly #open = new Map<string, SessionRecorder>();
  readonly #done: { readonly meta: SessionMeta; readonly runs: SessionRuns; readonly episodes: number }[] = [];
  readonly #episodes: string[] = [];

  add(message: Message, { cwd, title, parentId }: SessionMeta): void {
    if (parentId !== undefined) return;
    const folder = cwd && projectOf(cwd).root;
    const { sessionId } = message;
    const recorder = this.#open.get(sessionId) ?? new SessionRecorder({ sessionId, folder, title });
    this.#open.set(sessionId, recorder);
    recorder.add(message);
  }

  /** Ends a file. Only sessions with new messages count. */
  endFile(isNew: (sessionId: string) => boolean, metaOf: (sessionId: string) => SessionMeta): void {
    for (const [sessionId, recorder] of this.#open) {
      if (!isNew(sessionId)) continue;
      this.#episodes.push(...recorder.episodes);
      this.#done.push({ meta: metaOf(sessionId), runs: recorder.record, episodes: recorder.episodes.length });
    }
    this.#open.clear();
  }

  /** @param projectFor gives the project of a session */
  result(project: string | undefined, projectFor: (meta: SessionMeta) => string | undefined): ForeseenLearning {
    const byProject = Map.groupBy(this.#done, ({ meta }) => project ?? projectFor(meta));
    const found = [...byProject].map(([id, group]) => {
      const workflows = mineWorkflows(group.map(({ runs }) => runs)).hints;
      const episodes = group.reduce((sum, one) => sum + one.episodes, 0);
      return { project: id, sessions: group.length, memories: episodes + workflows.length, workflows };
    });
    return {
      episodes: this.#episodes,
      workflows: found.flatMap(({ workflows }) => workflows),
      projects: found.map(({ workflows: _, ...counts }) => counts),
    };
  }
}
