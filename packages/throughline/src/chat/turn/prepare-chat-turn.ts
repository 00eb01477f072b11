import { CHAT_POLICY } from "../../compact/policy.ts";
import { AT_LEAST_ZERO, checkOptions, type OptionRule, type OptionRules } from "../../errors/check-options.ts";
import { IrreducibleContextError } from "../../errors/session-errors.ts";
import { omitUndefined } from "../../internal/json.ts";
import { DEFAULT_CONFIG } from "../../overflow/compaction-config.ts";
import type { Session } from "../../session/session.ts";
import type { Recaller, RecallForTurn } from "../../session/session-options.ts";
import { PREPARE_RULES, type PreparedTurn } from "../../session/session-options.ts";
import { type CompactionStage, reduceIfFull } from "../compact/compact-context.ts";
import { memoryBlock } from "../inject/build-context.ts";
import { REPLY_RESERVE } from "../inject/memory-prompt.ts";
import type { MemoryFact } from "../memory-fact.ts";

/** Facts, or a function that loads them. */
export type FactSource = readonly MemoryFact[] | (() => readonly MemoryFact[] | Promise<readonly MemoryFact[]>);

/** Check of an option that is a source of facts. */
const FACTS: OptionRule = [
  (value) => Array.isArray(value) || typeof value === "function",
  "a list of facts, or a function that loads them",
];

export interface ChatRecallerOptions {
  /** Facts about the user, or a function that loads them. */
  readonly facts: FactSource;
  /** Tokens reserved for the reply. Default: 1,000. */
  readonly reserveOutput?: number;
}

/**
 * Creates a recaller that selects facts for a turn by the rules of the chat: its budget, order and format. If the facts
 * cannot be loaded, the receipt notes it and the turn goes on without them.
 *
 * @param options Source of facts and the reserve for the reply.
 *
 * @example
 * const turn = await session.prepare({ system: "Be brief.", memory: chatRecaller({ facts }) });
 */
export function chatRecaller(options: ChatRecallerOptions): Recaller {
  checkOptions("chatRecaller", options, { facts: FACTS, reserveOutput: AT_LEAST_ZERO });
  const { facts, reserveOutput = REPLY_RESERVE } = options;
  return async ({ question, windowTokens: conversationTokens, contextLimit: contextWindow }) => {
    const sizes = { conversationTokens, contextWindow, reserveOutput };
    const { text, used } = memoryBlock(await readFacts(facts), { question, ...sizes });
    if (used.length === 0) return undefined;
    return {
      text,
      sources: used.map(({ fact }) => fact.id),
      reasons: Object.fromEntries(used.map(({ fact, reason }) => [fact.id, reason])),
    };
  };
}

async function readFacts(facts: FactSource): Promise<readonly MemoryFact[]> {
  return typeof facts === "function" ? facts() : facts;
}

export interface ChatTurnOptions {
  /** System prompt. */
  readonly system?: string;
  /** Facts about the user, or a function that loads them. */
  readonly facts: FactSource;
  /** Current user message. Default: the last user message of the session. */
  readonly message?: string;
  /** Tokens reserved for the reply in the memory budget. Default: 1,000. */
  readonly reserveOutput?: number;
  /** Measures the current window: nothing is compacted or stored. Default: `false`. */
  readonly dryRun?: boolean;
  /** Aborts the preparation. */
  readonly signal?: AbortSignal;
}

const { system, message, dryRun, signal } = PREPARE_RULES;
const TURN_RULES: OptionRules<ChatTurnOptions> = {
  ...{ system, message, dryRun, signal },
  facts: FACTS,
  reserveOutput: AT_LEAST_ZERO,
};

export interface ChatTurn extends PreparedTurn {
  /** Memories in the window, each with its reason. */
  readonly used: readonly { readonly id: string; readonly reason: string }[];
  readonly stage: CompactionStage;
  /** Number of facts that a full window left out of the selection. */
  readonly reducedMemories: number;
}

/**
 * Prepares a chat turn with facts. If the window is still at least 80% full after compaction, it is prepared again with
 * fewer facts.
 *
 * @param session Session of the chat.
 * @param options System prompt, facts and current message.
 *
 * @example
 * const turn = await prepareChatTurn(session, { system: "Be brief.", facts, message: "Where do I live?" });
 */
export async function prepareChatTurn(session: Pick<Session, "prepare">, options: ChatTurnOptions): Promise<ChatTurn> {
  checkOptions("prepareChatTurn", options, TURN_RULES);
  // Set during the first attempt, also if it fails: the window sizes that its recaller got, and the facts it loaded.
  let recalledFor: RecallForTurn | undefined;
  let known: readonly MemoryFact[] = [];
  const { system, message, dryRun, signal, reserveOutput = REPLY_RESERVE } = options;
  const prepare = (facts: FactSource): Promise<PreparedTurn> => {
    const recall = chatRecaller({ facts, reserveOutput });
    const memory: typeof recall = (request) => {
      recalledFor = request;
      return recall(request);
    };
    return session.prepare(omitUndefined({ system, message, dryRun, signal, memory }));
  };
  const first = await unlessIrreducible(() =>
    prepare(async () => {
      known = await readFacts(options.facts);
      return known;
    }),
  );
  const contextWindow = recalledFor?.contextLimit ?? Number.POSITIVE_INFINITY;
  const conversationTokens = recalledFor?.windowTokens ?? 0;
  // A window that cannot fit at all is full.
  const totalTokens = first?.tokens.final ?? contextWindow;
  const reduced = reduceIfFull(known, { totalTokens, conversationTokens, contextWindow, reserveOutput });
  if (first !== undefined && (reduced === undefined || usedIn(first).length === 0)) {
    return chatTurn(first, stageOf(first), 0);
  }
  // The second attempt leaves out memories, which is what `stage2` means.
  const second = await prepare(reduced?.memories ?? []);
  return chatTurn(first === undefined ? second : mergeAttempts(first, second), "stage2", reduced?.reduction ?? 0);
}

/** Returns `undefined` if the window cannot fit with these memories, but may fit with fewer. */
async function unlessIrreducible(work: () => Promise<PreparedTurn>): Promise<PreparedTurn | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof IrreducibleContextError) return undefined;
    throw error;
  }
}

/** Merges two attempts: changes of the first belong to the turn too. */
function mergeAttempts(first: PreparedTurn, second: PreparedTurn): PreparedTurn {
  return {
    ...second,
    tokens: { ...second.tokens, before: first.tokens.before },
    wasPruned: first.wasPruned || second.wasPruned,
    wasCompacted: first.wasCompacted || second.wasCompacted,
  };
}

function stageOf({ wasPruned, wasCompacted, receipt }: PreparedTurn): CompactionStage {
  return wasPruned || wasCompacted || receipt.handles.length > 0 ? "stage1" : "none";
}

function chatTurn(turn: PreparedTurn, stage: CompactionStage, reducedMemories: number): ChatTurn {
  return { ...turn, used: usedIn(turn), stage, reducedMemories };
}

function usedIn({ receipt }: PreparedTurn): ChatTurn["used"] {
  const item = receipt.items.find(({ rule }) => rule === "memory");
  return (item?.sources ?? []).map((id) => ({ id, reason: item?.reasons?.[id] ?? "" }));
}

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
