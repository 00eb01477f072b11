import type { Message, Throughline } from "throughline";
import type { Conversation } from "throughline/dexie";
import { chatCopy } from "../copy/chat.ts";
import type { ChatState } from "./chat-state.ts";

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

const MAX_LENGTH = 48;

/** Marks of Markdown around words, and before a line. */
const MARKS = /`+|\*\*|__|^[#>]+ /gmu;

/** Default title of a conversation: its first words, without the marks of Markdown. */
export function titleFrom(text: string): string {
  const line = text
    .replace(MARKS, "")
    .replace(/[\p{C}\s]+/gu, " ")
    .trim();
  if (line === "") return chatCopy.newChat;
  if (line.length <= MAX_LENGTH) return line;
  const cut = line.slice(0, MAX_LENGTH);
  const atWord = cut.slice(0, Math.max(cut.lastIndexOf(" "), MAX_LENGTH / 2)).trimEnd();
  return `${atWord}…`;
}
