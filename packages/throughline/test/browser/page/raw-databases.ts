import { Dexie } from "dexie";
import { migrations } from "../../../src/store/dexie/migrations/migrations.ts";
import { memory, said } from "../../../src/test/samples.ts";
import type { PageApi } from "../page-api.ts";
import { key, space } from "./stores.ts";

type Calls = Pick<PageApi, "makeVersion" | "makeNewer" | "hold" | "schema" | "rows" | "traces">;

/** Databases past the store: as older and newer code makes them, and as they are. */
export const rawDatabases: Calls = {
  makeVersion: async (database, version) => {
    const dexie = dexieOf(database, version);
    await dexie.open();
    for (const [table, rows] of Object.entries(rowsOf(version))) await dexie.table(table).bulkAdd(rows);
    dexie.close();
  },
  makeNewer: async (database) => {
    const dexie = dexieOf(database, Number.POSITIVE_INFINITY);
    dexie.version(99).stores({ receipts: null, future: "id" });
    await dexie.open();
    dexie.close();
  },
  hold: async (database) => {
    held.push(await openRaw(database));
  },
  schema: async (database) => {
    const raw = await openRaw(database);
    const names = [...raw.objectStoreNames];
    const tables = names.map((name) => [name, [...raw.transaction(name).objectStore(name).indexNames]]);
    raw.close();
    return { version: raw.version, tables: Object.fromEntries(tables) };
  },
  rows: async (database, table) => {
    const raw = await openRaw(database);
    const rows = await resultOf(raw.transaction(table).objectStore(table).getAll());
    raw.close();
    return rows;
  },
  traces: async (database, word) => {
    const { tables } = await rawDatabases.schema(database);
    const rows = await Promise.all(Object.keys(tables).map((table) => rawDatabases.rows(database, table)));
    return (
      JSON.stringify(rows, (_, value) => (value instanceof Uint8Array ? textIn(value) : value)).split(word).length - 1
    );
  },
};

const held: IDBDatabase[] = [];

/** Schema in the code of that version. */
function dexieOf(database: string, last: number): Dexie {
  const dexie = new Dexie(database);
  for (const { version, stores, upgrade } of migrations) {
    if (version > last) break;
    const step = dexie.version(version).stores({ ...stores });
    if (upgrade !== undefined) step.upgrade(upgrade);
  }
  return dexie;
}

/** Data of the first versions. */
function rowsOf(version: number): Record<string, Record<string, unknown>[]> {
  const { userId: owner, sessionId } = key;
  const conversation = { id: "c", title: "First", createdAt: 1, updatedAt: 2, sessionId, branches: [sessionId] };
  const messages = ["m0", "m1", "m2"].map((id, position) => ({
    ...{ owner, sessionId, position, id, partKeys: [[owner, sessionId, `${id}.0`]] },
    message: { ...said(key, id), createdAt: 1_000 + position },
  }));
  const first = { conversations: [{ owner, id: "c", conversation }], messages };
  return version < 2 ? first : { ...first, memory: memoryRows() };
}

function memoryRows(): Record<string, unknown>[] {
  const facts = [
    memory("f1", { category: "project", source: { sessionId: "s" }, links: ["f2"] }),
    memory("f2", { validTo: 5 }),
  ];
  return facts.map((fact) => ({
    ...{ space, id: fact.id, category: fact.category, lastSeen: fact.lastSeenAt, confidence: fact.confidence },
    ...{ lastSeenConversationId: fact.source.sessionId, slot: `slot ${fact.id}`, fingerprint: fact.id, memory: fact },
  }));
}

function openRaw(database: string): Promise<IDBDatabase> {
  return resultOf(indexedDB.open(database));
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function textIn(bytes: Uint8Array): string {
  return new TextDecoder("latin1").decode(bytes);
}
