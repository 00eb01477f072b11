import { randomUUID } from "node:crypto";
import { mapYielding } from "../../internal/yield-to-event-loop.ts";
import type { Message } from "../../message/message.ts";
import type { Throughline } from "../../throughline.ts";
import { digestChain, digestMessage, sha256 } from "./digest-messages.ts";
import type { KnownResponse, SessionBook, SessionHead } from "./session-book.ts";

/** What a conversation is looked for by. */
export interface Wanted {
  readonly messages: readonly Message[];
  /** The name that the client gave it. */
  readonly name: string | undefined;
  /** The answer that it goes on from. */
  readonly previous: string | undefined;
  /** Conversations in one form are not those in another, even where they begin alike. */
  readonly form: string;
}

/** The session of a request, and what of the request is new to it. */
export interface Located {
  readonly sessionId: string;
  /** The page of the book that it is on. */
  readonly page: string;
  /** The digest of everything that the client knows of. */
  readonly digest: string;
  readonly isWhole: boolean;
  /** How many messages it has already. */
  readonly messages: number;
  readonly fresh: readonly Message[];
}

interface Search {
  readonly book: SessionBook;
  readonly throughline: Throughline;
  /** Takes a session for a request; `false` where one is under way there, whose answer is not known yet. */
  readonly claim: (sessionId: string) => boolean;
  /** Whether a session may be seen from where the request comes from: projects do not see each other's. */
  readonly isSeen: (sessionId: string) => Promise<boolean>;
}

/**
 * The session that a request goes on with, which is claimed for it: the one that stands where the request's beginning
 * leads to. Whatever says something else than any of them, or says the same at the same time, is a new one. `undefined`
 * where it goes on from an answer that is not known here.
 */
export async function locateSession(wanted: Wanted, search: Search): Promise<Located | undefined> {
  if (wanted.previous !== undefined) return afterResponse(wanted.previous, wanted.messages, search);
  const { name, form } = wanted;
  const seed = sha256(JSON.stringify([await search.book.seed(), name === undefined ? { form } : { name }]));
  const chain = await digestChain(wanted.messages, seed);
  const page = name === undefined ? (chain[0] ?? seed) : seed;
  const place = { page, chain, messages: wanted.messages };
  const known = await longestKnown(place, search);
  if (known !== undefined) return known;
  return name === undefined ? begun(place, newSession(search)) : named(place, name, search);
}

function newSession({ claim }: Search, stem = "proxy-"): string {
  const sessionId = `${stem}${randomUUID()}`;
  claim(sessionId);
  return sessionId;
}

interface Place {
  readonly page: string;
  readonly chain: readonly string[];
  readonly messages: readonly Message[];
}

function begun({ page, chain, messages }: Place, sessionId: string): Located {
  return { sessionId, page, digest: chain.at(-1) ?? page, isWhole: true, messages: 0, fresh: messages };
}

async function longestKnown({ page, chain, messages }: Place, search: Search): Promise<Located | undefined> {
  const lengthOf = ({ digests }: SessionHead) => Math.max(...digests.map((digest) => chain.lastIndexOf(digest) + 1));
  const heads = (await search.book.heads(page)).filter((head) => lengthOf(head) > 0);
  for (const head of heads.toSorted((a, b) => lengthOf(b) - lengthOf(a))) {
    if (!(await stands(head, search))) continue;
    const { sessionId, isWhole } = head;
    const fresh = messages.slice(lengthOf(head));
    return { sessionId, page, digest: chain.at(-1) ?? page, isWhole, messages: head.messages, fresh };
  }
  return undefined;
}

/** Claims a session that is still where it was noted: nobody purged it, went on with it, or is about to. */
async function stands({ sessionId, messages }: SessionHead, { throughline, claim }: Search): Promise<boolean> {
  const { appended } = await throughline.session(sessionId).status();
  return appended === messages && claim(sessionId);
}

/**
 * A session by its name, where the request does not go on from where it stands. Who sends the whole conversation and
 * says something else than before began another branch; who sends only its end adds what is new in that.
 */
async function named(place: Place, name: string, search: Search): Promise<Located> {
  if (!(await search.isSeen(name))) return begun(place, newSession(search, `${name}~`));
  const history = await search.throughline.session(name).history();
  const said = await mapYielding(history, digestMessage);
  const sent = await mapYielding(place.messages, digestMessage);
  const overlap = overlapOf(said, sent);
  const fresh = place.messages.slice(overlap);
  const isAll = history.length === 0 || said[0] === sent[0];
  const isEdited = isAll && overlap < said.length;
  const isOurs = !isEdited && search.claim(name);
  const located = { ...begun(place, isOurs ? name : newSession(search, `${name}~`)), isWhole: isAll };
  if (isOurs) return { ...located, messages: history.length, fresh };
  return isAll ? located : { ...located, fresh: [...history, ...fresh] };
}

/** How many of what was said last are what is sent first. */
function overlapOf(said: readonly string[], sent: readonly string[]): number {
  for (let length = Math.min(said.length, sent.length); length > 0; length -= 1) {
    const from = said.length - length;
    if (sent.slice(0, length).every((digest, index) => digest === said[from + index])) return length;
  }
  return 0;
}

/** Several requests may go on from one answer: all but the first are branches, with what was said until then. */
async function afterResponse(
  previous: string,
  messages: readonly Message[],
  search: Search,
): Promise<Located | undefined> {
  const known = await search.book.response(previous);
  if (known === undefined) return undefined;
  const [before = ""] = known.digests;
  const digest = (await digestChain(messages, before)).at(-1) ?? before;
  const { page, isWhole, sessionId } = known;
  if (await stands(known, search)) {
    return { sessionId, page, digest, isWhole, messages: known.messages, fresh: messages };
  }
  const said = await historyUpTo(known, search);
  if (said === undefined) return undefined;
  return { sessionId: newSession(search), page, digest, isWhole, messages: 0, fresh: [...said, ...messages] };
}

async function historyUpTo(
  { sessionId, messages }: KnownResponse,
  { throughline }: Search,
): Promise<readonly Message[] | undefined> {
  const history = await throughline.session(sessionId).history();
  return history.length < messages ? undefined : history.slice(0, messages);
}
