import { IrreducibleContextError } from "../../errors/irreducible-context-error.ts";
import { omitUndefined } from "../../internal/json.ts";
import type { Session } from "../../session/session.ts";
import type { RecallForTurn } from "../../session/session-deps.ts";
import type { PreparedTurn } from "../../session/turn.ts";
import { type CompactionStage, shouldCompact, stageTwoReduceMemory } from "../compact/compact-context.ts";
import { calculateMemoryBudget, REPLY_RESERVE } from "../inject/memory-budget.ts";
import type { MemoryFact } from "../memory-fact.ts";
import { chatRecaller, type FactSource, readFacts } from "./chat-recaller.ts";

export interface ChatTurnOptions {
  /** The persona. */
  readonly system?: string;
  readonly facts: FactSource;
  /** What is said now; the last thing that the user said, where nothing is given. */
  readonly message?: string;
  /** Tokens that are kept free for the reply where memories are measured; 1,000, where nothing is said. */
  readonly reserveOutput?: number;
  readonly signal?: AbortSignal;
}

export interface ChatTurn extends PreparedTurn {
  /** The memories in the window, each with its reason. */
  readonly used: readonly { readonly id: string; readonly reason: string }[];
  readonly stage: CompactionStage;
}

/**
 * Prepares a turn of a chat with its facts. Where the window is 80% full or fuller even after it was compacted, it is
 * prepared once more with fewer facts.
 *
 * @example
 * const turn = await prepareChatTurn(session, { system, facts: book.getSnapshot().facts, message: "Where do I live?" });
 */
export async function prepareChatTurn(session: Pick<Session, "prepare">, options: ChatTurnOptions): Promise<ChatTurn> {
  let wanted: RecallForTurn | undefined;
  let known: readonly MemoryFact[] = [];
  const { system, message, signal, reserveOutput = REPLY_RESERVE } = options;
  const prepare = (facts: FactSource): Promise<PreparedTurn> => {
    const recall = chatRecaller({ facts, reserveOutput });
    const memory: typeof recall = (want) => {
      wanted = want;
      return recall(want);
    };
    return session.prepare(omitUndefined({ system, message, signal, memory }));
  };
  const first = await unlessIrreducible(() =>
    prepare(async () => {
      known = await readFacts(options.facts);
      return known;
    }),
  );
  const limit = wanted?.contextLimit ?? Number.POSITIVE_INFINITY;
  const isFull = first === undefined || shouldCompact(first.tokens.final, limit);
  if (first !== undefined && (!isFull || usedIn(first).length === 0)) return chatTurn(first, stageOf(first));

  const budget = calculateMemoryBudget("", wanted?.windowTokens ?? 0, reserveOutput, { contextWindow: limit });
  const second = await prepare(stageTwoReduceMemory(known, budget).memories);
  return chatTurn(first === undefined ? second : asOne(first, second), "stage2");
}

/** `undefined` where memories make a window impossible that may be possible with fewer. */
async function unlessIrreducible(work: () => Promise<PreparedTurn>): Promise<PreparedTurn | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof IrreducibleContextError) return undefined;
    throw error;
  }
}

/** What was done in the first attempt was done for the turn. */
function asOne(first: PreparedTurn, second: PreparedTurn): PreparedTurn {
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

function chatTurn(turn: PreparedTurn, stage: CompactionStage): ChatTurn {
  return { ...turn, used: usedIn(turn), stage };
}

function usedIn({ receipt }: PreparedTurn): ChatTurn["used"] {
  const item = receipt.items.find(({ rule }) => rule === "memory");
  return (item?.sources ?? []).map((id) => ({ id, reason: item?.reasons?.[id] ?? "" }));
}
