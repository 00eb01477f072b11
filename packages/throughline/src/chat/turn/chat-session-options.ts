import { CHAT_POLICY } from "../../compact/policy.ts";
import { DEFAULT_COMPACTION_CONFIG } from "../../overflow/compaction-config.ts";

/** Tokens that are kept free for an answer: a share of a small window, and never more than this. */
const REPLY_SHARE = 0.15;
const MAX_REPLY = DEFAULT_COMPACTION_CONFIG.outputReserve;

/** How a session of a chat is opened. */
export interface ChatSessionOptions {
  readonly contextLimit: number;
  readonly outputReserve: number;
  readonly profile: "chat";
  readonly config: {
    readonly systemReserve: number;
    readonly safetyBuffer: number;
    readonly thresholdPercent: number;
  };
}

/**
 * The options of a session whose window is compacted when it is 80% full, as a chat's is: local models have small
 * windows, and the reserves that an agent needs would take half of them.
 *
 * @example
 * const session = tl.session(id, { modelId, ...chatSessionOptions(8_192) });
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
