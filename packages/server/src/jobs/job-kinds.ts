import type { Clock, Logger, MemoryService, Store, Throughline } from "throughline";
import { nextNight, readSession } from "throughline/internal/engine";
import type { NewJob, ServerStore, StoredJob } from "throughline/internal/sql";
import { DAY, isRecord } from "throughline/internal/util";
import { extractedName, findSession, userSpace } from "../session-access.ts";

const NIGHT = 3;
/** Milliseconds to wait for more messages before a session is read. */
const SOON = 2_000;
/** Retention of events. */
const KEEP_EVENTS = 7 * DAY;
const KEEP_ANSWERS = DAY;
const KEEP_JOBS = 7 * DAY;

interface JobPorts {
  readonly store: Store & { readonly server: ServerStore };
  readonly clock: Clock;
  readonly logger: Logger;
  readonly embedderName: string;
  /** Scoped to the owner of the job. */
  readonly throughline: Throughline;
}

/** Computes the follow-up jobs when a job is finished, so that changes made meanwhile are included. */
export type Following = () => Promise<readonly NewJob[]>;

type Work = (job: StoredJob, ports: JobPorts, signal: AbortSignal) => Promise<Following>;

const NOTHING: Following = async () => [];

export const JOB_KINDS: Readonly<Record<string, Work>> = { consolidate, extract, prune, reembed, sweep: deleteExpired };

/** Consolidation, tonight and every night. */
export function nextConsolidation(owner: string, projectId: string | undefined, now: number): NewJob {
  const key = JSON.stringify(["consolidate", owner, projectId]);
  return {
    kind: "consolidate",
    owner,
    key,
    runAt: nextNight(now, NIGHT),
    ...(projectId !== undefined && { projectId }),
  };
}

/** Extracts memories from a session soon, so that messages appended together are read together. */
export function extractSoon(owner: string, projectId: string | undefined, sessionId: string, at: number): NewJob {
  return ofSession("extract", { owner, projectId, sessionId, at });
}

/** Masks old tool outputs of a session if it is worth it. */
export function pruneSoon(owner: string, projectId: string | undefined, sessionId: string, at: number): NewJob {
  return ofSession("prune", { owner, projectId, sessionId, at });
}

interface About {
  readonly owner: string;
  readonly projectId: string | undefined;
  readonly sessionId: string;
  readonly at: number;
}

function ofSession(kind: string, { owner, projectId, sessionId, at }: About): NewJob {
  const key = JSON.stringify([kind, owner, projectId, sessionId]);
  return { kind, owner, key, payload: { sessionId }, runAt: at + SOON, ...(projectId !== undefined && { projectId }) };
}

/** Recomputes vectors that another embedder made. */
export function reembedNow(owner: string, projectId: string | undefined, embedder: string): NewJob {
  const key = JSON.stringify(["reembed", owner, projectId, embedder]);
  return { kind: "reembed", owner, key, ...(projectId !== undefined && { projectId }) };
}

export function nextCleanup(now: number): NewJob {
  return { kind: "sweep", owner: "", key: "sweep", runAt: nextNight(now, NIGHT) };
}

async function consolidate(job: StoredJob, ports: JobPorts, signal: AbortSignal): Promise<Following> {
  const { throughline, clock, logger } = ports;
  await throughline.memory.consolidate({ signal });
  // Reads commits since yesterday, if the project is on this machine.
  await throughline.context.learnHistory({ signal }).catch((error: unknown) => {
    signal.throwIfAborted();
    logger.warn(`Could not read the history of a project: ${String(error)}`);
  });
  return async () => [nextConsolidation(job.owner, job.projectId, clock.now())];
}

/** Extracts memories from the messages since the last run. */
async function extract(job: StoredJob, ports: JobPorts, signal: AbortSignal): Promise<Following> {
  const { store, throughline, clock } = ports;
  const key = { userId: job.owner, sessionId: sessionOf(job) };
  const space = userSpace(job.owner);
  const name = extractedName(key.sessionId);
  const kept = await store.documents.get(space, name);
  let revision = kept?.revision ?? 0;
  const from = typeof kept?.value === "number" ? kept.value : 0;
  const ingest: MemoryService["ingest"] = (input) => throughline.memory.ingest({ ...input, signal });
  let read = from;
  for await (const position of readSession({ messages: store.messages, ingest }, key, from)) {
    read = position;
    // If another server was faster, its messages are read again here; utterances are stored only once.
    if (await store.documents.put(space, name, { revision, value: position })) revision += 1;
  }
  return async () => {
    const { appended } = await store.sessions.head(key);
    return appended > read ? [extractSoon(job.owner, job.projectId, key.sessionId, clock.now())] : [];
  };
}

async function prune(job: StoredJob, { store, throughline }: JobPorts): Promise<Following> {
  const place = { documents: store.documents, userId: job.owner, projectId: job.projectId, throughline };
  const { session } = await findSession(place, sessionOf(job));
  await session.prune();
  return NOTHING;
}

async function reembed(job: StoredJob, ports: JobPorts, signal: AbortSignal): Promise<Following> {
  const { store, throughline, embedderName } = ports;
  const { isDone } = await throughline.memory.reembed({ signal });
  if (!isDone) throw new Error("Interrupted; the next attempt continues.");
  const kept = await store.documents.get(userSpace(job.owner), "embedder");
  await store.documents.put(userSpace(job.owner), "embedder", { revision: kept?.revision ?? 0, value: embedderName });
  return NOTHING;
}

async function deleteExpired(_: StoredJob, { store, clock }: JobPorts): Promise<Following> {
  const now = clock.now();
  await store.server.events.sweep(now - KEEP_EVENTS);
  await store.server.answers.sweep(now - KEEP_ANSWERS);
  await store.server.jobs.sweep(now - KEEP_JOBS);
  return async () => [nextCleanup(now)];
}

function sessionOf({ payload }: StoredJob): string {
  return isRecord(payload) ? String(payload.sessionId) : "";
}
