import { createThroughline, type Message, type Store } from "throughline";
import { MODEL } from "../make-messages.ts";
import type { Round, Writer } from "./writer.ts";

export const OWNER = "local";

/** Stores messages that are already counted. */
export function storeWriter(name: string, store: Store): Writer {
  return {
    name,
    ready: async (round) => () => appendRound(store, round),
    close: () => store.close(),
  };
}

async function appendRound(store: Store, { sessionId, turnSize, turns }: Round): Promise<void> {
  const key = { userId: OWNER, sessionId };
  for (const [index, turn] of turns.entries()) {
    if (!(await store.messages.append(key, index * turnSize, turn)))
      throw new Error(`Session ${sessionId} belongs to another user.`);
  }
}

/** The whole path: looked up, counted, added to the ledger, stored. */
export async function sessionWriter(name: string, store: Store): Promise<Writer> {
  const throughline = await createThroughline({ store, userId: OWNER });
  return {
    name,
    async ready({ sessionId, turns }) {
      const uncounted = turns.map((turn) => turn.map(withoutCounts));
      return async () => {
        const session = throughline.session(sessionId, { modelId: MODEL });
        for (const turn of uncounted) await session.append(turn);
      };
    },
    close: () => throughline.close(),
  };
}

function withoutCounts({ tokens: _, ...message }: Message): Message {
  return { ...message, parts: message.parts.map(({ tokens: _tokens, countedBy: _countedBy, ...part }) => part) };
}
