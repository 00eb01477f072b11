const LONGEST = 48;

/** What a conversation is called before anybody names it: the first words that were said in it. */
export function titleFrom(text: string): string {
  const line = text.replace(/[\p{C}\s]+/gu, " ").trim();
  if (line === "") return "New chat";
  if (line.length <= LONGEST) return line;
  const cut = line.slice(0, LONGEST);
  const atWord = cut.slice(0, Math.max(cut.lastIndexOf(" "), LONGEST / 2)).trimEnd();
  return `${atWord}…`;
}
