import type { MemoryService, Message } from "throughline";
import type { Conversation } from "throughline/dexie";
import { isDeleted } from "throughline/internal/engine";
import { shownMessages } from "../chat/shown-messages.ts";
import { chatCopy } from "../copy/chat.ts";

const { exported: copy } = chatCopy;

/** Exports a conversation as Markdown. */
export function conversationMarkdown({ title, createdAt }: Conversation, history: readonly Message[]): string {
  const messages = shownMessages(history, [], new Map()).map(({ role, text, at, attachments = [] }) => {
    const files = attachments.map(({ name }) => copy.attached(name));
    return [`## ${role === "user" ? copy.you : copy.assistant} · ${minuteOf(at)}`, ...files, text.trim()].join("\n\n");
  });
  return [`# ${title}`, `*${minuteOf(createdAt)}*`, ...messages].join("\n\n").concat("\n");
}

/** Exports a conversation as JSON, with the displayed version of each message. */
export function conversationJson(
  { id, title, createdAt, updatedAt }: Conversation,
  history: readonly Message[],
): string {
  const messages = history.map(({ id: messageId, role, parts, createdAt: at, error }) => ({
    id: messageId,
    role,
    at: new Date(at).toISOString(),
    parts: parts.map(({ tokens: _, countedBy: __, ...part }) => part),
    ...(error !== undefined && { error }),
  }));
  const dates = { createdAt: new Date(createdAt).toISOString(), updatedAt: new Date(updatedAt).toISOString() };
  return JSON.stringify(
    { format: "throughline-conversation", version: 1, id, title, ...dates, messages },
    undefined,
    2,
  );
}

/** Minute in UTC: `2024-05-01 12:30`. */
function minuteOf(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace("T", " ");
}

/** Exports memories as a file, without deleted memories and their records. */
export async function exportMemories(
  memory: Pick<MemoryService, "export">,
  format: "json" | "markdown",
): Promise<string> {
  if (format === "markdown") return memory.export({ format: "markdown" });
  const exported = await memory.export();
  const deleted = new Set(exported.memories.filter(isDeleted).map(({ id }) => id));
  const journal = exported.journal?.flatMap((entry) => {
    const changes = entry.changes.filter(({ id }) => !deleted.has(id));
    return changes.length === 0 ? [] : [{ ...entry, changes }];
  });
  const content = {
    ...exported,
    memories: exported.memories.filter(({ id }) => !deleted.has(id)),
    contradictions: exported.contradictions.filter(
      ({ memoryA, memoryB }) => !deleted.has(memoryA) && !deleted.has(memoryB),
    ),
    ...(journal !== undefined && { journal }),
  };
  return JSON.stringify(content, undefined, 2);
}
