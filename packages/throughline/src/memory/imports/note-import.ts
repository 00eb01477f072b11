import type { Clock } from "../../ports/clock.ts";
import { COMMIT_HISTORY } from "../../ports/document-store.ts";
import type { Store } from "../../ports/store.ts";
import { newId } from "../service/new-id.ts";
import { type ImportPart, readImportRecord, writeImportPart, writeImportRecord } from "./import-record.ts";

/** A running import. Everything that is written through `store` belongs to it. */
export interface NotedImport<S extends Store> {
  readonly id: string;
  readonly store: S;
  /** Combines the parts of the record at the end of the import. Returns `false` if it wrote nothing. */
  save(): Promise<boolean>;
}

interface NoteOptions {
  readonly owner: string;
  readonly clock: Clock;
  /** Files, folders and repositories that are imported. */
  readonly sources: readonly string[];
}

/**
 * Wraps a store so that everything an import writes is noted, write by write. A killed import can be undone too.
 */
export function noteImport<S extends Store>(store: S, { owner, clock, sources }: NoteOptions): NotedImport<S> {
  const at = clock.now();
  const id = newId("imp", at);
  const { messages, memories, documents } = store;
  const deps = { documents, owner };
  let head: Promise<void> | undefined;
  let parts = 0;
  const note = async (added: Partial<ImportPart>): Promise<void> => {
    const empty = { sessions: {}, turns: [], entries: {} };
    parts += 1;
    const number = parts;
    head ??= writeImportRecord(deps, { version: 1, id, at, sources, ...empty });
    await head;
    await writeImportPart(deps, id, { number, part: { ...empty, ...added } });
  };
  const noting: Store = {
    ...store,
    messages: {
      ...messages,
      async append(key, from, list) {
        const isDone = await messages.append(key, from, list);
        const range = { from, to: from + list.length };
        if (isDone && list.length > 0) await note({ sessions: { [key.sessionId]: range } });
        return isDone;
      },
    },
    documents: {
      ...documents,
      async put(space, name, document) {
        const isDone = await documents.put(space, name, document);
        if (isDone && name === COMMIT_HISTORY) await note({ histories: [space] });
        return isDone;
      },
    },
    memories: {
      ...memories,
      async commit(space, commit) {
        const ids = (commit.turns ?? []).map((turn) => turn.id);
        const known = new Set((await memories.get(space, "turns", ids)).map((turn) => turn.id));
        const isDone = await memories.commit(space, commit);
        const turns = ids.filter((one) => !known.has(one));
        // An imported export has entries of its own past, which are no changes here.
        const own = (commit.journal ?? []).filter((entry) => entry.at >= at).map((entry) => entry.id);
        if (isDone && turns.length + own.length > 0) {
          await note({ turns, ...(own.length > 0 && { entries: { [space]: own } }) });
        }
        return isDone;
      },
    },
  };
  return {
    id,
    store: noting as S,
    async save() {
      const record = parts === 0 ? undefined : await readImportRecord(deps, id);
      if (record === undefined) return false;
      await writeImportRecord(deps, record);
      return true;
    },
  };
}
