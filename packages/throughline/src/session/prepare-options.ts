import {
  ABOVE_ZERO,
  AT_LEAST_ZERO,
  CHECKED_LATER,
  FLAG,
  OBJECT,
  type OptionRules,
  TEXT,
} from "../errors/check-options.ts";
import type { ModelMessage } from "../message/convert/ai-sdk-types.ts";
import type { Message } from "../message/message.ts";
import type { ContextSignals } from "../ports/context-signals.ts";
import type { Receipt } from "../receipt/receipt.ts";
import type { Recaller } from "./session-deps.ts";

/** Options of `session.prepare`. */
export interface PrepareOptions {
  /** System prompt. Memories are appended to it. Default: none. */
  readonly system?: string;
  /** Maximum tokens of the whole request (default: the context limit without the output reserve). */
  readonly budget?: number;
  /** Maximum bytes of the whole request, images and files as base64. */
  readonly maxBytes?: number;
  /** Tokens of the tool definitions, which are sent besides the system prompt and the messages. */
  readonly toolTokens?: number;
  /** Adds matching memories to the system prompt; a function finds them instead of `tl.memory`. Default: `false`. */
  readonly memory?: boolean | Recaller;
  /** The current situation. With signals, memories are assembled in tiers: decisions, errors, predictions, conventions. */
  readonly signals?: ContextSignals;
  /** Tokens for memories, at most half of the budget (default: 500, or 8,000 with signals, at most a tenth of it). */
  readonly memoryBudget?: number;
  /** Text that memories have to match (default: the user's last message). */
  readonly message?: string;
  /**
   * Waits for the model's summary if a compaction is due and none is ready (default: `false`). Otherwise the summary is
   * written without a model then.
   */
  readonly waitForModel?: boolean;
  /**
   * Measures the present window: nothing is masked, compacted or stored, and the receipt has no number (default:
   * `false`).
   */
  readonly dryRun?: boolean;
  /** Aborts the preparation: `prepare` rejects with its reason. */
  readonly signal?: AbortSignal;
}

/** Checks of the options. */
export const PREPARE_RULES: OptionRules<PrepareOptions> = {
  system: TEXT,
  budget: ABOVE_ZERO,
  maxBytes: ABOVE_ZERO,
  toolTokens: AT_LEAST_ZERO,
  memory: [(value) => typeof value === "boolean" || typeof value === "function", "true, false or a function"],
  signals: CHECKED_LATER,
  memoryBudget: AT_LEAST_ZERO,
  message: TEXT,
  waitForModel: FLAG,
  dryRun: FLAG,
  signal: OBJECT,
};

/** A window that is ready to send, with its receipt. */
export interface PreparedTurn {
  /** Messages in the format of the AI SDK, ready to send. */
  readonly messages: ModelMessage[];
  /** The given system prompt, followed by memories. */
  readonly system: string;
  /** Estimates of the provider's input tokens, system prompt included, after each step. */
  readonly tokens: {
    readonly before: number;
    readonly afterPrune: number;
    readonly afterCompact: number;
    readonly final: number;
  };
  /** True if this turn masked tool outputs. */
  readonly wasPruned: boolean;
  /** True if this turn compacted the session. */
  readonly wasCompacted: boolean;
  /** Explains each token of the window. */
  readonly receipt: Receipt;
}

/** The windows of prepared turns, in Throughline's own form. A message that stays in the window is the same object. */
export const turnWindows = new WeakMap<PreparedTurn, readonly Message[]>();
