import { type CompactionEvent, findEvent, messageIdsOf } from "../../compact/window.ts";
import { NotFoundError } from "../../errors/store-errors.ts";
import type { Message } from "../../message/message.ts";
import type { MessageLog, SessionKey } from "../../ports/store.ts";

/** Page size of a search, in messages. */
const PAGE = 500;

/** The original messages behind a handle. */
export interface Recalled {
  /** The handle that was expanded. */
  readonly handle: string;
  /** Original messages; for `part:<id>` one message with only that part. */
  readonly messages: readonly Message[];
}

interface RecallSources {
  readonly key: SessionKey;
  readonly messages: MessageLog;
  readonly events: ReadonlyMap<string, CompactionEvent>;
}

/**
 * Returns the original messages behind a handle: `part:<id>`, `message:<id>`, `messages:<id>..<id>`, or a compaction by
 * its id or short name.
 *
 * @throws NotFoundError if the handle matches no message.
 */
export async function recallHandle(handle: string, sources: RecallSources): Promise<readonly Message[]> {
  const messages = await find(handle, sources);
  if (messages.length === 0) throw new NotFoundError(`Handle "${handle}"`);
  return messages;
}

async function find(handle: string, { key, messages, events }: RecallSources): Promise<readonly Message[]> {
  const event = findEvent(events, handle, key.sessionId);
  if (event !== undefined) return messages.get(key, messageIdsOf(event.replaced, events));
  const colon = handle.indexOf(":");
  const kind = handle.slice(0, Math.max(0, colon));
  const id = handle.slice(colon + 1);
  const standIns = [...events.values()].flatMap((one) => one.standIns);
  if (kind === "message") {
    const found = await messages.get(key, [id]);
    return found.length > 0 ? found : standIns.filter((message) => message.id === id);
  }
  if (kind === "part") {
    const holds = (message: Message) => message.parts.some((part) => part.id === id);
    const [holder = standIns.find(holds)] = await messages.list(key, { parts: [id] });
    return holder === undefined ? [] : [{ ...holder, parts: holder.parts.filter((part) => part.id === id) }];
  }
  return kind === "messages" ? between(id, key, messages) : [];
}

/** Reads from one id to the other, both included. Ids may contain `..`, so each `..` is tried as the separator. */
async function between(range: string, key: SessionKey, messages: MessageLog): Promise<readonly Message[]> {
  for (let at = range.indexOf(".."); at >= 0; at = range.indexOf("..", at + 1)) {
    const [first, last] = [range.slice(0, at), range.slice(at + 2)];
    const ends = await messages.get(key, [first, last]);
    if (ends.length === new Set([first, last]).size) return read(key, messages, first, last);
  }
  return [];
}

async function read(key: SessionKey, messages: MessageLog, first: string, last: string): Promise<readonly Message[]> {
  const found: Message[] = [];
  for (let from = 0; ; from += PAGE) {
    const page = await messages.list(key, { from, limit: PAGE });
    for (const message of page) {
      if (found.length > 0 || message.id === first) found.push(message);
      if (found.length > 0 && message.id === last) return found;
    }
    if (page.length < PAGE) return found;
  }
}
