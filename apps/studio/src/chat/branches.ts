import type { Message, Throughline } from "throughline";
import type { Conversation } from "throughline/dexie";

/** A conversation that nothing was said in yet. */
export function newConversation(now: number): Conversation {
  const id = `chat_${crypto.randomUUID()}`;
  return { id, title: "New chat", createdAt: now, updatedAt: now, sessionId: id, branches: [id] };
}

/**
 * Goes on from an earlier point on a branch of its own. What was said is never changed: the old branch stays as it is.
 */
export async function branchOff(
  { session }: Pick<Throughline, "session">,
  conversation: Conversation,
  kept: readonly Message[],
): Promise<Conversation> {
  const sessionId = `${conversation.id}~${conversation.branches.length + 1}`;
  await session(sessionId, { profile: "chat" }).append(kept.map((message) => ({ ...message, sessionId })));
  return { ...conversation, sessionId, branches: [...conversation.branches, sessionId] };
}

/** The conversation that a session is a branch of. */
export function conversationOf(sessionId: string): string {
  return sessionId.split("~")[0] ?? sessionId;
}
