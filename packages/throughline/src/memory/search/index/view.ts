import type { SearchIndex } from "../search-index.ts";
import { grow } from "./columns.ts";
import type { VisibilityFilter } from "./documents.ts";

/** An index, and its documents that are visible to a query. Kept up to date as documents are added and replaced. */
export class View {
  readonly index: SearchIndex;
  /** Changes with each change of the index and of the view. */
  version = 0;
  /** 1 for each visible document. May be longer than the list of documents. */
  visible: Uint8Array = new Uint8Array(0);
  /** Number of visible documents, and of their words. */
  size = 0;
  length = 0;
  /** By session: number of visible words, and of visible turns. */
  sessionLengths: Float64Array = new Float64Array(0);
  sessionSizes: Uint32Array = new Uint32Array(0);
  /** Number of sessions with visible words, and these words. */
  sessions = 0;
  sessionWords = 0;
  /** By speaker: number of visible documents. */
  #spoken: Uint32Array = new Uint32Array(0);
  /** Time of the last query. */
  #now: number;
  /** Documents that become visible or invisible later, and the first time at which one does. */
  #changing: number[] = [];
  #nextChange = Number.POSITIVE_INFINITY;
  readonly #isVisible: (document: number, now: number) => boolean;

  constructor(index: SearchIndex, sight: VisibilityFilter) {
    this.index = index;
    this.#now = sight.now;
    this.#isVisible = index.documents.visibility(sight);
    this.visible = new Uint8Array(index.documents.length);
    for (let document = 0; document < index.documents.length; document += 1) this.add(document);
  }

  /** Shows and hides documents whose time has come. Returns `false` if the time is before that of the last query. */
  advanceTo(now: number): boolean {
    if (now < this.#now) return false;
    this.#now = now;
    if (now < this.#nextChange) return true;
    const due = this.#changing;
    this.#changing = [];
    this.#nextChange = Number.POSITIVE_INFINITY;
    for (const document of due) {
      this.remove(document);
      this.add(document);
    }
    return true;
  }

  /** Names of the speakers of visible documents. */
  get speakers(): readonly string[] {
    return this.index.documents.speakers.all().filter((_, speaker) => (this.#spoken[speaker] ?? 0) > 0);
  }

  /** Removes replaced documents and adds those from a number on, after another thread has changed the index. */
  catchUp(from: number): void {
    const { documents } = this.index;
    for (let document = 0; document < from; document += 1) if (documents.isReplaced(document)) this.remove(document);
    for (let document = from; document < documents.length; document += 1) this.add(document);
  }

  /** Adds a document, which the index already contains. */
  add(document: number): void {
    const { documents } = this.index;
    this.version += 1;
    const change = documents.isReplaced(document)
      ? Number.POSITIVE_INFINITY
      : documents.nextChange(document, this.#now);
    if (change < Number.POSITIVE_INFINITY) {
      this.#changing.push(document);
      this.#nextChange = Math.min(this.#nextChange, change);
    }
    this.visible = grow(this.visible, document + 1);
    if (!this.#isVisible(document, this.#now)) return;
    this.visible[document] = 1;
    this.#count(document, 1);
  }

  /** Removes a replaced document. */
  remove(document: number): void {
    this.version += 1;
    if (this.visible[document] !== 1) return;
    this.visible[document] = 0;
    this.#count(document, -1);
  }

  #count(document: number, times: 1 | -1): void {
    const { documents } = this.index;
    const words = times * documents.ownLength(document);
    this.size += times;
    this.length += words;
    const speaker = documents.speaker(document);
    if (speaker >= 0) {
      this.#spoken = grow(this.#spoken, speaker + 1);
      this.#spoken[speaker] = (this.#spoken[speaker] as number) + times;
    }
    const session = documents.isTurn(document) ? documents.session(document) : -1;
    if (session < 0) return;
    this.sessionLengths = grow(this.sessionLengths, session + 1);
    this.sessionSizes = grow(this.sessionSizes, session + 1);
    const before = this.sessionLengths[session] as number;
    this.sessionLengths[session] = before + words;
    this.sessionSizes[session] = (this.sessionSizes[session] as number) + times;
    this.sessions += (before + words > 0 ? 1 : 0) - (before > 0 ? 1 : 0);
    this.sessionWords += words;
  }
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
