import { CHAT_POLICY } from "../../compact/policy.ts";
import { DEFAULT_CONFIG } from "../../overflow/compaction-config.ts";

/** Reserve for the reply: a share of a small window, with a maximum. */
const REPLY_SHARE = 0.15;
const MAX_REPLY = DEFAULT_CONFIG.outputReserve;

/** Options for the session of a chat. */
export interface ChatSessionOptions {
  /** Context window in tokens. */
  readonly contextLimit: number;
  /** Tokens reserved for the reply. */
  readonly outputReserve: number;
  /** Summary profile. */
  readonly profile: "chat";
  /** Reserves and threshold of the window. */
  readonly config: {
    readonly systemReserve: number;
    readonly safetyBuffer: number;
    readonly thresholdPercent: number;
  };
}

/**
 * Returns session options with which the window is compacted at 80%. A chat has no tools and a short system prompt, so
 * only the reply has a reserve.
 *
 * @param contextLimit Context window of the model in tokens.
 *
 * @example
 * const chat = tl.session("chat-1", { modelId: "qwen3:8b", ...chatSessionOptions(8_192) });
 */
export function chatSessionOptions(contextLimit: number): ChatSessionOptions {
  const outputReserve = Math.min(MAX_REPLY, Math.floor(contextLimit * REPLY_SHARE));
  const thresholdPercent = (CHAT_POLICY.threshold * contextLimit) / (contextLimit - outputReserve);
  return {
    contextLimit,
    outputReserve,
    profile: "chat",
    config: { systemReserve: 0, safetyBuffer: 0, thresholdPercent },
  };
}
