import { importPeer } from "../../../import-peer.ts";
import type { OpenPeer, Peer } from "../peer.ts";
import { embedPassages, embedQuestion } from "../shared-embedder.ts";
import { turnText } from "../turn-text.ts";

// The parts of @lancedb/lancedb that are used; it is an optional package.
interface Query {
  fullTextSearch(text: string): Query;
  nearestTo(vector: readonly number[]): Query;
  rerank(reranker: object): Query;
  select(columns: readonly string[]): Query;
  limit(count: number): Query;
  toArray(): Promise<readonly { readonly id: string }[]>;
}

interface Table {
  createIndex(column: string, options: object): Promise<void>;
  query(): Query;
  close(): void;
}

interface Connection {
  createTable(name: string, rows: readonly object[]): Promise<Table>;
  openTable(name: string): Promise<Table>;
  close(): void;
}

interface LanceModule {
  connect(folder: string): Promise<Connection>;
  readonly Index: { fts(options: object): object };
  readonly rerankers: { readonly RRFReranker: { create(): Promise<object> } };
}

const TABLE = "turns";

/** LanceDB's hybrid query: its full text index with stems and without stop words, exact vectors, reciprocal ranks. */
export async function loadLanceDb(folder: string | undefined): Promise<Peer | undefined> {
  const loaded = (await importPeer("@lancedb/lancedb", folder)) as LanceModule | undefined;
  return loaded && lanceDb(loaded);
}

function lanceDb({ connect, Index, rerankers }: LanceModule): Peer {
  const asPeer = async (connection: Connection, table: Table): Promise<OpenPeer> => {
    const reranker = await rerankers.RRFReranker.create();
    const ask = async (question: string, limit: number) => {
      const query = table
        .query()
        .fullTextSearch(question)
        .nearestTo(await embedQuestion(question));
      const found = await query.rerank(reranker).select(["id"]).limit(limit).toArray();
      return found.slice(0, limit).map(({ id }) => id);
    };
    const close = async () => {
      table.close();
      connection.close();
    };
    return { rank: ask, recall: ask, close };
  };
  return {
    async open(turns, folder) {
      const connection = await connect(folder);
      const texts = turns.map(turnText);
      const vectors = await embedPassages(texts);
      const rows = turns.map(({ id }, at) => ({ id, text: texts[at], vector: vectors[at] }));
      const table = await connection.createTable(TABLE, rows);
      await table.createIndex("text", {
        config: Index.fts({ stem: true, removeStopWords: true, language: "English" }),
      });
      return asPeer(connection, table);
    },
    async reopen(folder) {
      const connection = await connect(folder);
      return asPeer(connection, await connection.openTable(TABLE));
    },
  };
}
