import { Dexie } from "dexie";
import type { Turn } from "../../../ports/memory.ts";
import type { SearchEntry, StoredSearchEntry } from "../../../ports/memory-store.ts";
import { atMost, beginningWith } from "../key-range.ts";
import type { EntryRow, Tables } from "../tables.ts";
import { readEntryRow } from "./rows.ts";

const OF_SESSION = "[space+sessionId+position+id]";
const BY_EMBEDDER = "[space+madeWith+id]";

/** Turns by id, in the order of `ids`. */
export async function turnsById({ turns }: Tables, space: string, ids: readonly string[]): Promise<Turn[]> {
  const rows = await turns.bulkGet(ids.map((id) => [space, id]));
  return rows.flatMap((row) => row?.turn ?? []);
}

export async function turnsOfSession(
  { turns }: Tables,
  space: string,
  sessionId: string,
  { from = 0, limit }: { readonly from: number | undefined; readonly limit: number | undefined },
): Promise<Turn[]> {
  // A key that ends with the position comes before those that go on with an id.
  const rows = await atMost(beginningWith(turns, OF_SESSION, [space, sessionId], from), limit);
  return rows.map(({ turn }) => turn);
}

export function countTurns({ turns }: Tables, space: string, sessionId: string): Promise<number> {
  return beginningWith(turns, OF_SESSION, [space, sessionId]).count();
}

export async function entriesAfter(
  { entries }: Tables,
  space: string,
  { revision, id }: { readonly revision: number; readonly id?: string },
  limit: number,
): Promise<StoredSearchEntry[]> {
  const behind = entries
    .where("[space+revision+id]")
    .between([space, revision, id ?? Dexie.maxKey], [space, Dexie.maxKey], false, true);
  return (await atMost(behind, limit)).map(readEntryRow);
}

/** What search holds of some, in the order of `ids`. */
export async function entriesById({ entries }: Tables, space: string, ids: readonly string[]): Promise<SearchEntry[]> {
  const rows = await entries.bulkGet(ids.map((id) => [space, id]));
  return rows.flatMap((row) => (row === undefined ? [] : [withoutRevision(row)]));
}

export async function entriesWithout(
  { entries }: Tables,
  space: string,
  { embedder, after, limit }: { readonly embedder: string; readonly after: string; readonly limit: number },
): Promise<SearchEntry[]> {
  const found: EntryRow[] = [];
  for (const madeWith of await embeddersIn({ entries }, space)) {
    if (madeWith === embedder) continue;
    found.push(...(await atMost(beginningWith(entries, BY_EMBEDDER, [space, madeWith], after), limit)));
  }
  return found
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .slice(0, Math.max(0, limit))
    .map(withoutRevision);
}

/** What vectors were made with: the index is asked for the first of each, and never for all. */
async function embeddersIn({ entries }: Pick<Tables, "entries">, space: string): Promise<EntryRow["madeWith"][]> {
  const found: EntryRow["madeWith"][] = [];
  let first = await beginningWith(entries, BY_EMBEDDER, [space]).first();
  while (first !== undefined) {
    found.push(first.madeWith);
    const last = [space, first.madeWith, Dexie.maxKey];
    first = await entries.where(BY_EMBEDDER).between(last, [space, Dexie.maxKey], false, true).first();
  }
  return found;
}

function withoutRevision(row: EntryRow): SearchEntry {
  const { revision: _, ...entry } = readEntryRow(row);
  return entry;
}
