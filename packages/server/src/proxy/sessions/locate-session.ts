import { randomUUID } from "node:crypto";
import type { Message, Throughline } from "throughline";
import { ConversationTrace, type DigestKind, hasReference } from "./conversation-trace.ts";
import { digestChain, digestMessage, sha256 } from "./digest-messages.ts";
import type { SessionHead, SessionIndex } from "./session-index.ts";

/** Search criteria for the session of a request. */
export interface Wanted {
  readonly messages: readonly Message[];
  /** Session name from the client. */
  readonly name: string | undefined;
  /** Id of the response that the request continues. */
  readonly previous: string | undefined;
  /** API of the request. Conversations of different APIs are never the same. */
  readonly form: string;
}

/** The session of a request, and the messages that are new to it. */
export interface Located {
  readonly sessionId: string;
  /** Page of the index that lists the session. */
  readonly page: string;
  /** Digest of everything that the client knows. */
  readonly digest: string;
  readonly isWhole: boolean;
  /** Number of messages already in the session. */
  readonly messages: number;
  readonly fresh: readonly Message[];
  /** The conversation as the client sends it; `undefined` if it continues by response id or references. */
  readonly trace?: ConversationTrace | undefined;
  /** True if the client sends known messages in another form than they are stored in. */
  readonly isReworded?: boolean;
}

interface Search {
  readonly sessionIndex: SessionIndex;
  readonly throughline: Throughline;
  /** Claims a session for a request; `false` if another request for it is in flight and its answer is not known yet. */
  readonly claim: (sessionId: string) => boolean;
  /** True if the project of the request may see the session. */
  readonly isSeen: (sessionId: string) => Promise<boolean>;
}

/**
 * Finds and claims the session that a request continues: the one whose whole conversation is the start of the request.
 * Only content that clients cannot change is compared, so their form of the answers does not matter. If several
 * sessions match, those whose last answer starts as in the request come first, then the longest, then one with
 * identical answers. If none matches, or the same request is already in flight, a new session starts. Returns
 * `undefined` if the request continues a response that is unknown here.
 */
export async function locateSession(wanted: Wanted, search: Search): Promise<Located | undefined> {
  const { previous, name, form, messages } = wanted;
  if (previous !== undefined) return afterResponse(previous, messages, search);
  const seed = sha256(JSON.stringify([await search.sessionIndex.seed(), name === undefined ? { form } : { name }]));
  const chain = await digestChain(messages, seed);
  const traced = await ConversationTrace.of(seed, messages);
  // Conversations with the same start share a page, named by their first message.
  const [page = chain[0] ?? seed, ...others] = name === undefined ? traced.firstDigests : [seed];
  const place = { page, chain, messages, trace: messages.some(hasReference) ? undefined : traced };
  for (const one of [page, ...others]) {
    const known = await longestKnown({ ...place, page: one }, search);
    if (known !== undefined) return known;
  }
  return name === undefined ? begun(place, newSession(search)) : named(place, name, search);
}

function newSession({ claim }: Search, stem = "proxy-"): string {
  const sessionId = `${stem}${randomUUID()}`;
  claim(sessionId);
  return sessionId;
}

/** Sessions whose messages are compared with a request, one after the other. */
const MAX_COMPARED = 3;

interface Place {
  readonly page: string;
  readonly chain: readonly string[];
  readonly messages: readonly Message[];
  readonly trace: ConversationTrace | undefined;
}

function begun({ page, chain, messages, trace }: Place, sessionId: string): Located {
  return { sessionId, page, digest: chain.at(-1) ?? page, isWhole: true, messages: 0, fresh: messages, trace };
}

async function longestKnown(place: Place, search: Search): Promise<Located | undefined> {
  const { page, chain, trace } = place;
  const matches = (await search.sessionIndex.heads(page)).flatMap((head) => matchHead(head, place) ?? []);
  // The index lists the latest first, and sorting keeps that order.
  matches.sort(
    (a, b) =>
      Number(a.isOtherAnswer) - Number(b.isOtherAnswer) ||
      b.length - a.length ||
      Number(a.isShortened) - Number(b.isShortened) ||
      Number(b.isSame) - Number(a.isSame),
  );
  let compared = 0;
  for (const match of matches) {
    const { head, fresh, isSame } = match;
    if (match.isShortened && compared++ >= MAX_COMPARED) continue;
    if (!(match.isShortened ? await matchesShortened(match, place, search) : await isCurrent(head, search))) continue;
    const { sessionId, isWhole, messages } = head;
    return { sessionId, page, digest: chain.at(-1) ?? page, isWhole, messages, fresh, trace, isReworded: !isSame };
  }
  return undefined;
}

interface HeadMatch {
  readonly head: SessionHead;
  /** Number of messages of the request that the session has. */
  readonly length: number;
  /** True if the answers are identical. */
  readonly isSame: boolean;
  /** True if it matches only without the text of older tool results. */
  readonly isShortened: boolean;
  /** True if the last answer starts differently: a client edited it, or it belongs to another conversation. */
  readonly isOtherAnswer: boolean;
  readonly fresh: readonly Message[];
}

function matchHead(head: SessionHead, { chain, messages, trace }: Place): HeadMatch | undefined {
  const length = Math.max(...head.digests.map((digest) => chain.lastIndexOf(digest) + 1));
  if (length > 0)
    return { head, length, isSame: true, isShortened: false, isOtherAnswer: false, fresh: messages.slice(length) };
  return (
    matchTrace(head, head.traceDigest, "digest", trace) ?? matchTrace(head, head.outlineDigest, "outlineDigest", trace)
  );
}

function matchTrace(
  head: SessionHead,
  upTo: string | undefined,
  kind: DigestKind,
  trace: ConversationTrace | undefined,
): HeadMatch | undefined {
  const fresh = upTo === undefined ? undefined : trace?.after(upTo, kind);
  if (fresh === undefined || trace === undefined) return undefined;
  const sent = trace.openingDigest(upTo, kind);
  const isOtherAnswer = sent !== undefined && head.openingDigest !== undefined && sent !== head.openingDigest;
  const isShortened = kind === "outlineDigest";
  const length = trace.messages.length - fresh.length;
  return { head, length, isSame: false, isShortened, isOtherAnswer, fresh };
}

/** Claims a session if the request is its conversation with older tool results shortened by the client. */
async function matchesShortened(match: HeadMatch, { trace }: Place, search: Search): Promise<boolean> {
  const { head, isOtherAnswer } = match;
  const session = search.throughline.session(head.sessionId);
  if (isOtherAnswer || trace === undefined || (await session.status()).appended !== head.messages) return false;
  const stored = await ConversationTrace.of("", await session.history());
  return trace.isShortenedFrom(stored) && isCurrent(head, search);
}

/** Claims a session that is unchanged since it was recorded: not purged, not continued, not in flight. */
async function isCurrent({ sessionId, messages }: SessionHead, { throughline, claim }: Search): Promise<boolean> {
  const { appended } = await throughline.session(sessionId).status();
  return appended === messages && claim(sessionId);
}

/**
 * Finds a session by name if the request does not continue its last state. A whole conversation with different content
 * starts a branch; a partial one appends its new messages.
 */
async function named(place: Place, name: string, search: Search): Promise<Located> {
  if (!(await search.isSeen(name))) return begun(place, newSession(search, `${name}~`));
  const history = await search.throughline.session(name).history();
  const known = await nameMessages(history);
  const sent = await nameMessages(place.messages);
  const overlap = overlapOf(known, sent);
  const fresh = place.messages.slice(overlap);
  const isAll = history.length === 0 || known[0] === sent[0];
  const isEdited = isAll && overlap < known.length;
  const isOurs = !isEdited && search.claim(name);
  const located = { ...begun(place, isOurs ? name : newSession(search, `${name}~`)), isWhole: isAll };
  if (isOurs) return { ...located, messages: history.length, fresh, isReworded: true };
  return isAll ? located : { ...located, fresh: [...history, ...fresh] };
}

/** A name for each message that is the same for every form in which a client sends it. */
async function nameMessages(messages: readonly Message[]): Promise<readonly string[]> {
  const names: string[] = [];
  for (const message of messages) {
    const { position, digest } = await ConversationTrace.of("", [message]);
    names.push(position > 0 ? `${message.role} ${digest}` : await digestMessage(message));
  }
  return names;
}

/** Number of messages at the end of `known` that equal the start of `sent`, in linear time with a prefix function. */
function overlapOf(known: readonly string[], sent: readonly string[]): number {
  const borders = [0];
  const extend = (length: number, next: string | undefined): number => {
    let border = length;
    while (border > 0 && sent[border] !== next) border = borders[border - 1] ?? 0;
    return sent[border] === next ? border + 1 : 0;
  };
  for (let at = 1; at < sent.length; at += 1) borders.push(extend(borders[at - 1] ?? 0, sent[at]));
  return known.slice(-sent.length).reduce(extend, 0);
}

/**
 * Several requests may continue one response: the first continues the session, the others are branches from that point.
 */
async function afterResponse(
  previous: string,
  messages: readonly Message[],
  search: Search,
): Promise<Located | undefined> {
  const known = await search.sessionIndex.response(previous);
  if (known === undefined) return undefined;
  const [before = ""] = known.digests;
  const digest = (await digestChain(messages, before)).at(-1) ?? before;
  const { page, isWhole, sessionId } = known;
  if (await isCurrent(known, search)) {
    return { sessionId, page, digest, isWhole, messages: known.messages, fresh: messages };
  }
  const history = await search.throughline.session(sessionId).history();
  if (history.length < known.messages) return undefined;
  if ((await isSame(history.slice(known.messages), messages)) && search.claim(sessionId)) {
    return { sessionId, page, digest, isWhole, messages: history.length, fresh: [] };
  }
  const earlier = history.slice(0, known.messages);
  return { sessionId: newSession(search), page, digest, isWhole, messages: 0, fresh: [...earlier, ...messages] };
}

/** True if a request is a retry: its messages are all that the session has, and there was no answer. */
async function isSame(waiting: readonly Message[], messages: readonly Message[]): Promise<boolean> {
  if (waiting.length !== messages.length) return false;
  const sent = await nameMessages(messages);
  return (await nameMessages(waiting)).every((name, index) => name === sent[index]);
}
