import type { Message } from "throughline";
import { dexieStore } from "throughline/dexie";

const OWNER = "local";
const AT_ONCE = 2_500;

/** Writes a long conversation as the Studio does. */
async function writeChat(title: string, count: number): Promise<void> {
  const { messages, conversations, close } = dexieStore();
  const id = "chat_long";
  const now = Date.now();
  const message = (at: number): Message => ({
    id: `m${at}`,
    sessionId: id,
    role: at % 2 === 0 ? "user" : "assistant",
    parts: [{ id: `m${at}.0`, type: "text", text: textOf(at) }],
    createdAt: now - (count - at) * 1_000,
  });
  for (let at = 0; at < count; at += AT_ONCE) {
    const length = Math.min(AT_ONCE, count - at);
    const some = Array.from({ length }, (_, i) => message(at + i));
    await messages.append({ userId: OWNER, sessionId: id }, at, some);
  }
  await conversations.put(OWNER, { id, title, createdAt: now, updatedAt: now, sessionId: id, branches: [id] });
  await close();
}

/** Messages of realistic, different lengths. */
function textOf(at: number): string {
  const sentences = Array.from({ length: 1 + (at % 7) }, (_, i) => `Sentence ${i + 1} of what was said here.`);
  return `Number ${at + 1}. ${sentences.join(at % 5 === 0 ? "\n\n" : " ")}`;
}

Object.assign(globalThis, { writeChat });
