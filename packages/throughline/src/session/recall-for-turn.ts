import { InvalidOptionError } from "../errors/invalid-option-error.ts";
import { cutMiddle } from "../internal/one-line.ts";
import { withoutInjected } from "../ledger/quoted/injected.ts";
import { readUserWords } from "../ledger/quoted/user-words.ts";
import type { Message } from "../message/message.ts";
import type { RecalledBlock, SessionContext, Tally } from "./session-context.ts";
import type { PrepareOptions } from "./turn.ts";

/** Tokens for memories, more where they are assembled by signals, and the share of a turn's budget that they take at the most. */
const MAX_TOKENS = 500;
const MAX_ASSEMBLED = 8_000;
const MAX_SHARE = 0.1;
/** Where the caller says how many. */
const MAX_ASKED_SHARE = 0.5;
/** So many words are a question of their own. */
const ENOUGH_WORDS = 3;
/** Characters of one text that are read for the question: the beginning and the end of a longer one. */
const MAX_READ = 100_000;

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
  options: PrepareOptions,
  { recall, contextLimit, outputReserve, logger }: SessionContext,
  tally: Tally,
): Promise<RecalledForTurn | undefined> {
  const { memory = false, message, system, signals } = options;
  const find = typeof memory === "function" ? memory : memory ? recall : undefined;
  if (find === undefined) return undefined;
  const question = message === undefined ? lastRequest(window) : askedIn([message]);
  if (question.trim() === "" && signals === undefined) return undefined;
  const budget = memoryBudget(options, contextLimit - outputReserve, tally);
  try {
    const standing = new Set(window.map(({ id }) => id));
    const isInWindow = (id: string): boolean => standing.has(id);
    const wanted = { question, budget, contextLimit, isInWindow, ...(signals && { signals }) };
    const block = await find({ ...wanted, windowTokens: tally.messages(window) });
    if (block === undefined) return undefined;
    return { block, tokens: tally.text(withMemories(system, block)) - tally.text(system ?? "") };
  } catch (error) {
    const note = `No memories: ${error instanceof Error ? error.message : String(error)}`;
    logger.warn(note);
    return { tokens: 0, note };
  }
}

/** In our tokens. */
function memoryBudget({ budget, memoryBudget, signals }: PrepareOptions, usual: number, { factor }: Tally): number {
  if (memoryBudget !== undefined && !(memoryBudget >= 0)) {
    throw new InvalidOptionError("memoryBudget", memoryBudget, "a number of tokens");
  }
  const most = memoryBudget ?? (signals === undefined ? MAX_TOKENS : MAX_ASSEMBLED);
  const share = memoryBudget === undefined ? MAX_SHARE : MAX_ASKED_SHARE;
  return Math.min(most, Math.floor(((budget ?? usual) * share) / factor));
}

/** The system prompt with what was recalled behind it. */
export function withMemories(system = "", block: RecalledBlock | undefined): string {
  if (block === undefined) return system;
  return system === "" ? block.text : `${system}\n\n${block.text}`;
}

function lastRequest(window: readonly Message[]): string {
  const last = window.findLast(({ role, isSummary }) => role === "user" && isSummary !== true);
  return askedIn(
    (last?.parts ?? []).flatMap((part) => (part.type === "text" && part.synthetic !== true ? [part.text] : [])),
  );
}

/** What texts of the user ask, in the user's own words; with what they quote, where these say too little. */
function askedIn(texts: readonly string[]): string {
  const read = texts.map((text) => cutMiddle(text, MAX_READ, "\n…\n"));
  const own = read.map((text) => readUserWords(text).own).join("\n");
  const words = own.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
  return words >= ENOUGH_WORDS ? own.replace(/\s+/g, " ").trim() : read.map(withoutInjected).join("\n");
}
