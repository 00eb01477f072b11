import type { Clock } from "../../ports/clock.ts";
import type { MemoryCommit } from "../../ports/memory-store.ts";
import type { Store } from "../../ports/store.ts";
import { newId } from "../service/new-id.ts";
import { type ImportRecord, writeImportRecord } from "./import-record.ts";

/** A running import. Everything that is written through `store` belongs to it. */
export interface NotedImport<S extends Store> {
  readonly id: string;
  readonly store: S;
  /** Stores the record of the import, so that it can be undone. Returns `false` if it wrote nothing. */
  save(): Promise<boolean>;
}

interface NoteOptions {
  readonly owner: string;
  readonly clock: Clock;
  /** Files, folders and repositories that are imported. */
  readonly sources: readonly string[];
}

/** Wraps a store so that everything an import writes is noted. */
export function noteImport<S extends Store>(store: S, { owner, clock, sources }: NoteOptions): NotedImport<S> {
  const at = clock.now();
  const id = newId("imp", at);
  const { messages, memories } = store;
  const sessions = new Map<string, { readonly from: number; readonly to: number }>();
  const turns: string[] = [];
  const entries = new Map<string, string[]>();
  const note = (space: string, { journal = [] }: MemoryCommit, added: readonly string[]) => {
    turns.push(...added);
    // An imported export has entries of its own past, which are no changes here.
    const own = journal.filter((entry) => entry.at >= at).map((entry) => entry.id);
    if (own.length > 0) entries.set(space, [...(entries.get(space) ?? []), ...own]);
  };
  const noting: Store = {
    ...store,
    messages: {
      ...messages,
      async append(key, from, list) {
        const isDone = await messages.append(key, from, list);
        if (isDone && list.length > 0) {
          const { from: first = from } = sessions.get(key.sessionId) ?? {};
          sessions.set(key.sessionId, { from: first, to: from + list.length });
        }
        return isDone;
      },
    },
    memories: {
      ...memories,
      async commit(space, commit) {
        const ids = (commit.turns ?? []).map((turn) => turn.id);
        const known = new Set((await memories.get(space, "turns", ids)).map((turn) => turn.id));
        const isDone = await memories.commit(space, commit);
        if (isDone) {
          note(
            space,
            commit,
            ids.filter((one) => !known.has(one)),
          );
        }
        return isDone;
      },
    },
  };
  return {
    id,
    store: noting as S,
    async save() {
      if (sessions.size + turns.length + entries.size === 0) return false;
      const record: ImportRecord = {
        version: 1,
        id,
        at,
        sources,
        sessions: Object.fromEntries(sessions),
        turns,
        entries: Object.fromEntries(entries),
      };
      await writeImportRecord({ documents: store.documents, owner }, record);
      return true;
    },
  };
}
