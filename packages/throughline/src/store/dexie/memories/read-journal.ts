import type { Contradiction } from "../../../ports/memory.ts";
import type { JournalEntry, MemoryStore } from "../../../ports/memory-store.ts";
import { type ContradictionFilter, chooseContradictions } from "../../contradiction-filter.ts";
import { atMost, beginningWith } from "../key-range.ts";
import type { ContradictionRow, Tables } from "../tables.ts";

/** The newest first. */
export async function readJournal(
  { journal }: Tables,
  space: string,
  filter: Parameters<MemoryStore["journal"]>[1],
): Promise<JournalEntry[]> {
  if (!("ids" in filter)) {
    const rows = await atMost(beginningWith(journal, "[space+revision+position]", [space]).reverse(), filter.limit);
    return rows.map(({ entry }) => entry);
  }
  const rows = await journal.bulkGet([...new Set(filter.ids)].map((id) => [space, id]));
  return rows
    .flatMap((row) => row ?? [])
    .sort((a, b) => b.revision - a.revision || b.position - a.position)
    .map(({ entry }) => entry);
}

export async function readContradictions(
  tables: Tables,
  space: string,
  filter: ContradictionFilter,
): Promise<Contradiction[]> {
  const rows = await candidates(tables, space, filter);
  // Of two memories that are both asked for, it was found twice.
  const found = new Map(rows.map(({ id, contradiction }) => [id, contradiction]));
  return chooseContradictions(found.values(), filter);
}

/** All that fit the filter, and some that do not. */
async function candidates(
  { contradictions }: Tables,
  space: string,
  { status, ids, of }: ContradictionFilter,
): Promise<ContradictionRow[]> {
  if (ids !== undefined) {
    const rows = await contradictions.bulkGet([...new Set(ids)].map((id) => [space, id]));
    return rows.flatMap((row) => row ?? []);
  }
  if (of !== undefined) return contradictionsOf({ contradictions }, space, of);
  if (status !== undefined) return beginningWith(contradictions, "[space+status]", [space, status]).toArray();
  return beginningWith(contradictions, "[space+id]", [space]).toArray();
}

/** Those that one of these memories has a part in; some of them twice. */
export async function contradictionsOf(
  { contradictions }: Pick<Tables, "contradictions">,
  space: string,
  memories: readonly string[],
): Promise<ContradictionRow[]> {
  const keys = [...new Set(memories)].map((id) => [space, id]);
  const having = (side: string) => contradictions.where(`[space+${side}]`).anyOf(keys).toArray();
  return [...(await having("memoryA")), ...(await having("memoryB"))];
}
