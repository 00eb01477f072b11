import path from "node:path";
import { createThroughline } from "throughline";
import { sqliteStore } from "throughline/sqlite";
import type { SaidTurn } from "../../recall/conversation.ts";
import type { OpenPeer, Peer } from "../peer.ts";

/** Throughline as an application uses it: on a SQLite file, with default settings; the built package. */
export const throughline: Peer = {
  async open(turns, folder) {
    const tl = await openFile(folder);
    for (const [sessionId, said] of Map.groupBy(turns, (turn) => turn.sessionId)) {
      await tl.memory.ingest({ sessionId, messages: said.map(toMessage) });
    }
    return asPeer(tl);
  },
  reopen: async (folder) => asPeer(await openFile(folder)),
};

function openFile(folder: string) {
  return createThroughline({ store: sqliteStore(path.join(folder, "throughline.db")) });
}

function asPeer(tl: Awaited<ReturnType<typeof openFile>>): OpenPeer {
  const ask = async (question: string, limit: number, cut: "none" | "calibrated") => {
    const hits = await tl.memory.recall(question, { limit, cut, from: "turns" });
    return hits.flatMap(({ source }) => source.messageId ?? []);
  };
  return {
    rank: (question, limit) => ask(question, limit, "none"),
    recall: (question, limit) => ask(question, limit, "calibrated"),
    close: () => tl.close(),
  };
}

function toMessage({ id, role, speaker, text, at }: SaidTurn) {
  return { id, role, text, ...(speaker !== undefined && { name: speaker }), ...(at !== undefined && { at }) };
}
