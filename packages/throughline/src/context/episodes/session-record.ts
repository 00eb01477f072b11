import type { AnyModel } from "../../compact/prose/model-adapter.ts";
import { isRecord } from "../../internal/json.ts";
import type { MemoryService } from "../../memory/memory-service.ts";
import { type Caller, spaceOf } from "../../memory/space/spaces.ts";
import type { Logger } from "../../ports/logger.ts";
import type { DocumentStore, StoredDocument } from "../../ports/store.ts";
import { changeDocument } from "../change-document.ts";
import type { Signal } from "../context-api.ts";
import type { SessionRuns, StepRun } from "../workflows/run-recorder.ts";

/** Data learned from a session, and how far the session was read. Plain data. */
export interface SessionRecord extends SessionRuns {
  readonly version: 1;
  /** Number of messages that were read, and the id of the last one. */
  readonly messages: number;
  readonly last: string;
  /** Digests of its episodes' texts, by memory id. */
  readonly episodes: Readonly<Record<string, string>>;
  /** Number of file uses, and of those that were passed to the predictor. */
  readonly touches: number;
  readonly told: number;
}

type RecordDeps = Pick<RecordPorts, "documents" | "userId" | "projectId">;

const KIND = "session";
const TIME_DIGITS = 9;

/** Document name of a session record. Names sort by the start of the session. */
function nameOf({ sessionId, at }: Pick<SessionRecord, "sessionId" | "at">, deps: RecordDeps): string {
  return `${projectPrefix(KIND, deps)}${at.toString(36).padStart(TIME_DIGITS, "0")}-${sessionId}`;
}

export async function readRecord(
  deps: RecordDeps,
  session: Pick<SessionRecord, "sessionId" | "at">,
): Promise<SessionRecord | undefined> {
  return parseRecord((await deps.documents.get(recordSpace(deps), nameOf(session, deps)))?.value);
}

/** Writes a record, unless the stored one includes more messages. */
export async function writeRecord(deps: RecordDeps, record: SessionRecord): Promise<void> {
  const [space, name] = [recordSpace(deps), nameOf(record, deps)];
  await changeDocument({ documents: deps.documents, space, name }, (value) => {
    const known = parseRecord(value);
    return known !== undefined && known.messages > record.messages ? undefined : record;
  });
}

/** Records of the newest sessions of a project, oldest first. */
export async function newestRecords(deps: RecordDeps, limit: number): Promise<readonly SessionRecord[]> {
  const space = recordSpace(deps);
  const names = (await deps.documents.list(space, projectPrefix(KIND, deps))).slice(-limit);
  const records: SessionRecord[] = [];
  for (const name of names) {
    const record = parseRecord((await deps.documents.get(space, name))?.value);
    if (record !== undefined) records.push(record);
  }
  return records;
}

/** Sessions whose records are looked up. */
interface RecordQuery {
  /** Ids of sessions. */
  readonly sessions: ReadonlySet<string>;
  /** Ids of episodes; a session with one of them is found. Default: none. */
  readonly episodes?: ReadonlySet<string>;
}

/** Erases the records of a session in all projects. Its episodes stay. */
export async function eraseRecord(deps: Pick<RecordDeps, "documents" | "userId">, sessionId: string): Promise<void> {
  const { space, names } = await findRecords(deps, { sessions: new Set([sessionId]) });
  for (const name of names) await deps.documents.delete(space, name);
}

/** Finds the documents with the records of sessions, in all projects. */
export async function findRecords(
  { documents, userId }: Pick<RecordDeps, "documents" | "userId">,
  { sessions, episodes = new Set() }: RecordQuery,
): Promise<{ readonly space: string; readonly names: readonly string[] }> {
  const space = recordSpace({ userId, projectId: undefined });
  const names: string[] = [];
  for (const name of await documents.list(space, `${KIND}/`)) {
    const [, , ...rest] = name.split("/");
    const isNamed = sessions.has(rest.join("/").slice(TIME_DIGITS + 1));
    const isFound = isNamed || (episodes.size > 0 && hasEpisode(await documents.get(space, name), episodes));
    if (isFound) names.push(name);
  }
  return { space, names };
}

function hasEpisode(stored: StoredDocument | undefined, episodes: ReadonlySet<string>): boolean {
  return Object.keys(parseRecord(stored?.value)?.episodes ?? {}).some((id) => episodes.has(id));
}

/** Validates a stored record. Undefined if it is missing or has another format. */
function parseRecord(value: unknown): SessionRecord | undefined {
  if (!isRecord(value) || value.version !== 1 || !Array.isArray(value.runs) || !isRecord(value.episodes)) {
    return undefined;
  }
  const isRun = (run: unknown): run is StepRun => isRecord(run) && typeof run.step === "string";
  return typeof value.sessionId === "string" && value.runs.every(isRun)
    ? (value as unknown as SessionRecord)
    : undefined;
}

/** Dependencies of learning from sessions. */
export interface RecordPorts extends Caller {
  readonly memory: MemoryService;
  readonly documents: DocumentStore;
  /** Model that rewrites episodes. Its text is used if it passes verification. */
  readonly model?: AnyModel | undefined;
  readonly logger: Logger;
  /** Called for each file use in a session, once per use. */
  readonly observe?: ((signal: Signal) => Promise<void>) | undefined;
}

/** Space of a user's session records. */
export function recordSpace(caller: Caller): string {
  return spaceOf("user-private", caller);
}

/** Prefix of the names of a project's documents. No prefix is a prefix of another project's. */
export function projectPrefix(kind: string, { projectId = "" }: Caller): string {
  return `${kind}/${encodeURIComponent(projectId)}/`;
}
