import type { Throughline } from "throughline";
import type { Conversation } from "throughline/dexie";
import { textOf } from "../chat/shown-messages.ts";

/** A conversation in which something was found. */
export interface SearchHit {
  readonly conversationId: string;
  readonly title: string;
  /** The matching message; `undefined` if only the title matches. */
  readonly messageId?: string;
  readonly snippet?: string;
}

const MAX_HITS = 30;
/** Characters around the match. */
const AROUND = 60;

/** Finds conversations whose title or messages contain all words of the query, the latest first. */
export async function searchConversations(
  query: string,
  conversations: readonly Conversation[],
  throughline: Pick<Throughline, "session">,
): Promise<readonly SearchHit[]> {
  const words = fold(query)
    .split(/\s+/u)
    .filter((word) => word !== "");
  if (words.length === 0) return [];
  const hits: SearchHit[] = [];
  for (const { id, title, sessionId } of conversations) {
    if (hits.length >= MAX_HITS) break;
    if (hasAll(title, words)) {
      hits.push({ conversationId: id, title });
      continue;
    }
    const messages = await throughline.session(sessionId, { profile: "chat" }).history();
    const found = messages.findLast((message) => hasAll(textOf(message), words));
    if (found === undefined) continue;
    const snippet = cutAround(textOf(found), words[0] ?? "");
    hits.push({ conversationId: id, title, messageId: found.id, snippet });
  }
  return hits;
}

/** Case and accents make no difference. */
export function fold(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

export function hasAll(text: string, words: readonly string[]): boolean {
  const folded = fold(text);
  return words.every((word) => folded.includes(word));
}

function cutAround(text: string, word: string): string {
  const line = text.replace(/\s+/gu, " ").trim();
  const at = Math.max(0, fold(line).indexOf(word));
  const from = Math.max(0, at - AROUND);
  const cut = line.slice(from, at + word.length + AROUND);
  return `${from > 0 ? "…" : ""}${cut}${from + cut.length < line.length ? "…" : ""}`;
}
