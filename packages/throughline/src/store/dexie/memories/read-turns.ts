import { type Collection, Dexie } from "dexie";
import type { Turn } from "../../../ports/memory.ts";
import type { EntryFilter, StoredSearchEntry, TurnFilter } from "../../../ports/memory-store.ts";
import { atMost, beginningWith } from "../key-range.ts";
import type { EntryRow, Tables, TurnRow } from "../tables.ts";
import { readEntryRow } from "./rows.ts";

const OF_SESSION = "[space+sessionId+position+id]";
const BY_EMBEDDER = "[space+madeWith+id]";

/** Turns by id, in the order of `ids`. */
export async function turnsById({ turns }: Tables, space: string, ids: readonly string[]): Promise<Turn[]> {
  const rows = await turns.bulkGet(ids.map((id) => [space, id]));
  return rows.flatMap((row) => row?.turn ?? []);
}

export async function listTurns({ turns }: Tables, space: string, filter: TurnFilter = {}): Promise<Turn[]> {
  const rows = await atMost(selectTurns(turns, space, filter), filter.limit);
  return rows.map(({ turn }) => turn);
}

function selectTurns(turns: Tables["turns"], space: string, filter: TurnFilter): Collection<TurnRow, [string, string]> {
  if (!("sessionId" in filter)) return beginningWith(turns, "[space+id]", [space], filter.after);
  const { sessionId, from = 0, newestFirst = false } = filter;
  // A key that ends with the position sorts before keys that continue with an id.
  const found = beginningWith(turns, OF_SESSION, [space, sessionId], from);
  return newestFirst ? found.reverse() : found;
}

export async function listEntries(
  { entries }: Tables,
  space: string,
  filter: EntryFilter = {},
): Promise<StoredSearchEntry[]> {
  if ("withoutVectorOf" in filter) return entriesWithout({ entries }, space, filter);
  const { revision = 0, id } = filter.after ?? {};
  const behind = entries
    .where("[space+revision+id]")
    .between([space, revision, id ?? Dexie.maxKey], [space, Dexie.maxKey], false, true);
  return (await atMost(behind, filter.limit)).map(readEntryRow);
}

/** In the order of `ids`. */
export async function entriesById(
  { entries }: Tables,
  space: string,
  ids: readonly string[],
): Promise<StoredSearchEntry[]> {
  const rows = await entries.bulkGet(ids.map((id) => [space, id]));
  return rows.flatMap((row) => (row === undefined ? [] : [readEntryRow(row)]));
}

async function entriesWithout(
  { entries }: Pick<Tables, "entries">,
  space: string,
  filter: Extract<EntryFilter, { readonly withoutVectorOf: string }>,
): Promise<StoredSearchEntry[]> {
  const { withoutVectorOf, afterId, limit = Number.POSITIVE_INFINITY } = filter;
  const found: EntryRow[] = [];
  for (const madeWith of await embeddersIn({ entries }, space)) {
    if (madeWith === withoutVectorOf) continue;
    found.push(...(await atMost(beginningWith(entries, BY_EMBEDDER, [space, madeWith], afterId), limit)));
  }
  return found
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .slice(0, Math.max(0, limit))
    .map(readEntryRow);
}

/** Names of the embedders of all vectors. Reads only the first index entry of each. */
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
