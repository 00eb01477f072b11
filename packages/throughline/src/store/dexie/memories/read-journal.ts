import type { Contradiction } from "../../../ports/memory.ts";
import type { ContradictionFilter, JournalEntry, JournalFilter } from "../../../ports/memory-store.ts";
import { hasChange, selectContradictions } from "../../memory-filters.ts";
import { atMost, beginningWith } from "../key-range.ts";
import type { ContradictionRow, Tables } from "../tables.ts";

/** Newest first. */
export async function listJournal(
  { journal }: Tables,
  space: string,
  { of, limit }: JournalFilter = {},
): Promise<JournalEntry[]> {
  const newest = beginningWith(journal, "[space+revision+position]", [space]).reverse();
  const wanted = of === undefined ? newest : newest.filter(({ entry }) => hasChange(entry, of));
  const rows = await atMost(wanted, limit);
  return rows.map(({ entry }) => entry);
}

/** In the order of `ids`. */
export async function journalById({ journal }: Tables, space: string, ids: readonly string[]): Promise<JournalEntry[]> {
  const rows = await journal.bulkGet(ids.map((id) => [space, id]));
  return rows.flatMap((row) => row?.entry ?? []);
}

/** In the order of `ids`. */
export async function contradictionsById(
  { contradictions }: Tables,
  space: string,
  ids: readonly string[],
): Promise<Contradiction[]> {
  const rows = await contradictions.bulkGet(ids.map((id) => [space, id]));
  return rows.flatMap((row) => row?.contradiction ?? []);
}

/** Oldest first. */
export async function listContradictions(
  tables: Tables,
  space: string,
  filter: ContradictionFilter = {},
): Promise<Contradiction[]> {
  const rows = await candidates(tables, space, filter);
  // A contradiction of two of these memories is found twice.
  const found = new Map(rows.map(({ id, contradiction }) => [id, contradiction]));
  return selectContradictions(found.values(), filter);
}

async function candidates(
  { contradictions }: Tables,
  space: string,
  { status, of }: ContradictionFilter,
): Promise<ContradictionRow[]> {
  if (of !== undefined) return contradictionsOf({ contradictions }, space, of);
  if (status !== undefined) return beginningWith(contradictions, "[space+status]", [space, status]).toArray();
  return beginningWith(contradictions, "[space+id]", [space]).toArray();
}

/** Contradictions that involve one of these memories. May contain duplicates. */
export async function contradictionsOf(
  { contradictions }: Pick<Tables, "contradictions">,
  space: string,
  memories: readonly string[],
): Promise<ContradictionRow[]> {
  const keys = [...new Set(memories)].map((id) => [space, id]);
  const having = (side: string) => contradictions.where(`[space+${side}]`).anyOf(keys).toArray();
  return [...(await having("memoryA")), ...(await having("memoryB"))];
}
