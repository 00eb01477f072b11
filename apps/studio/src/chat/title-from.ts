import { chatCopy } from "../copy/chat.ts";

const MAX_LENGTH = 48;

/** Default title of a conversation: its first words. */
export function titleFrom(text: string): string {
  const line = text.replace(/[\p{C}\s]+/gu, " ").trim();
  if (line === "") return chatCopy.newChat;
  if (line.length <= MAX_LENGTH) return line;
  const cut = line.slice(0, MAX_LENGTH);
  const atWord = cut.slice(0, Math.max(cut.lastIndexOf(" "), MAX_LENGTH / 2)).trimEnd();
  return `${atWord}…`;
}
