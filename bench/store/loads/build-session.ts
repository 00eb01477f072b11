import { createThroughline, type Store } from "throughline";
import type { SessionKey } from "throughline/store";
import { OWNER } from "../appends/our-writers.ts";
import { type MakeMessages, MODEL } from "../make-messages.ts";

const STEP = 100;
const COMPACT_EVERY = 500;
/** Messages after the last compaction. */
const NEWEST = 60;
const SUMMARY_TOKENS = 4_000;
const TAIL_TOKENS = 8_000;

/** A long session, mostly compacted. */
export interface LongSession {
  readonly length: number;
  readonly key: SessionKey;
  readonly tokens: number;
  /** Size as one line of JSON per message. */
  readonly jsonBytes: number;
  /** Number of messages in the window. */
  readonly windowLength: number;
}

/** Built in `store` by a real session; the newest messages are the same for every length. */
export async function buildSession(make: MakeMessages, length: number, store: Store): Promise<LongSession> {
  const sessionId = `of-${length}`;
  const throughline = await createThroughline({ store, userId: OWNER });
  const session = throughline.session(sessionId, { modelId: MODEL });
  const sizes = { tokens: 0, jsonBytes: 0 };
  const append = async (from: number, to: number) => {
    const messages = make(sessionId, from, to - from);
    for (const message of messages) {
      sizes.tokens += message.tokens ?? 0;
      sizes.jsonBytes += Buffer.byteLength(JSON.stringify(message)) + 1;
    }
    await session.append(messages);
  };
  const end = length - NEWEST;
  for (let at = 0; at < end; at += STEP) {
    const next = Math.min(at + STEP, end);
    await append(at, next);
    const isDue = next % COMPACT_EVERY === 0 || next === end;
    if (isDue) await session.compact({ targetTokens: SUMMARY_TOKENS, keepTokens: TAIL_TOKENS });
  }
  await append(end, length);
  const turn = await session.prepare();
  if (turn.wasPruned || turn.wasCompacted) throw new Error("The window is too large to be the same in each session.");
  return { length, key: { userId: OWNER, sessionId }, ...sizes, windowLength: turn.messages.length };
}
