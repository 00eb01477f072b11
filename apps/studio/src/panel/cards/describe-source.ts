import type { MemoryFact } from "throughline/chat";
import type { Conversation } from "throughline/dexie";
import { formatShortDay } from "../../copy/format.ts";
import { panelCopy } from "../../copy/panel.ts";

/** Conversation name of imported text. */
const PASTED = "pasted";
/** Maximum length of a title on a card, in characters. */
const SHORT = 36;

/** The source of a fact as text, with a link if it can be opened. */
export interface SourceWords {
  readonly words: string;
  /** The same source in short form for a card: the title is cut after a whole word. */
  readonly short: string;
  readonly day: string;
  readonly canJump: boolean;
}

/** The titles of conversations by their id and by the ids of their branches. */
export function titlesById(conversations: readonly Conversation[]): ReadonlyMap<string, string> {
  return new Map(conversations.flatMap(({ id, branches, title }) => [id, ...branches].map((key) => [key, title])));
}

export function describeSource(fact: MemoryFact, titles: ReadonlyMap<string, string>, now: number): SourceWords {
  const { byYou, imported, deletedChat, untitled, from } = panelCopy.card;
  const day = formatShortDay(fact.lastSeen, now);
  const place = (words: string) => ({ words, short: words, day, canJump: false });
  if (fact.lastSeenConversationId === "") return place(byYou);
  if (fact.lastSeenConversationId === PASTED) return place(imported);
  const title = titles.get(fact.lastSeenConversationId);
  if (title === undefined) return place(deletedChat);
  return { words: from(title || untitled), short: shorten(title || untitled), day, canJump: true };
}

function shorten(title: string): string {
  if (title.length <= SHORT) return title;
  const cut = title.slice(0, SHORT);
  const end = cut.lastIndexOf(" ");
  return `${(end > SHORT / 2 ? cut.slice(0, end) : cut).replace(/[\s,;:.–—-]+$/u, "")}…`;
}
