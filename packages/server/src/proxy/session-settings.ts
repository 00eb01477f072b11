import type { Session, SessionOptions, Throughline } from "throughline";
import type { RecognisedOverflow } from "throughline/ai-sdk";
import { Lru, omitUndefined } from "throughline/internal";

/** Sessions of one user that are kept at hand; what the others show is read again when they go on. */
const MAX_OPEN = 32;
/** Sessions reserve no more than this share of a limit that they learnt for the reply. */
const LEARNT_REPLY_SHARE = 0.25;
/** A reply is given no more than this share of the window: many servers do not count it, and those that do say so. */
const MAX_REPLY_SHARE = 0.5;
/** The share of the window that is left to the messages, whatever the reply asks for. */
const MIN_MESSAGES_SHARE = 0.25;
/** What is sent beside the messages is rounded up to such shares, so that a session keeps its settings. */
const ROUNDED_SHARE = 1 / 16;

export interface ModelRoom {
  readonly modelId: string;
  /** Tokens that it takes in all. */
  readonly contextLimit: number;
  /** Tokens that the request asks for the reply. */
  readonly maxTokens: number | undefined;
  /** Tokens of what is sent beside the messages. Counted only if the reply is so long that it matters. */
  readonly fixedTokens: () => number;
}

/** Options under which a window is made smaller only where it would not fit otherwise. */
export function settingsFor(room: ModelRoom, remember: boolean): SessionOptions {
  const { modelId, contextLimit } = room;
  return omitUndefined({
    modelId,
    contextLimit,
    outputReserve: replyReserve(room),
    config: { thresholdPercent: 1, systemReserve: 0, safetyBuffer: 0 },
    remember: remember || undefined,
  });
}

function replyReserve({ contextLimit, maxTokens, fixedTokens }: ModelRoom): number | undefined {
  const share = contextLimit * ROUNDED_SHARE;
  if (maxTokens === undefined || maxTokens <= share) return maxTokens;
  const fixed = Math.ceil(fixedTokens() / share) * share;
  const free = contextLimit * (1 - MIN_MESSAGES_SHARE) - fixed;
  return Math.max(0, Math.floor(Math.min(maxTokens, contextLimit * MAX_REPLY_SHARE, free)));
}

/** What a provider that found a window too long takes. */
export interface RefusedRoom {
  /** Tokens for everything that is sent. */
  readonly input: number;
  /** The limit under which a session leaves that much free for its input. */
  readonly contextLimit: number;
}

/**
 * The room after a refusal that names the limit; `undefined` where it does not. A refusal that counts the reply, or that
 * cannot be explained without it, leaves the limit without the reply. One that counts the input alone shows that the
 * reply is not part of the sum: then a long reply takes nothing away. A short one is left free in any case.
 */
export function roomAfterRefusal(refusal: RecognisedOverflow, maxTokens: number | undefined): RefusedRoom | undefined {
  const { contextLimit: limit, inputTokens, outputTokens } = refusal;
  if (limit === undefined) return undefined;
  const reply = maxTokens ?? outputTokens ?? 0;
  if (reply <= limit * LEARNT_REPLY_SHARE) return { input: limit - reply, contextLimit: limit };
  const isCounted = outputTokens !== undefined || (inputTokens !== undefined && inputTokens <= limit);
  if (!isCounted && inputTokens !== undefined) return { input: limit, contextLimit: limit };
  const input = limit - (isCounted ? reply : Math.min(reply, limit * MAX_REPLY_SHARE));
  return { input, contextLimit: Math.floor(input / (1 - LEARNT_REPLY_SHARE)) };
}

interface Kept {
  readonly session: Session;
  readonly key: string;
}

const open = new WeakMap<Throughline, Lru<string, Kept>>();

/** A session under these options; the same object as the last time, where they have not changed. */
export function openSession(throughline: Throughline, id: string, settings: SessionOptions): Session {
  const kept = open.get(throughline) ?? openSessions(throughline);
  open.set(throughline, kept);
  const key = JSON.stringify(settings);
  const known = kept.get(id);
  const isSame = known?.key === key && throughline.session(id) === known.session;
  const session = isSame ? known.session : throughline.session(id, settings);
  kept.set(id, { session, key });
  return session;
}

/** Opening an evicted session again drops what it holds in memory. */
function openSessions(throughline: Throughline): Lru<string, Kept> {
  return new Lru({ maxSize: MAX_OPEN, onEvict: (_, id) => void throughline.session(id, {}) });
}
