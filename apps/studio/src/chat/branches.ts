import type { Message, Throughline } from "throughline";
import type { Conversation } from "throughline/dexie";
import { chatCopy } from "../copy/chat.ts";
import type { ChatState } from "./chat.ts";

/** A conversation without messages. */
export function newConversation(now: number, id = `chat_${crypto.randomUUID()}`): Conversation {
  return { id, title: chatCopy.newChat, createdAt: now, updatedAt: now, sessionId: id, branches: [id] };
}

/**
 * Continues from an earlier point on a new branch. The old branch stays unchanged.
 */
export async function branchOff(
  { session }: Pick<Throughline, "session">,
  conversation: Conversation,
  kept: readonly Message[],
): Promise<Conversation> {
  // Another tab may start one at the same time.
  const sessionId = `${conversation.id}~${crypto.randomUUID()}`;
  await session(sessionId, { profile: "chat" }).append(kept.map((message) => ({ ...message, sessionId })));
  return { ...conversation, sessionId, branches: [...conversation.branches, sessionId] };
}

/** The shown version, from 1, and the number of versions. */
export function versionOf({ branches, sessionId }: Conversation): ChatState["version"] {
  return { shown: branches.indexOf(sessionId) + 1, of: branches.length };
}

/** The conversation that a session is a branch of. */
export function conversationOf(sessionId: string): string {
  return sessionId.split("~")[0] ?? sessionId;
}
