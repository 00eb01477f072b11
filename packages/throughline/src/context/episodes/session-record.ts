import { isRecord } from "../../internal/json.ts";
import type { StoredDocument } from "../../ports/document-store.ts";
import type { SessionRuns, StepRun } from "../workflows/step-run.ts";
import { projectPrefix, type RecordPorts, recordSpace } from "./record-ports.ts";

/** What was learned from a session, and how far it was read. Plain data. */
export interface SessionRecord extends SessionRuns {
  readonly version: 1;
  /** How many messages there were, and which was the last. */
  readonly messages: number;
  readonly last: string;
  /** Its episodes by the ids of their memories, each with a digest of what was told. */
  readonly episodes: Readonly<Record<string, string>>;
  /** How many touches of files there were, and how many of them the predictor was told of. */
  readonly touches: number;
  readonly told: number;
}

type RecordDeps = Pick<RecordPorts, "documents" | "owner" | "projectId">;

const KIND = "session";
const TIME_DIGITS = 9;
const TRIES = 20;

/** Where the record of a session is kept. Names sort by when the sessions began. */
function nameOf({ sessionId, at }: Pick<SessionRecord, "sessionId" | "at">, deps: RecordDeps): string {
  return `${projectPrefix(KIND, deps)}${at.toString(36).padStart(TIME_DIGITS, "0")}-${sessionId}`;
}

export async function readRecord(
  deps: RecordDeps,
  session: Pick<SessionRecord, "sessionId" | "at">,
): Promise<SessionRecord | undefined> {
  return parseRecord(await deps.documents.get(recordSpace(deps), nameOf(session, deps)));
}

/** Writes a record, unless somebody else knows more of the session already. */
export async function writeRecord(deps: RecordDeps, record: SessionRecord): Promise<void> {
  const [space, name] = [recordSpace(deps), nameOf(record, deps)];
  for (let tries = 0; tries < TRIES; tries += 1) {
    const stored = await deps.documents.get(space, name);
    const known = parseRecord(stored);
    if (known !== undefined && known.messages > record.messages) return;
    if (await deps.documents.put(space, name, { revision: stored?.revision ?? 0, value: record })) return;
  }
}

/** The newest sessions of a project, the oldest of them first. */
export async function newestRecords(deps: RecordDeps, limit: number): Promise<readonly SessionRecord[]> {
  const space = recordSpace(deps);
  const names = (await deps.documents.list(space, projectPrefix(KIND, deps))).slice(-limit);
  const records: SessionRecord[] = [];
  for (const name of names) {
    const record = parseRecord(await deps.documents.get(space, name));
    if (record !== undefined) records.push(record);
  }
  return records;
}

/** Erases what was learned from a session beside its episodes, whichever projects it was done in. */
export async function eraseRecord(deps: Pick<RecordDeps, "documents" | "owner">, sessionId: string): Promise<void> {
  const space = recordSpace({ owner: deps.owner, projectId: undefined });
  for (const name of await deps.documents.list(space, `${KIND}/`)) {
    const [, , ...rest] = name.split("/");
    if (rest.join("/").slice(TIME_DIGITS + 1) === sessionId) await deps.documents.delete(space, name);
  }
}

/** A record that was stored; nothing where it is none, or one of another form. */
function parseRecord(stored: StoredDocument | undefined): SessionRecord | undefined {
  const value = stored?.value;
  if (!isRecord(value) || value.version !== 1 || !Array.isArray(value.runs) || !isRecord(value.episodes)) {
    return undefined;
  }
  const isRun = (run: unknown): run is StepRun => isRecord(run) && typeof run.step === "string";
  return typeof value.sessionId === "string" && value.runs.every(isRun)
    ? (value as unknown as SessionRecord)
    : undefined;
}
