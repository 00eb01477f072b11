import type { Message, Part } from "throughline";

/** What a message brings that is not kept yet: all of it, its last parts, nothing; or something else has its id. */
export type Found = Message | "known" | "different";

/**
 * A transcript that is still written to may end in the middle of a message. What the message has got since is kept as a
 * message of its own behind it, whose id says from which part on.
 *
 * @param findKept the message that is kept under an id
 */
export async function findNew(
  message: Message,
  findKept: (id: string) => Promise<Message | undefined>,
): Promise<Found> {
  let { id } = message;
  for (let from = 0; ; ) {
    const kept = await findKept(id);
    const rest = message.parts.slice(from);
    if (kept === undefined) return { ...message, id, parts: rest };
    if (kept.role !== message.role || !beginAlike(kept.parts, rest)) return "different";
    from += kept.parts.length;
    if (from >= message.parts.length) return "known";
    const next = `${message.id}+${from}`;
    if (next === id) return "different";
    id = next;
  }
}

function beginAlike(a: readonly Part[], b: readonly Part[]): boolean {
  const shared = Math.min(a.length, b.length);
  return a.slice(0, shared).every((part, i) => contentOf(part) === contentOf(b[i]));
}

/** As JSON, without what a part is given when it is kept. */
function contentOf(part: Part | undefined): string {
  if (part === undefined) return "";
  const { id: _id, tokens: _tokens, countedBy: _countedBy, type, ...content } = part;
  return JSON.stringify([type, content]);
}
