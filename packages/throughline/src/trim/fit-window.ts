import { omitUndefined } from "../internal/json.ts";
import type { Provider } from "../message/legality-rules.ts";
import type { Message } from "../message/message.ts";
import type { Repair } from "../message/repair/repair.ts";
import { repairWindow } from "../message/repair/repair-window.ts";
import type { Logger } from "../ports/logger.ts";
import { countMessageBytes, countPartBytes, countTotalBytes } from "../tokens/count-bytes.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import type { TrimOptions } from "./cut-large-parts.ts";
import { trimWindow } from "./trim-window.ts";

/** Maximum size of the messages. */
export interface WindowBudget {
  readonly tokens: number;
  readonly bytes: number;
  /** Budget of the whole request in the provider's tokens, for errors. Default: that of the messages, as counted. */
  readonly requested?: number;
}

export interface FittedWindow {
  readonly messages: readonly Message[];
  readonly repairs: readonly Repair[];
  readonly dropped: readonly Message[];
  /** Ids of parts that were cut or removed. */
  readonly cut: readonly string[];
  readonly handles: readonly string[];
}

interface FitDeps {
  readonly counter: TokenCounter;
  readonly sourcesOf?: TrimOptions["sourcesOf"];
  readonly namesHandles?: boolean;
  readonly logger: Logger;
  /** Provider that the window is for; `undefined` for all. */
  readonly provider?: Provider | undefined;
}

type Counts = Omit<TrimOptions, "budget">;

/** Tokens for the opening that a repair adds if trimming leaves the assistant first. */
const REPAIR_ROOM = 32;
/** Typical ratio in text. */
const BYTES_PER_TOKEN = 4;

/**
 * Makes a window legal and fits it into tokens and bytes. Trims only if it does not fit otherwise.
 *
 * @throws IrreducibleContextError if nothing makes it fit.
 */
export function fitWindow(
  window: readonly Message[],
  budget: WindowBudget,
  { counter, sourcesOf, namesHandles, logger, provider }: FitDeps,
): FittedWindow {
  const { text: count, part: tokensOf, message: messageTokens, factor } = counter;
  const request = budget.requested === undefined ? undefined : { budget: budget.requested, factor };
  const counts = omitUndefined({ count, tokensOf, messageTokens, sourcesOf, namesHandles, request });
  const repaired = repairWindow(window, { provider });
  const isLight = (messages: readonly Message[]) =>
    budget.bytes === Number.POSITIVE_INFINITY || countTotalBytes(messages) <= budget.bytes;
  const fits = (messages: readonly Message[]) => counter.messages(messages) <= budget.tokens && isLight(messages);
  if (fits(repaired.messages)) return { ...repaired, dropped: [], cut: [], handles: [] };
  const options = isLight(repaired.messages) ? { ...counts, budget: budget.tokens } : withBytes(counts, budget);
  // The repair may add too many tokens: then trim more.
  for (let allowed = options.budget; ; allowed = Math.floor(allowed * 0.7)) {
    const { messages, dropped, cut, handles } = trimWindow(repaired.messages, {
      ...options,
      budget: allowed - REPAIR_ROOM,
    });
    const legal = repairWindow(messages, { provider });
    if (fits(legal.messages)) {
      logger.warn(`Trimmed the window: ${dropped.length} messages left out, ${cut.length} parts cut.`);
      return { messages: legal.messages, repairs: [...repaired.repairs, ...legal.repairs], dropped, cut, handles };
    }
  }
}

/**
 * Counts in which a part with many bytes is large too: an image has few tokens, and no text may be dropped instead.
 * The unit is the scarcer of tokens and bytes, so that small parts stay small.
 */
function withBytes(counts: Counts, { tokens, bytes }: WindowBudget): TrimOptions {
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
