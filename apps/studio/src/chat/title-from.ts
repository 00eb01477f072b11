import { chatCopy } from "../copy/chat.ts";

const LONGEST = 48;

/** Marks of Markdown around words, and before a line. */
const MARKS = /`+|\*\*|__|^[#>]+ /gmu;

/** Default title of a conversation: its first words, without the marks of Markdown. */
export function titleFrom(text: string): string {
  const line = text
    .replace(MARKS, "")
    .replace(/[\p{C}\s]+/gu, " ")
    .trim();
  if (line === "") return chatCopy.newChat;
  if (line.length <= LONGEST) return line;
  const cut = line.slice(0, LONGEST);
  const atWord = cut.slice(0, Math.max(cut.lastIndexOf(" "), LONGEST / 2)).trimEnd();
  return `${atWord}…`;
}
