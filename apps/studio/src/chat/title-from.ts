import { chatCopy } from "../copy/chat.ts";

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
