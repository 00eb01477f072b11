import { chatCopy } from "../copy/chat.ts";

const LONGEST = 48;

/** Default title of a conversation: its first words. */
export function titleFrom(text: string): string {
  const line = text.replace(/[\p{C}\s]+/gu, " ").trim();
  if (line === "") return chatCopy.newChat;
  if (line.length <= LONGEST) return line;
  const cut = line.slice(0, LONGEST);
  const atWord = cut.slice(0, Math.max(cut.lastIndexOf(" "), LONGEST / 2)).trimEnd();
  return `${atWord}…`;
}
