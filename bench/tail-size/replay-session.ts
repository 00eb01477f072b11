import { createThroughline, type Message, type SessionOptions } from "throughline";
import { readMessages } from "../compaction/message-text.ts";
import { NeededIdentifiers } from "../compaction/needed-identifiers.ts";
import { type Bill, emptyBill, priceRequest } from "../prefix-cache/price-requests.ts";
import type { LongSession } from "../real-sessions.ts";

/** Sums over sessions that were replayed with one setting. */
export interface ReplayScore {
  sessions: number;
  compactions: number;
  prunings: number;
  /** Tokens that all compactions freed. */
  freed: number;
  readonly bill: Bill;
  /** Needed identifiers that are in the window directly after a compaction. */
  readonly afterCompaction: Recall;
  /** The same at every twentieth request: the same places for all settings. */
  readonly anyTime: Recall;
}

export interface Recall {
  needed: number;
  found: number;
}

export function emptyReplayScore(): ReplayScore {
  const recall = (): Recall => ({ needed: 0, found: 0 });
  const counts = { sessions: 0, compactions: 0, prunings: 0, freed: 0 };
  return { ...counts, bill: emptyBill(), afterCompaction: recall(), anyTime: recall() };
}

const EVERY = 20;

/** Replays a session: each assistant message was one request, before which the window is prepared. */
export async function replaySession(
  { id, messages }: LongSession,
  options: SessionOptions & { readonly contextLimit: number },
  score: ReplayScore,
): Promise<void> {
  const throughline = await createThroughline();
  const session = throughline.session(id, options);
  const needed = new NeededIdentifiers(messages);
  let before: readonly Message[] = [];
  let appended = 0;
  let requests = 0;
  score.sessions += 1;
  for (const [index, message] of messages.entries()) {
    if (message.role !== "assistant") continue;
    await session.append(messages.slice(appended, index));
    appended = index;
    const turn = await session.prepare();
    const window = session.lastWindow?.window ?? [];
    priceRequest(score.bill, before, window, options.contextLimit);
    before = window;
    requests += 1;
    if (turn.wasPruned && !turn.wasCompacted) score.prunings += 1;
    if (turn.wasCompacted) {
      score.compactions += 1;
      score.freed += turn.tokens.before - turn.tokens.afterCompact;
      addRecall(score.afterCompaction, needed.at(index), window);
    }
    if (requests % EVERY === 0) addRecall(score.anyTime, needed.at(index), window);
  }
  await throughline.close();
}

function addRecall(recall: Recall, words: readonly string[], window: readonly Message[]): void {
  const text = readMessages(window);
  recall.needed += words.length;
  recall.found += words.filter((word) => text.includes(word)).length;
}
