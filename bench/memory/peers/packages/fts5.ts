import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isStopWord } from "../../../../packages/throughline/src/language/stop-words.ts";
import type { SaidTurn } from "../../recall/conversation.ts";
import type { OpenPeer, Peer } from "../peer.ts";
import { dayOf } from "../turn-text.ts";

/** SQLite's full text search with the Porter stemmer, in Node's own SQLite. */
export const fts5: Peer = {
  async open(turns, folder) {
    const database = openFile(folder);
    database.exec(
      "CREATE VIRTUAL TABLE turns USING fts5(id UNINDEXED, text, speaker, day, tokenize = 'porter unicode61'); BEGIN",
    );
    const insert = database.prepare("INSERT INTO turns VALUES (?, ?, ?, ?)");
    for (const turn of turns) insert.run(turn.id, turn.text, turn.speaker ?? turn.role, dayOf(turn));
    database.exec("COMMIT");
    return asPeer(database);
  },
  reopen: async (folder) => asPeer(openFile(folder)),
};

function openFile(folder: string): DatabaseSync {
  return new DatabaseSync(path.join(folder, "fts5.db"));
}

/** Weights of the fields as for MiniSearch. Stop words are left out of the question, as in the other packages. */
function asPeer(database: DatabaseSync): OpenPeer {
  const select = database.prepare("SELECT id FROM turns WHERE turns MATCH ? ORDER BY bm25(turns, 0, 1, 12, 1) LIMIT ?");
  const ask = async (question: string, limit: number): Promise<readonly string[]> => {
    const words = (question.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !isStopWord(word));
    if (words.length === 0) return [];
    const match = words.map((word) => `"${word}"`).join(" OR ");
    return select.all(match, limit).map(({ id }) => String(id as SaidTurn["id"]));
  };
  return { rank: ask, recall: ask, close: async () => database.close() };
}
