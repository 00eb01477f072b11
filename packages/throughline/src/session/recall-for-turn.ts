import { InvalidOptionError } from "../errors/input-errors.ts";
import { cutMiddle, messageOf } from "../internal/text.ts";
import { readUserWords, withoutInjected } from "../ledger/quoted/user-words.ts";
import type { Message } from "../message/message.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import type { PrepareOptions, RecalledBlock } from "./session-options.ts";
import type { SessionSnapshot } from "./state/session-repository.ts";

/** Default size of the memory block in tokens, without and with signals, and its maximum share of the turn's budget. */
const MAX_TOKENS = 500;
const MAX_ASSEMBLED = 8_000;
const MAX_SHARE = 0.1;
/** Maximum share of the turn's budget if the caller sets `memoryBudget`. */
const MAX_ASKED_SHARE = 0.5;
/** Minimum number of the user's own words for a question without the text that the user quotes. */
const MIN_WORDS = 3;
/** Characters of one text that are read for the question: head and tail of a longer one. */
const MAX_READ = 100_000;

/** Memories for a turn, or the reason why there are none. */
export interface RecalledForTurn {
  /** The system prompt with the block. */
  readonly system?: string;
  readonly block?: RecalledBlock;
  /** Tokens that the block adds to the system prompt. */
  readonly tokens: number;
  readonly note?: string;
}

/** Finds memories for a turn. If recall fails, the turn continues without memories, and its receipt has the reason. */
export async function recallForTurn(
  { deps, counter, window }: SessionSnapshot,
  options: PrepareOptions,
): Promise<RecalledForTurn | undefined> {
  const { recall, contextLimit, outputReserve, logger } = deps;
  const { memory, message, system = "", signals } = options;
  const find = typeof memory === "function" ? memory : recall;
  if (find === undefined) return undefined;
  const question = askedIn(message === undefined ? lastTexts(window) : [message]);
  if (question.trim() === "" && signals === undefined) return undefined;
  const budget = memoryBudget(options, contextLimit - outputReserve, counter);
  try {
    const inWindow = new Set(window.map(({ id }) => id));
    const isInWindow = (id: string): boolean => inWindow.has(id);
    const wanted = { question, budget, contextLimit, isInWindow, ...(signals && { signals }) };
    const block = await find({ ...wanted, windowTokens: counter.messages(window) });
    if (block === undefined) return undefined;
    const extended = system === "" ? block.text : `${system}\n\n${block.text}`;
    return { system: extended, block, tokens: counter.text(extended) - counter.text(system) };
  } catch (error) {
    const note = `No memories: ${messageOf(error)}`;
    logger.warn(note);
    return { tokens: 0, note };
  }
}

/** Maximum size of the memory block, in counted tokens. */
function memoryBudget(
  { budget, memoryBudget, signals }: PrepareOptions,
  defaultTokens: number,
  { factor }: TokenCounter,
): number {
  if (memoryBudget !== undefined && !(memoryBudget >= 0)) {
    throw new InvalidOptionError("memoryBudget", memoryBudget, "a number of tokens");
  }
  const max = memoryBudget ?? (signals === undefined ? MAX_TOKENS : MAX_ASSEMBLED);
  const share = memoryBudget === undefined ? MAX_SHARE : MAX_ASKED_SHARE;
  return Math.min(max, Math.floor(((budget ?? defaultTokens) * share) / factor));
}

/** Texts of the user's last message. */
function lastTexts(window: readonly Message[]): readonly string[] {
  const last = window.findLast(({ role, isSummary }) => role === "user" && isSummary !== true);
  return (last?.parts ?? []).flatMap((part) => (part.type === "text" && part.synthetic !== true ? [part.text] : []));
}

/** The question in texts of the user: the user's own words, or the whole text if these are too few. */
function askedIn(texts: readonly string[]): string {
  const read = texts.map((text) => cutMiddle(text, MAX_READ, "\n…\n"));
  const own = read.map((text) => readUserWords(text).own).join("\n");
  const words = own.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
  return words >= MIN_WORDS ? own.replace(/\s+/g, " ").trim() : read.map(withoutInjected).join("\n");
}
