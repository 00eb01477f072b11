import type { TokenUsage } from "../message/message.ts";
import { inputTokens } from "./window-meter.ts";

/** A prefix counts as lost if at least this much of it was not read from the cache: tokens, and share of the window. */
const MIN_LOST = { tokens: 2_000, share: 0.1 } as const;
/** Providers keep a prompt cache for five minutes unless they are asked for more. */
const CACHE_TIME = 5 * 60_000;

/** Reasons for a lost prefix. `changed`: an earlier part of the window changed without a recorded compaction. */
export type CacheLossCause = "compaction" | "model" | "expired" | "changed";

/** Tokens that a call paid for. */
export interface CacheUse {
  readonly read: number;
  readonly written: number;
  /** Tokens without a cache. */
  readonly uncached: number;
  /** Tokens of the prefix that were sent again without being read from the cache, and why. */
  readonly lost?: CacheLoss;
}

interface CacheLoss {
  readonly tokens: number;
  readonly cause: CacheLossCause;
  /** Index of the message that the first changed part belongs to; missing if it belongs to the instructions. */
  readonly message?: number;
}

interface Call {
  readonly usage: TokenUsage;
  readonly at: number;
  readonly modelId: string | undefined;
}

/** Reads the prompt-cache use of each call from the usage that the provider reported. */
export class CacheBill {
  #last: Call | undefined;
  #isCached = false;
  #isCompacted = false;

  compaction(): void {
    this.#isCompacted = true;
  }

  /** Undefined if the call has no usage. */
  call(call: Partial<Call>): CacheUse | undefined {
    const { usage, at = 0, modelId } = call;
    if (usage === undefined) return undefined;
    const { read, write: written } = usage.cache;
    const lost = this.#lossAt({ usage, at, modelId });
    this.#isCached ||= read + written > 0;
    this.#last = { usage, at, modelId };
    this.#isCompacted = false;
    return { read, written, uncached: usage.input, ...(lost === undefined ? {} : { lost }) };
  }

  #lossAt({ usage, at, modelId }: Call): CacheUse["lost"] {
    const last = this.#last;
    if (last === undefined || !this.#isCached) return undefined;
    const before = inputTokens(last.usage);
    // A compaction makes the window smaller: what was not sent was not paid again.
    const tokens = Math.min(before - usage.cache.read, usage.cache.write + usage.input);
    if (tokens < MIN_LOST.tokens || tokens < before * MIN_LOST.share) return undefined;
    return { tokens, cause: this.#causeAt(last, { at, modelId }) };
  }

  #causeAt(last: Call, { at, modelId }: Pick<Call, "at" | "modelId">): CacheLossCause {
    if (this.#isCompacted) return "compaction";
    if (modelId !== last.modelId) return "model";
    return at - last.at > CACHE_TIME ? "expired" : "changed";
  }
}
