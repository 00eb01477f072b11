import { dropDigests } from "./context/episodes/learned-entries.ts";
import { findRecords } from "./context/episodes/session-record.ts";
import { NotFoundError } from "./errors/store-errors.ts";
import { projectOfSpace, spaceOf } from "./memory/space/spaces.ts";
import {
  type ImportRecord,
  listImportRecords,
  readImportRecord,
  removeFromImportRecords,
  writeImportRecord,
} from "./memory/undo/import-record.ts";
import type { KeptMemory, RevertedMemories } from "./memory/undo/revert-import.ts";
import type { Clock } from "./ports/clock.ts";
import { COMMIT_HISTORY, type Store } from "./ports/store.ts";
import type { Throughline } from "./throughline-api.ts";

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

/** Dependencies of `undoImport`. */
export interface UndoImportDeps {
  /** Opens an instance that sees all projects of the user, and these ones that the import wrote to. */
  readonly open: (projects: readonly string[]) => Promise<Instance>;
  /** Erases stored answers of a server, which may repeat erased text. */
  readonly eraseAnswers: () => Promise<unknown>;
  readonly store: Store;
  readonly userId: string;
  readonly clock: Clock;
}

type Instance = Pick<Throughline, "memory" | "context">;

export interface UndoImportOptions {
  /** Reports the result, and changes nothing. Default: false. */
  readonly dryRun?: boolean;
}

/**
 * Undoes an import: erases the sessions, utterances and memories that it added, and restores the memories that it
 * changed. Everything that was changed since stays and is named. Importing the same files again restores all of it.
 * If it is interrupted, repeat it: the record of the import stays open until all traces are gone.
 *
 * @throws NotFoundError if there is no import with this id
 */
export async function undoImport(
  deps: UndoImportDeps,
  id: string,
  { dryRun = false }: UndoImportOptions = {},
): Promise<UndoneImport> {
  const { store, userId } = deps;
  const documents = { documents: store.documents, userId };
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
  const sorted = await sortSessions(deps, record);
  const planned = await throughline.memory.revertImport(record, { dryRun: true });
  if (!dryRun) await eraseSessions(deps, throughline, { ...sorted, record, planned });
  const { erased, restored, turns, kept } = dryRun ? planned : await throughline.memory.revertImport(record);
  if (!dryRun) await closeRecord(deps, record, sorted.keptSessions);
  const counts = { sessions: sorted.erasedSessions.length, turns, memories: erased.length, restored: restored.length };
  return { ...nothing, ...counts, wasUndone: false, keptSessions: sorted.keptSessions, keptMemories: kept };
}

/** The sessions and memories of an import that is being undone. */
interface Erasure extends SortedSessions {
  readonly record: ImportRecord;
  /** The memories that are erased and restored afterwards. */
  readonly planned: RevertedMemories;
}

/**
 * Erases the messages of sessions, and everything that was learned from them and from reverted memories. If a session
 * has utterances that another command stored, everything that was learned from it stays. All erasures run concurrently:
 * a store that rewrites its file after an erasure does so once for all of them.
 */
async function eraseSessions(
  { store: { documents, sessions, memories }, userId, eraseAnswers }: UndoImportDeps,
  { context }: Instance,
  { erasedSessions, empty, keptSessions, record, planned: { erased, restored } }: Erasure,
): Promise<void> {
  const own = spaceOf("user-private", { userId, projectId: undefined });
  const imported = new Set(record.turns);
  const unlearned = new Set(keptSessions.map(({ id }) => id));
  for (const sessionId of [...erasedSessions, ...empty]) {
    const turns = await memories.list(own, "turns", { sessionId });
    if (turns.some(({ id }) => !imported.has(id))) continue;
    unlearned.add(sessionId);
    await context.forgetSession(sessionId);
  }
  const reverted = new Set([...erased, ...restored]);
  await dropDigests({ documents, userId }, reverted);
  const records = await findRecords({ documents, userId }, { sessions: unlearned, episodes: reverted });
  await Promise.all([
    ...records.names.map((name) => documents.delete(records.space, name)),
    // The next use of the project reads its commits again.
    ...(record.histories ?? []).map((space) => documents.delete(space, COMMIT_HISTORY)),
    ...erasedSessions.map((sessionId) => sessions.purge({ userId, sessionId })),
    // Also cleans the file if an interrupted undo has left nothing else to erase.
    eraseAnswers(),
  ]);
}

/** Marks an import as undone. Last, so that an interrupted undo can be repeated. */
async function closeRecord(
  { store: { documents }, userId, clock }: UndoImportDeps,
  record: ImportRecord,
  keptSessions: readonly KeptSession[],
): Promise<void> {
  const kept = new Set(keptSessions.map(({ id }) => id));
  const all = Object.entries(record.sessions);
  const erased = all.flatMap(([id]) => (kept.has(id) ? [] : [id]));
  await removeFromImportRecords({ documents, userId }, { sessions: new Set(erased) });
  const sessions = Object.fromEntries(all.filter(([id]) => kept.has(id)));
  await writeImportRecord(
    { documents, userId },
    { ...record, sessions, turns: [], entries: {}, histories: [], undoneAt: clock.now() },
  );
}

/** The sessions of an import. */
interface SortedSessions {
  /** Sessions that consist of it and of undone imports. */
  readonly erasedSessions: readonly string[];
  /** Sessions without messages: an interrupted undo has erased them. */
  readonly empty: readonly string[];
  /** Sessions with other messages. */
  readonly keptSessions: readonly KeptSession[];
}

async function sortSessions(
  { store: { sessions, documents }, userId }: UndoImportDeps,
  record: ImportRecord,
): Promise<SortedSessions> {
  const undone = (await listImportRecords({ documents, userId })).filter(({ undoneAt }) => undoneAt !== undefined);
  const erasedSessions: string[] = [];
  const empty: string[] = [];
  const keptSessions: KeptSession[] = [];
  for (const [id, range] of Object.entries(record.sessions)) {
    const { appended } = await sessions.head({ userId, sessionId: id });
    const ranges = [range, ...undone.flatMap((other) => other.sessions[id] ?? [])];
    if (appended === 0) empty.push(id);
    else if (coverAll(ranges, appended)) erasedSessions.push(id);
    else keptSessions.push({ id, reason: range.from > 0 ? "existed" : "continued" });
  }
  return { erasedSessions: erasedSessions, empty, keptSessions };
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
