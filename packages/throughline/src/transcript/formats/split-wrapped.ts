import type { PartDraft } from "../../message/part.ts";

/** Pattern for the opening tag of any of these wrappers. A name may be a pattern such as `ide_\w+`. */
export function openingTag(...names: readonly string[]): RegExp {
  return new RegExp(`<(${names.join("|")})(?:\\s[^<>]{0,400})?>`, "g");
}

/** Maximum number of unclosed tags to search for. Clients write fewer. */
const MAX_UNCLOSED = 20;

/**
 * Splits a user text into blocks that a client wrapped in its own tags, marked as synthetic, and the text around them.
 * An unclosed tag wraps the rest if only wrappers precede it; otherwise it is plain text.
 *
 * @param tag Pattern made by `openingTag`.
 */
export function splitWrapped(part: PartDraft, tag: RegExp): PartDraft[] {
  if (part.type !== "text" || part.synthetic === true) return [part];
  const { text } = part;
  const pieces: PartDraft[] = [];
  const unclosed = new Set<string>();
  let last = 0;
  let isOnlyWrappers = true;
  const take = (end: number, synthetic: boolean) => {
    const piece = text.slice(last, end);
    last = end;
    if (piece.trim() === "") return;
    if (!synthetic) isOnlyWrappers = false;
    pieces.push(synthetic ? { ...part, text: piece, synthetic } : { ...part, text: piece });
  };
  for (const { 0: opening, 1: name = "", index } of text.matchAll(tag)) {
    if (unclosed.size > MAX_UNCLOSED) break;
    if (index < last || unclosed.has(name)) continue;
    const close = text.indexOf(`</${name}>`, index + opening.length);
    if (close < 0) unclosed.add(name);
    if (close < 0 && !(isOnlyWrappers && text.slice(last, index).trim() === "")) continue;
    take(index, false);
    take(close < 0 ? text.length : close + name.length + 3, true);
  }
  take(text.length, false);
  return pieces.length === 0 ? [part] : pieces;
}
