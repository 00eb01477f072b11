import type { Clock } from "../../ports/clock.ts";
import { COMMIT_HISTORY, type Store } from "../../ports/store.ts";
import { newId } from "../ids.ts";
import { type ImportPart, readImportRecord, writeImportPart, writeImportRecord } from "./import-record.ts";

/** A running import. Everything that is written through `store` belongs to it. */
export interface RecordedImport<S extends Store> {
  readonly id: string;
  readonly store: S;
  /** Combines the parts of the record at the end of the import. Returns `false` if it wrote nothing. */
  save(): Promise<boolean>;
}

interface RecordOptions {
  readonly userId: string;
  readonly clock: Clock;
  /** Files, folders and repositories that are imported. */
  readonly sources: readonly string[];
}

/**
 * Wraps a store so that everything an import writes is recorded, write by write. The record comes first, so that a
 * killed import can be undone completely.
 */
export function recordImport<S extends Store>(store: S, { userId, clock, sources }: RecordOptions): RecordedImport<S> {
  const at = clock.now();
  const id = newId("imp", at);
  const deps = { documents: store.documents, userId };
  let head: Promise<void> | undefined;
  let parts = 0;
  const recorded: WriteRecorded = async (part, write) => {
    parts += 1;
    const number = parts;
    head ??= writeImportRecord(deps, { version: 1, id, at, sources, sessions: {}, turns: [], entries: {} });
    await head;
    const withdraw = await writeImportPart(deps, id, { number, part });
    const isDone = await write();
    if (!isDone) await withdraw();
    return isDone;
  };
  return {
    id,
    store: { ...store, ...recordedParts(store, at, recorded) },
    async save() {
      const record = parts === 0 ? undefined : await readImportRecord(deps, id);
      if (record === undefined) return false;
      await writeImportRecord(deps, record);
      return true;
    },
  };
}

/** Records a part of an import, then writes it. If the write is refused, the record of the part is withdrawn. */
type WriteRecorded = (part: Partial<ImportPart>, write: () => Promise<boolean>) => Promise<boolean>;

/** The parts of a store that an import writes to. */
function recordedParts(
  { messages, documents, memories }: Store,
  at: number,
  recorded: WriteRecorded,
): Pick<Store, "messages" | "documents" | "memories"> {
  return {
    messages: {
      ...messages,
      async append(key, from, list) {
        const write = () => messages.append(key, from, list);
        if (list.length === 0) return write();
        return recorded({ sessions: { [key.sessionId]: { from, to: from + list.length } } }, write);
      },
    },
    documents: {
      ...documents,
      async put(space, name, document) {
        const write = () => documents.put(space, name, document);
        return name === COMMIT_HISTORY ? recorded({ histories: [space] }, write) : write();
      },
    },
    memories: {
      ...memories,
      async commit(space, commit) {
        const ids = (commit.turns ?? []).map((turn) => turn.id);
        const known = new Set((await memories.get(space, "turns", ids)).map((turn) => turn.id));
        const turns = ids.filter((one) => !known.has(one));
        // An imported export has entries of its own past, which are no changes here.
        const own = (commit.journal ?? []).filter((entry) => entry.at >= at).map((entry) => entry.id);
        const write = () => memories.commit(space, commit);
        if (turns.length + own.length === 0) return write();
        return recorded({ turns, ...(own.length > 0 && { entries: { [space]: own } }) }, write);
      },
    },
  };
}
