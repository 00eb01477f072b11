import type { Message } from "throughline";
import { EMPTY_STATE, type Entry, fromStored, materialize, type SessionState } from "throughline/internal";
import type { KeptSession } from "../data/find-session.ts";

const PAGE = 200;

/** Messages of a window, and the compaction that they stand for, where they do. */
export interface WindowPiece {
  readonly compaction: string | undefined;
  readonly messages: readonly Message[];
}

/** The session's state as it was last stored. */
export async function readState({ key, store }: KeptSession): Promise<SessionState> {
  return ((await store.sessions.state(key)) as SessionState | undefined) ?? EMPTY_STATE;
}

/** What stands in a session's window now, a page at a time and without touching it. */
export async function* readWindow(session: KeptSession, state: SessionState): AsyncGenerator<WindowPiece> {
  for (let at = 0; at < state.entries.length; at += PAGE) {
    yield* readEntries(session, state, state.entries.slice(at, at + PAGE));
  }
  // What was appended since the state was stored stands in the window as it was said.
  for (let at = state.appended; at < session.head.appended; at += PAGE) {
    const messages = await session.store.messages.list(session.key, {
      from: at,
      limit: Math.min(PAGE, session.head.appended - at),
    });
    yield* messages.map((message) => ({ compaction: undefined, messages: [message] }));
  }
}

async function* readEntries(
  { key, store }: KeptSession,
  state: SessionState,
  entries: readonly Entry[],
): AsyncGenerator<WindowPiece> {
  const ids = entries.flatMap((entry) => ("message" in entry ? [entry.message] : []));
  const eventIds = entries.flatMap((entry) => ("event" in entry ? [entry.event] : []));
  const messages = new Map((await store.messages.get(key, ids)).map((message) => [message.id, message]));
  const stored = eventIds.length === 0 ? [] : await store.sessions.compactions(key, eventIds);
  const events = new Map(stored.map((event) => [event.id, fromStored(event, key.sessionId)]));
  for (const entry of entries) {
    yield {
      compaction: "event" in entry ? entry.event : undefined,
      messages: materialize({ ...state, entries: [entry] }, { messages, events }),
    };
  }
}
