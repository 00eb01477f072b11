import type { MemoryFact } from "throughline/chat";
import type { Conversation } from "throughline/dexie";

/** What an import of pasted text names as its conversation. */
const PASTED = "pasted";

/** Where a fact came from, in words, and whether one can go there. */
export interface SourceWords {
  readonly words: string;
  /** The day, which stays to be read where the words are cut short. */
  readonly day?: string;
  readonly canJump: boolean;
}

/** The titles of conversations by their id and by the ids of their branches. */
export function titlesById(conversations: readonly Conversation[]): ReadonlyMap<string, string> {
  return new Map(conversations.flatMap(({ id, branches, title }) => [id, ...branches].map((key) => [key, title])));
}

export function describeSource(fact: MemoryFact, titles: ReadonlyMap<string, string>, now: number): SourceWords {
  if (fact.lastSeenConversationId === "") return { words: "Added by you", canJump: false };
  const day = showDay(fact.lastSeen, now);
  if (fact.lastSeenConversationId === PASTED) return { words: "Imported", day, canJump: false };
  const title = titles.get(fact.lastSeenConversationId);
  if (title === undefined) return { words: "From a deleted chat", day, canJump: false };
  return { words: `From “${title || "Untitled"}”`, day, canJump: true };
}

/** "3 Nov", with the year where it is another one. */
function showDay(at: number, now: number): string {
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  return new Date(at).toLocaleDateString("en-GB", {
    day: "numeric",
    month: "short",
    ...(!isThisYear && { year: "numeric" }),
  });
}
