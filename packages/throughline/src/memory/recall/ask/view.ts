import type { Sight } from "../index/documents.ts";
import type { SearchIndex } from "../search-index.ts";

/** One index, and which of its documents a question may see. */
export interface View {
  readonly index: SearchIndex;
  /** 1 for each document that may be seen. */
  readonly visible: Uint8Array;
  readonly size: number;
  /** By session, how many words and how many turns of it may be seen. */
  readonly sessionLengths: Float64Array;
  readonly sessionSizes: Float64Array;
  /** Words of all that may be seen. */
  readonly length: number;
  /** Who said something of it. */
  readonly speakers: readonly string[];
}

/** What is usual among all that may be seen. */
export interface Usual {
  readonly documents: number;
  /** Words to a document. */
  readonly length: number;
  readonly sessions: number;
  /** Words to a session. */
  readonly sessionLength: number;
}

export function viewOf(index: SearchIndex, sight: Sight): View {
  const { documents } = index;
  index.neighbours.order();
  const visible = documents.visible(sight);
  const sessionLengths = new Float64Array(documents.sessions.size);
  const sessionSizes = new Float64Array(documents.sessions.size);
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
  return { index, visible, size, sessionLengths, sessionSizes, length, speakers };
}

export function usualOf(views: readonly View[]): Usual {
  const length = views.reduce((sum, view) => sum + view.length, 0);
  const documents = views.reduce((sum, { size }) => sum + size, 0);
  const sessions = views.flatMap(({ sessionLengths }) => [...sessionLengths].filter((words) => words > 0));
  return {
    documents,
    length: Math.max(1, length / Math.max(1, documents)),
    sessions: sessions.length,
    sessionLength: Math.max(1, sessions.reduce((sum, words) => sum + words, 0) / Math.max(1, sessions.length)),
  };
}
