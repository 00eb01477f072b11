import { findProfile, type ProfileName, type SummaryProfile } from "../compact/profiles.ts";
import type { WorkingContext } from "../compact/working-context.ts";
import {
  ABOVE_ZERO,
  AT_LEAST_ZERO,
  CHECKED_LATER,
  checkOptions,
  FLAG,
  OBJECT,
  type OptionRules,
  oneOf,
  SHARE,
  TEXT,
} from "../errors/check-options.ts";
import { InvalidOptionError } from "../errors/input-errors.ts";
import type { NoteReader } from "../ledger/render/note-style.ts";
import type { ModelMessage } from "../message/convert/ai-sdk-types.ts";
import { PROVIDERS, type Provider } from "../message/legality-rules.ts";
import type { Message } from "../message/message.ts";
import { CONFIG_RULES, type CompactionConfig } from "../overflow/compaction-config.ts";
import type { ContextSignals } from "../ports/workspace.ts";
import type { Receipt } from "../receipt/receipt.ts";

/** Thresholds and limits of a session. Its context limit and its reserve for the reply are options of their own. */
export type SessionConfig = Partial<Omit<CompactionConfig, "modelContextLimit" | "outputReserve">>;

/** Options of `tl.session`. */
export interface SessionOptions {
  /** Model that the windows are for: sets the tokenizer and the context limit. Default: `gpt-4o`. */
  readonly modelId?: string;
  /** Provider that the windows are for. With `openai`, system messages after the start stay. Default: legal for all. */
  readonly provider?: Provider;
  /** Context limit in tokens. Default: that of the model; 16,000 for unknown models. */
  readonly contextLimit?: number;
  /**
   * Tokens reserved for the reply. If you set it, the threshold reserves as many. Default: 4,000, at most a quarter of
   * the context limit.
   */
  readonly outputReserve?: number;
  /** Sections of summaries. Default: `coding`. */
  readonly profile?: ProfileName | SummaryProfile;
  /** Size of the verbatim tail after a compaction, in tokens. 0 keeps none. Default: see `keepShare`. */
  readonly keepTokens?: number;
  /** Size of the verbatim tail after a compaction, as a share of the threshold from 0 to 1. Default: 0.3. */
  readonly keepShare?: number;
  /**
   * Reader of the summaries. A summary for a person has at most 4 names beside a changed file and 12 others; one for a
   * model has 12, and up to 24 more on a line of their own. Default: `model`.
   */
  readonly reader?: NoteReader;
  /** Thresholds and limits of pruning and compaction. */
  readonly config?: SessionConfig;
  /** Timeout of the model that writes summaries, in milliseconds. Default: 30,000. */
  readonly summaryTimeLimit?: number;
  /** Maximum calls of that model, over the whole life of the session. Default: 200. */
  readonly maxSummaryCalls?: number;
  /** Maximum tokens of those calls, input and output. Default: 4,000,000. */
  readonly maxSummaryTokens?: number;
  /** Milliseconds to wait for another process that compacts the session, before `SessionBusyError`. Default: 2,000. */
  readonly lockWait?: number;
  /** Milliseconds after which the lease of a process that died expires. Default: 15,000. */
  readonly lockTime?: number;
  /**
   * Saves facts from the messages as memories, every five messages and at the end, and episodes and workflows when `tl`
   * is closed. Default: `false`.
   */
  readonly remember?: boolean;
  /** Tools that the agent discovered. A compaction drops those that the window no longer names. */
  readonly workingContext?: WorkingContext;
}

const { modelContextLimit: _limit, outputReserve: _reserve, ...SESSION_CONFIG_RULES } = CONFIG_RULES;

const SESSION_RULES: OptionRules<SessionOptions> = {
  modelId: TEXT,
  provider: oneOf(...PROVIDERS),
  contextLimit: ABOVE_ZERO,
  outputReserve: AT_LEAST_ZERO,
  profile: CHECKED_LATER,
  keepTokens: AT_LEAST_ZERO,
  keepShare: SHARE,
  reader: oneOf("model", "person"),
  config: OBJECT,
  summaryTimeLimit: AT_LEAST_ZERO,
  maxSummaryCalls: AT_LEAST_ZERO,
  maxSummaryTokens: AT_LEAST_ZERO,
  lockWait: AT_LEAST_ZERO,
  lockTime: ABOVE_ZERO,
  remember: FLAG,
  workingContext: OBJECT,
};

/**
 * Checks the options of a session.
 *
 * @param caller Name of the function that takes them, for the error.
 * @throws InvalidOptionError for unknown options, values of the wrong type and unknown profiles.
 */
export function checkSessionOptions(caller: string, options: SessionOptions = {}): void {
  checkOptions(caller, options, SESSION_RULES);
  checkOptions<SessionConfig>(`${caller} (config)`, options.config, SESSION_CONFIG_RULES);
  findProfile(options.profile);
  const { keepTokens, keepShare } = options;
  if (keepTokens === undefined || keepShare === undefined) return;
  const given = `${keepTokens} and ${keepShare}`;
  throw new InvalidOptionError(`keepTokens and keepShare of ${caller}`, given, "only one of the two");
}

/** Options of `session.prepare`. */
export interface PrepareOptions {
  /** System prompt. Memories are appended to it. Default: none. */
  readonly system?: string;
  /** Maximum tokens of the whole request (default: the context limit without the output reserve). */
  readonly budget?: number;
  /** Maximum bytes of the whole request, images and files as base64. */
  readonly maxBytes?: number;
  /** Tokens of the tool definitions, which are sent besides the system prompt and the messages. Default: 0. */
  readonly toolTokens?: number;
  /** Adds matching memories to the system prompt; a function finds them instead of `tl.memory`. Default: `false`. */
  readonly memory?: boolean | Recaller;
  /**
   * The current situation. With signals, memories are assembled in tiers: decisions, errors, predictions, conventions.
   */
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
   * Measures the current window: nothing is masked, compacted or stored, and the receipt has no number (default:
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

/** A request for the memories of one turn. */
export interface RecallForTurn {
  /** Text that the memories should match: by default the last message of the user. */
  readonly question: string;
  /** Signals about the current work, as passed to `session.prepare`. */
  readonly signals?: ContextSignals;
  /** Maximum size of the block, in counted tokens. */
  readonly budget: number;
  /** Current size of the window, in counted tokens. */
  readonly windowTokens: number;
  /** Context limit of the model in tokens. */
  readonly contextLimit: number;
  /** True if a message is in the window already, so that memories of it can be left out. */
  readonly isInWindow: (messageId: string) => boolean;
}

/** Memories for a turn, as they are added to the system prompt. */
export interface RecalledBlock {
  /** Text to append to the system prompt. */
  readonly text: string;
  /** Ids of the memories, in the order of the text. */
  readonly sources: readonly string[];
  /** Reason for each memory, by id. */
  readonly reasons?: Readonly<Record<string, string>>;
}

/**
 * Finds the memories for a turn; resolves to `undefined` if none fits. Pass your own as `session.prepare({ memory })`.
 */
export type Recaller = (wanted: RecallForTurn) => Promise<RecalledBlock | undefined>;
