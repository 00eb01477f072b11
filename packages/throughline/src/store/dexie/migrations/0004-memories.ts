import type { Transaction } from "dexie";
import { memoryRow } from "../commit-memories.ts";
import type { MemoryRow, SpaceRow } from "../tables.ts";
import type { Migration } from "./migrations.ts";

const OF_CHAT = "id, category, lastSeen, confidence, lastSeenConversationId";
const LOOKUPS =
  "[space+slotKey+id], [space+fingerprintKey+id], [space+lastSeenConversationId+id], [space+ofChat+id], [space+current+id]";

/** Source turns of memories, their journal, and more lookup indexes. */
export const memories: Migration = {
  version: 4,
  stores: {
    memory: `[space+id], ${OF_CHAT}, ${LOOKUPS}, *mentions`,
    spaces: "space",
    turns: "[space+id], [space+sessionId+position+id]",
    entries: "[space+id], [space+revision+id], [space+madeWith+id]",
    contradictions: "[space+id], [space+memoryA], [space+memoryB], [space+status]",
    journal: "[space+id], [space+revision+position], *mentions",
    judgements: "[space+key], *mentions",
    leases: "[space+work]",
  },
  upgrade: addSpaces,
};

/** Adds the new columns of memories, and the rows of their spaces. */
async function addSpaces(tx: Transaction): Promise<void> {
  const table = tx.table<MemoryRow>("memory");
  const rows = await table.toArray();
  await table.bulkPut(rows.map((row) => memoryRow(row.space, row)));
  const spaces = [...new Set(rows.map(({ space }) => space))];
  await tx.table<SpaceRow>("spaces").bulkAdd(spaces.map((space) => ({ space, revision: 1, epoch: 0 })));
}
