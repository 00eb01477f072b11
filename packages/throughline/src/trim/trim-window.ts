import { IrreducibleContextError, type IrreduciblePart } from "../errors/irreducible-context-error.ts";
import type { Message } from "../message/message.ts";
import { findToolPairs, legalCutPoints } from "../message/tool-pairs.ts";
import { boundParts } from "./bound-parts.ts";
import { cutGiants } from "./cut-giants.ts";
import { noteGaps } from "./note-gaps.ts";
import { trimMiddle } from "./trim-middle.ts";
import { type TrimOptions, tokensOfAll } from "./trim-options.ts";

export interface TrimResult {
  readonly messages: readonly Message[];
  /** Messages that were left out. */
  readonly dropped: readonly Message[];
  /** Parts that were cut or left out, by id. */
  readonly cut: readonly string[];
  /** Under which the messages that were left out can be had again, gap by gap. */
  readonly handles: readonly string[];
}

/** Below this a part says nothing any more. */
const SMALLEST_PART = 48;
/** A part of this size can be cut without much loss; rather than that, messages leave. */
const LARGE_PART = 800;

/**
 * The last resort: messages leave from the middle out, then what is left is cut to head and tail, the largest first, and
 * where the last exchange cannot be cut, it leaves as a whole. Where messages left, a note with a handle stands.
 *
 * @throws IrreducibleContextError where even that does not fit.
 */
export function trimWindow(messages: readonly Message[], options: TrimOptions): TrimResult {
  for (let left = messages; ; ) {
    // One giant output must not cost what the user said: it is cut before any message goes.
    const whole = fit(left, messages, options, LARGE_PART);
    if (whole !== undefined) return whole;
    const kept = trimMiddle(left, messages, options);
    const trimmed = fit(kept, messages, options, SMALLEST_PART);
    if (trimmed !== undefined) return trimmed;
    const stuck = new Set(stuckExchange(kept));
    if (stuck.size === 0) throw irreducible(kept, options);
    left = left.filter((message) => !stuck.has(message));
  }
}

/**
 * What stays with notes on what does not, its giants cut. A summary stands for many messages, so it is cut only where all
 * else is not enough; the notes go where they are what is too much.
 */
function fit(
  kept: readonly Message[],
  all: readonly Message[],
  options: TrimOptions,
  least: number,
): TrimResult | undefined {
  const { messages, notes, handles } = noteGaps(all, kept, options);
  const summaries = kept.flatMap(({ parts }) => parts.filter((part) => part.type === "compaction-marker"));
  const window =
    cutGiants(messages, [...notes, ...summaries], options, least) ??
    cutGiants(messages, notes, options, least) ??
    cutGiants(kept, [], options, least);
  if (window === undefined) return undefined;
  const staying = new Set(kept);
  return { ...window, dropped: all.filter((message) => !staying.has(message)), handles };
}

/** The last exchange, where a part of it can only leave with all of it and nothing in it still waits for an answer. */
function stuckExchange(messages: readonly Message[]): readonly Message[] {
  const start = legalCutPoints(messages).findLast((cut) => cut < messages.length) ?? 0;
  const exchange = messages.slice(start);
  const { calls, approvals } = findToolPairs(exchange);
  const isAnswered =
    calls.every(({ part, result }) => result !== undefined || part.providerExecuted === true) &&
    approvals.every(({ response }) => response !== undefined);
  return start > 0 && isAnswered && boundParts(exchange).size > 0 ? exchange : [];
}

function irreducible(messages: readonly Message[], options: TrimOptions): IrreducibleContextError {
  const parts: IrreduciblePart[] = messages
    .flatMap((message) =>
      message.parts.map((part) => ({
        what: `${part.type} of ${message.role} message ${message.id}`,
        tokens: options.tokensOf(part),
      })),
    )
    .sort((a, b) => b.tokens - a.tokens);
  return new IrreducibleContextError(options.budget, tokensOfAll(messages, options), parts);
}
