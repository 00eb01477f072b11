import type { Session, SessionOptions, Throughline } from "throughline";
import type { ReportedOverflow } from "throughline/ai-sdk";
import { Lru, omitUndefined } from "throughline/internal/util";

/** Open sessions per user; the windows of others are read again when they continue. */
const MAX_OPEN = 32;
/** Maximum share of a learned limit that a session reserves for the reply. */
const LEARNED_REPLY_SHARE = 0.25;
/** Maximum share of the window for the reply: many servers do not count it, and those that do report it. */
const MAX_REPLY_SHARE = 0.5;
/** Minimum share of the window for the messages, regardless of the reply. */
const MIN_MESSAGES_SHARE = 0.25;
/** Tokens besides the messages are rounded up to this share, so that the settings of a session stay the same. */
const ROUNDED_SHARE = 1 / 16;

export interface ModelBudget {
  readonly modelId: string;
  /** Context window in tokens. */
  readonly contextLimit: number;
  /** Tokens that the request reserves for the reply. */
  readonly maxTokens: number | undefined;
  /** Tokens besides the messages. Counted only if the reply is long enough to matter. */
  readonly fixedTokens: () => number;
}

/** Session options that shrink a window only if it would not fit otherwise. */
export function settingsFor(limits: ModelBudget, remember: boolean): SessionOptions {
  const { modelId, contextLimit } = limits;
  return omitUndefined({
    modelId,
    contextLimit,
    outputReserve: replyReserve(limits),
    config: { thresholdPercent: 1, systemReserve: 0, safetyBuffer: 0 },
    remember: remember || undefined,
  });
}

function replyReserve({ contextLimit, maxTokens, fixedTokens }: ModelBudget): number | undefined {
  const share = contextLimit * ROUNDED_SHARE;
  if (maxTokens === undefined || maxTokens <= share) return maxTokens;
  const fixed = Math.ceil(fixedTokens() / share) * share;
  const free = contextLimit * (1 - MIN_MESSAGES_SHARE) - fixed;
  return Math.max(0, Math.floor(Math.min(maxTokens, contextLimit * MAX_REPLY_SHARE, free)));
}

/** Limits named by a provider that found a window too long. */
export interface RefusedLimits {
  /** Tokens for the whole request. */
  readonly input: number;
  /** Context limit that leaves that much space for the input. */
  readonly contextLimit: number;
}

/**
 * The limits after a refusal; `undefined` if it names none. A refusal that counts the reply, or cannot be explained
 * without it, reduces the limit by the reply. One that counts only the input shows that the reply is not part of the
 * sum, so a long reply reserves nothing; a short one is always reserved.
 */
export function limitsAfterRefusal(
  refusal: ReportedOverflow,
  maxTokens: number | undefined,
): RefusedLimits | undefined {
  const { contextLimit: limit, inputTokens, outputTokens } = refusal;
  if (limit === undefined) return undefined;
  const reply = maxTokens ?? outputTokens ?? 0;
  if (reply <= limit * LEARNED_REPLY_SHARE) return { input: limit - reply, contextLimit: limit };
  const isCounted = outputTokens !== undefined || (inputTokens !== undefined && inputTokens <= limit);
  if (!isCounted && inputTokens !== undefined) return { input: limit, contextLimit: limit };
  const input = limit - (isCounted ? reply : Math.min(reply, limit * MAX_REPLY_SHARE));
  return { input, contextLimit: Math.floor(input / (1 - LEARNED_REPLY_SHARE)) };
}

interface Kept {
  readonly session: Session;
  readonly key: string;
}

const open = new WeakMap<Throughline, Lru<string, Kept>>();

/** Opens a session with these options, reusing the open one if they are unchanged. */
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

/** Opening an evicted session again drops its in-memory data. */
function openSessions(throughline: Throughline): Lru<string, Kept> {
  return new Lru({ maxSize: MAX_OPEN, onEvict: (_, id) => void throughline.session(id, {}) });
}
