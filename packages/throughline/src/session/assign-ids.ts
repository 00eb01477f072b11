import type { Message } from "../message/message.ts";

/** Ids that are known to be taken in a session. */
export interface TakenIds {
  readonly messages: Set<string>;
  readonly parts: Set<string>;
}

/**
 * Assigns messages to a session, the first at position `at`. Ids of messages and parts are unique in a session; a taken
 * or foreign id is replaced. Messages without a time get `now`.
 */
export function assignIds(
  messages: readonly Message[],
  sessionId: string,
  at: number,
  taken: TakenIds,
  now: number,
): Message[] {
  const own = { messages: new Set<string>(), parts: new Set<string>() };
  const isFree = (kind: keyof TakenIds, id: string) => id !== "" && !taken[kind].has(id) && !own[kind].has(id);
  const free = (kind: keyof TakenIds, wanted: string) => {
    let id = wanted;
    for (let n = 2; !isFree(kind, id); n += 1) id = `${wanted}~${n}`;
    own[kind].add(id);
    return id;
  };
  return messages.map((message, index) => {
    const isOwn = message.sessionId === sessionId && isFree("messages", message.id);
    const id = free("messages", isOwn ? message.id : `${sessionId}/m${at + index}`);
    const parts = message.parts.map((part, i) => {
      const partId = free("parts", isOwn && isFree("parts", part.id) ? part.id : `${id}.${i}`);
      return part.id === partId ? part : { ...part, id: partId };
    });
    return { ...message, id, sessionId, createdAt: message.createdAt || now, parts };
  });
}
