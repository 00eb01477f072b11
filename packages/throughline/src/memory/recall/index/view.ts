import type { SearchIndex } from "../search-index.ts";
import type { Sight } from "./documents.ts";

/** An index, and its documents that are visible to a query. */
export interface View {
  readonly index: SearchIndex;
  /** 1 for each visible document. */
  readonly visible: Uint8Array;
  readonly size: number;
  /** By session: number of visible words, and of visible turns. */
  readonly sessionLengths: Float64Array;
  readonly sessionSizes: Uint32Array;
  /** Number of sessions with visible turns, and their words. */
  readonly sessions: number;
  readonly sessionWords: number;
  /** Number of words of all visible documents. */
  readonly length: number;
  /** Speakers of the visible documents. */
  readonly speakers: readonly string[];
}

/** Totals and means over all visible documents. */
export interface Usual {
  readonly documents: number;
  /** Mean words per document. */
  readonly length: number;
  readonly sessions: number;
  /** Mean words per session. */
  readonly sessionLength: number;
}

export function viewOf(index: SearchIndex, sight: Sight): View {
  const { documents } = index;
  index.neighbors.order();
  const visible = documents.visible(sight);
  const sessionLengths = new Float64Array(documents.sessions.size);
  const sessionSizes = new Uint32Array(documents.sessions.size);
  const speaks = new Uint8Array(documents.speakers.size);
  let size = 0;
  let length = 0;
  for (let document = 0; document < visible.length; document += 1) {
    if (visible[document] !== 1) continue;
    const words = documents.ownLength(document);
    size += 1;
    length += words;
    const speaker = documents.speaker(document);
    if (speaker >= 0) speaks[speaker] = 1;
    const session = documents.isTurn(document) ? documents.session(document) : -1;
    if (session < 0) continue;
    sessionLengths[session] = (sessionLengths[session] as number) + words;
    sessionSizes[session] = (sessionSizes[session] as number) + 1;
  }
  const speakers = documents.speakers.all().filter((_, speaker) => speaks[speaker] === 1);
  const sessions = sessionLengths.reduce((count, words) => count + (words > 0 ? 1 : 0), 0);
  const sessionWords = sessionLengths.reduce((sum, words) => sum + words, 0);
  return { index, visible, size, sessionLengths, sessionSizes, sessions, sessionWords, length, speakers };
}

export function usualOf(views: readonly View[]): Usual {
  const sum = (of: (view: View) => number): number => views.reduce((all, view) => all + of(view), 0);
  const documents = sum(({ size }) => size);
  const sessions = sum((view) => view.sessions);
  return {
    documents,
    length: Math.max(1, sum(({ length }) => length) / Math.max(1, documents)),
    sessions,
    sessionLength: Math.max(1, sum(({ sessionWords }) => sessionWords) / Math.max(1, sessions)),
  };
}
