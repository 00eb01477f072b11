import type { Message } from "../message/message.ts";
import type { Repair } from "../message/repair/repair.ts";
import { repairWindow } from "../message/repair/repair-window.ts";
import type { Logger } from "../ports/logger.ts";
import { countMessageBytes, countPartBytes, countTotalBytes } from "../tokens/count-bytes.ts";
import { type TrimOptions, tokensOfAll } from "../trim/trim-options.ts";
import { trimWindow } from "../trim/trim-window.ts";

/** What messages may take. */
export interface Room {
  readonly tokens: number;
  readonly bytes: number;
}

export interface FittedWindow {
  readonly messages: readonly Message[];
  readonly repairs: readonly Repair[];
  readonly dropped: readonly Message[];
  /** Parts that were cut or left out, by id. */
  readonly cut: readonly string[];
  readonly handles: readonly string[];
}

type Counts = Omit<TrimOptions, "budget">;

/** Trimming may leave the assistant first, and the repair then adds an opening. */
const REPAIR_ROOM = 32;
/** Of common text, about. */
const BYTES_PER_TOKEN = 4;

/**
 * A window that is legal, and within tokens and bytes; trimmed only where that is not enough.
 *
 * @throws IrreducibleContextError where nothing makes it fit.
 */
export function fitWindow(window: readonly Message[], room: Room, counts: Counts, logger: Logger): FittedWindow {
  const repaired = repairWindow(window);
  const fits = (messages: readonly Message[]) =>
    tokensOfAll(messages, counts) <= room.tokens && isLight(messages, room);
  if (fits(repaired.messages)) return { ...repaired, dropped: [], cut: [], handles: [] };
  const options = isLight(repaired.messages, room) ? { ...counts, budget: room.tokens } : withBytes(counts, room);
  // What a repair adds may be too much again.
  for (let allowed = options.budget; ; allowed = Math.floor(allowed * 0.7)) {
    const { messages, dropped, cut, handles } = trimWindow(repaired.messages, {
      ...options,
      budget: allowed - REPAIR_ROOM,
    });
    const legal = repairWindow(messages);
    if (fits(legal.messages)) {
      logger.warn(`Trimmed: ${dropped.length} messages left out, ${cut.length} parts cut.`);
      return { messages: legal.messages, repairs: [...repaired.repairs, ...legal.repairs], dropped, cut, handles };
    }
  }
}

function isLight(messages: readonly Message[], { bytes }: Room): boolean {
  return bytes === Number.POSITIVE_INFINITY || countTotalBytes(messages) <= bytes;
}

/**
 * Counts by which what takes many bytes is large too: a picture has few tokens, and texts must not leave in its place.
 * They are in the scarcer of the two, so that what is small stays small.
 */
function withBytes(counts: Counts, { tokens, bytes }: Room): TrimOptions {
  const budget = Math.min(tokens, Math.floor(bytes / BYTES_PER_TOKEN));
  const weigh = (own: number, size: number) => Math.ceil(budget * Math.max(own / tokens, size / bytes));
  const encoder = new TextEncoder();
  return {
    ...counts,
    budget,
    count: (text) => weigh(counts.count(text), encoder.encode(text).length),
    tokensOf: (part) => weigh(counts.tokensOf(part), countPartBytes(part)),
    messageTokens: (message) => weigh(counts.messageTokens(message), countMessageBytes(message)),
  };
}
