import type { Message } from "../message/message.ts";
import type { RecalledBlock, SessionContext, Tally } from "./session-context.ts";
import type { PrepareOptions } from "./turn.ts";

/** Tokens for memories, and the share of a turn's budget that they take at the most. */
const MOST_TOKENS = 500;
const MOST_SHARE = 0.1;

/** What was recalled for a turn, or why nothing could be. */
export interface RecalledForTurn {
  readonly block?: RecalledBlock;
  /** What the block costs in the system prompt, in our tokens. */
  readonly tokens: number;
  readonly note?: string;
}

/** Recalls what fits a turn. A turn is prepared without memories where they cannot be had, and says so. */
export async function recallForTurn(
  window: readonly Message[],
  { memory = false, message, system, budget }: PrepareOptions,
  { recall, contextLimit, outputReserve, logger }: SessionContext,
  tally: Tally,
): Promise<RecalledForTurn | undefined> {
  const question = message ?? lastRequest(window);
  const find = typeof memory === "function" ? memory : memory ? recall : undefined;
  if (find === undefined || question.trim() === "") return undefined;
  const share = Math.floor(((budget ?? contextLimit - outputReserve) * MOST_SHARE) / tally.factor);
  try {
    const standing = new Set(window.map(({ id }) => id));
    const isInWindow = (id: string): boolean => standing.has(id);
    const wanted = { question, budget: Math.min(MOST_TOKENS, share), contextLimit, isInWindow };
    const block = await find({ ...wanted, windowTokens: tally.messages(window) });
    if (block === undefined) return undefined;
    return { block, tokens: tally.text(withMemories(system, block)) - tally.text(system ?? "") };
  } catch (error) {
    const note = `No memories: ${error instanceof Error ? error.message : String(error)}`;
    logger.warn(note);
    return { tokens: 0, note };
  }
}

/** The system prompt with what was recalled behind it. */
export function withMemories(system = "", block: RecalledBlock | undefined): string {
  if (block === undefined) return system;
  return system === "" ? block.text : `${system}\n\n${block.text}`;
}

function lastRequest(window: readonly Message[]): string {
  const last = window.findLast(({ role, isSummary }) => role === "user" && isSummary !== true);
  return (last?.parts ?? []).flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}
