import { dropDigests } from "../context/episodes/learned-digests.ts";
import { eraseRecord, eraseRecordsOf } from "../context/episodes/session-record.ts";
import { NotFoundError } from "../errors/not-found-error.ts";
import {
  type ImportRecord,
  listImportRecords,
  readImportRecord,
  removeFromImportRecords,
  writeImportRecord,
} from "../memory/imports/import-record.ts";
import type { KeptMemory } from "../memory/imports/revert-import.ts";
import { projectOfSpace, spaceOf } from "../memory/service/spaces.ts";
import type { Clock } from "../ports/clock.ts";
import { COMMIT_HISTORY } from "../ports/document-store.ts";
import type { Store } from "../ports/store.ts";
import type { Throughline } from "../throughline.ts";

/** A session that stays although an import that added to it is undone. */
interface KeptSession {
  readonly id: string;
  /** `existed`: it had messages before. `continued`: messages were added since. */
  readonly reason: "existed" | "continued";
}

/** The result of undoing an import, or of a dry run. */
export interface UndoneImport {
  readonly id: string;
  /** Time and sources of the import. */
  readonly at: number;
  readonly sources: readonly string[];
  /** True if it was undone before; then nothing changes. */
  readonly wasUndone: boolean;
  /** Numbers of erased sessions, utterances and memories, and of memories that are as they were before. */
  readonly sessions: number;
  readonly turns: number;
  readonly memories: number;
  readonly restored: number;
  readonly keptSessions: readonly KeptSession[];
  readonly keptMemories: readonly KeptMemory[];
}

/** What undoing an import needs. */
export interface UndoImportDeps {
  /** Opens an instance that sees all projects of the user, and these ones that the import wrote to. */
  readonly open: (projects: readonly string[]) => Promise<Instance>;
  /** Erases stored answers of a server, which may repeat erased text. */
  readonly eraseAnswers: () => Promise<unknown>;
  readonly store: Store;
  readonly owner: string;
  readonly clock: Clock;
}

type Instance = Pick<Throughline, "memory" | "context">;

export interface UndoImportOptions {
  /** Reports the result, and changes nothing. Default: false. */
  readonly dryRun?: boolean;
  /** Called after each erased session, with their number. */
  readonly onProgress?: (progress: { readonly sessions: number }) => void;
}

/**
 * Undoes an import: erases the sessions, utterances and memories that it added, and restores the memories that it
 * changed. Everything that was changed since stays and is named. Importing the same files again brings all of it back.
 *
 * @throws NotFoundError if there is no import with this id
 */
export async function undoImport(
  deps: UndoImportDeps,
  id: string,
  { dryRun = false, onProgress }: UndoImportOptions = {},
): Promise<UndoneImport> {
  const { store, owner } = deps;
  const documents = { documents: store.documents, owner };
  const record = await readImportRecord(documents, id);
  if (record === undefined) throw new NotFoundError(`Import ${id}`, "here");
  const { at, sources } = record;
  const nothing = {
    id,
    at,
    sources,
    sessions: 0,
    turns: 0,
    memories: 0,
    restored: 0,
    keptSessions: [],
    keptMemories: [],
  };
  if (record.undoneAt !== undefined) return { ...nothing, wasUndone: true };
  const throughline = await deps.open(Object.keys(record.entries).flatMap((space) => projectOfSpace(space) ?? []));
  const { erased, restored, turns, kept } = await throughline.memory.revertImport(record, { dryRun });
  const { gone, keptSessions } = await sortSessions(deps, record);
  if (!dryRun) {
    for (const sessionId of gone) {
      await eraseSession(deps, throughline, sessionId);
      onProgress?.({ sessions: gone.length });
    }
    for (const { id: sessionId } of keptSessions) await eraseRecord(documents, sessionId);
    const reverted = new Set([...erased, ...restored]);
    await eraseRecordsOf(documents, reverted);
    await dropDigests(documents, reverted);
    // The next use of the project reads its commits again.
    for (const space of record.histories ?? []) await store.documents.delete(space, COMMIT_HISTORY);
    await deps.eraseAnswers();
    await closeRecord(deps, record, keptSessions);
  }
  const counts = { sessions: gone.length, turns, memories: erased.length, restored: restored.length };
  return { ...nothing, ...counts, wasUndone: false, keptSessions, keptMemories: kept };
}

/**
 * Erases the messages of a session. If utterances are left, which another command stored, everything that was learned
 * from the session stays too.
 */
async function eraseSession({ store, owner }: UndoImportDeps, { context }: Instance, sessionId: string): Promise<void> {
  const space = spaceOf("user-private", { owner, projectId: undefined });
  const [left] = await store.memories.list(space, "turns", { sessionId, limit: 1 });
  if (left === undefined) {
    await eraseRecord({ documents: store.documents, owner }, sessionId);
    await context.forgetSession(sessionId);
  }
  await store.sessions.purge({ owner, sessionId });
}

/** Marks an import as undone. Last, so that an interrupted undo can be repeated. */
async function closeRecord(
  { store: { documents }, owner, clock }: UndoImportDeps,
  record: ImportRecord,
  keptSessions: readonly KeptSession[],
): Promise<void> {
  const kept = new Set(keptSessions.map(({ id }) => id));
  const all = Object.entries(record.sessions);
  const erased = all.flatMap(([id]) => (kept.has(id) ? [] : [id]));
  await removeFromImportRecords({ documents, owner }, { sessions: new Set(erased) });
  const sessions = Object.fromEntries(all.filter(([id]) => kept.has(id)));
  await writeImportRecord(
    { documents, owner },
    { ...record, sessions, turns: [], entries: {}, histories: [], undoneAt: clock.now() },
  );
}

/** The sessions of an import: those that consist of it and of undone imports, and those with other messages. */
async function sortSessions(
  { store: { sessions, documents }, owner }: UndoImportDeps,
  record: ImportRecord,
): Promise<{ readonly gone: readonly string[]; readonly keptSessions: readonly KeptSession[] }> {
  const undone = (await listImportRecords({ documents, owner })).filter(({ undoneAt }) => undoneAt !== undefined);
  const gone: string[] = [];
  const keptSessions: KeptSession[] = [];
  for (const [id, range] of Object.entries(record.sessions)) {
    const { appended } = await sessions.head({ owner, sessionId: id });
    if (appended === 0) continue;
    const ranges = [range, ...undone.flatMap((other) => other.sessions[id] ?? [])];
    if (coverAll(ranges, appended)) gone.push(id);
    else keptSessions.push({ id, reason: range.from > 0 ? "existed" : "continued" });
  }
  return { gone, keptSessions };
}

/** True if ranges cover all positions before `end`. */
function coverAll(ranges: readonly { readonly from: number; readonly to: number }[], end: number): boolean {
  let covered = 0;
  for (const { from, to } of ranges.toSorted((a, b) => a.from - b.from)) {
    if (from > covered) return false;
    covered = Math.max(covered, to);
  }
  return covered >= end;
}
