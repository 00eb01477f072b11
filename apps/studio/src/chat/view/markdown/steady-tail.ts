/**
 * The last piece of an answer that still streams, so that it does not flicker: marks that are open are closed, and
 * what may yet become something else is held back until it is clear.
 */
export function steadyTail(block: string): string {
  if (/^ {0,3}(?:`{3,}|~{3,})/m.test(block)) return block;
  return closeMarks(holdBackTable(holdBackLine(block)));
}

/** A last line of nothing but marks may become a list, a rule, a heading's underline or a fence. */
function holdBackLine(block: string): string {
  return block.replace(/(^|\n)[ \t]*(?:[-*+_=`~#>]{1,6}|\d{1,3}[.)]?)[ \t]*$/, "$1");
}

/** A table is one only when the line below its head is there. */
function holdBackTable(block: string): string {
  const lines = block.replace(/\n$/, "").split("\n");
  const head = lines.findLastIndex((line) => !line.startsWith("|")) + 1;
  const table = lines.slice(head);
  if (table.length === 0 || table.length > 2) return block;
  return lines.slice(0, head).join("\n");
}

function closeMarks(block: string): string {
  const text = block.replace(/(^|[\s(*_])!?\[([^\]\n]*)(?:\](?:\([^)\s]*)?)?$/, "$1$2");
  const paragraph = text.slice(text.lastIndexOf("\n\n") + 1);
  const isInCode = (paragraph.split("`").length - 1) % 2 === 1;
  if (isInCode) return text.endsWith("`") ? text.slice(0, -1) : `${text}\``;
  const outsideCode = paragraph.replace(/`[^`]*`/g, "");
  return ["**", "~~", "__"].reduce((closed, mark) => closeMark(closed, outsideCode, mark), text);
}

function closeMark(text: string, outsideCode: string, mark: string): string {
  const isOpen = outsideCode.split(mark).length % 2 === 0;
  if (!isOpen) return text;
  const bare = text.trimEnd();
  if (bare.endsWith(mark)) return bare.slice(0, -mark.length);
  // Half of the closing mark is there already.
  return bare.endsWith(mark[0] ?? "") ? `${bare}${mark[0]}` : `${bare}${mark}`;
}
