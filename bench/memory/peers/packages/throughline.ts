import { createThroughline } from "../../../../packages/throughline/src/index.ts";
import type { SaidTurn } from "../../recall/conversation.ts";
import type { Peer } from "../peer.ts";

export const OURS = "Throughline";

/** Throughline as an application uses it: in process, with default settings. */
export const throughline: Peer = {
  name: OURS,
  async open(turns) {
    const tl = await createThroughline();
    for (const [sessionId, said] of Map.groupBy(turns, (turn) => turn.sessionId)) {
      await tl.memory.ingest({ sessionId, messages: said.map(toMessage) });
    }
    const ask = async (question: string, limit: number, cut: "none" | "calibrated") => {
      const hits = await tl.memory.recall(question, { limit, cut, from: "turns" });
      return hits.flatMap(({ source }) => source.messageId ?? []);
    };
    return {
      rank: (question, limit) => ask(question, limit, "none"),
      recall: (question, limit) => ask(question, limit, "calibrated"),
      close: () => tl.close(),
    };
  },
};

function toMessage({ id, role, speaker, text, at }: SaidTurn) {
  return { id, role, text, ...(speaker !== undefined && { name: speaker }), ...(at !== undefined && { at }) };
}
