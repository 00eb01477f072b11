import { chatCopy } from "../../../copy/chat.ts";
import type { ChatState, CondensedNote, ShownMessage } from "../../chat-state.ts";

/** One row of the conversation. */
export type ListRow =
  | { readonly kind: "message"; readonly key: string; readonly message: ShownMessage }
  | { readonly kind: "note"; readonly key: string; readonly note: CondensedNote }
  | { readonly kind: "waiting"; readonly key: string; readonly text: string };

type Shown = Pick<ChatState, "messages" | "notes" | "isAnswering" | "isCondensing">;

/** The messages, each followed by its notes, and a row for work in progress. */
export function listRows({ messages, notes, isAnswering, isCondensing }: Shown): readonly ListRow[] {
  const notesBehind = Map.groupBy(notes, (note) => note.afterMessageId);
  const rows: ListRow[] = [];
  for (const message of messages) {
    rows.push({ kind: "message", key: message.id, message });
    for (const note of notesBehind.get(message.id) ?? []) {
      rows.push({ kind: "note", key: `note:${note.eventId}`, note });
    }
  }
  if (isCondensing) rows.push({ kind: "waiting", key: "condensing", text: chatCopy.summary.summarizing });
  else if (isAnswering && messages.at(-1)?.state !== "streaming") {
    rows.push({ kind: "waiting", key: "answering", text: chatCopy.message.thinking });
  }
  return rows;
}

/** A guess at a row's height until it is measured, so that the scroll bar hardly moves when it is. */
export function guessHeight(row: ListRow): number {
  if (row.kind !== "message") return 41;
  const { text, role } = row.message;
  const perLine = role === "user" ? 76 : 96;
  const lines = text.split("\n").reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / perLine)), 0);
  return lines * 23 + (role === "user" ? 24 : 36);
}
