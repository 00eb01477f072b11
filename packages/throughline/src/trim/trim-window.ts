import { IrreducibleContextError, type IrreduciblePart } from "../errors/irreducible-context-error.ts";
import type { Message } from "../message/message.ts";
import type { Part } from "../message/part.ts";
import { legalCutPoints } from "../message/tool-pairs.ts";
import { type CutContext, cutPart } from "./cut-part.ts";

export interface TrimOptions {
  /** Tokens for the messages alone. */
  readonly budget: number;
  readonly count: (text: string) => number;
  readonly tokensOf: (part: Part) => number;
  readonly messageTokens: (message: Message) => number;
}

export interface TrimResult {
  readonly messages: readonly Message[];
  /** Messages that were left out from the middle. */
  readonly dropped: readonly Message[];
  /** Parts that were cut or left out, by id. */
  readonly cut: readonly string[];
}

/** Below this a part says nothing any more. */
const SMALLEST_PART = 48;
/** A part of this size can be cut without much loss; rather than that, messages leave. */
const LARGE_PART = 800;

/**
 * The last resort: messages leave from the middle out, then what is left is cut to head and tail, the largest first.
 *
 * @throws IrreducibleContextError where even that does not fit.
 */
export function trimWindow(messages: readonly Message[], options: TrimOptions): TrimResult {
  // One giant output must not cost what the user said: it is cut before any message goes.
  const whole = cutGiants(messages, options, LARGE_PART);
  if (whole !== undefined) return { ...whole, dropped: [] };
  const kept = trimMiddle(messages, options);
  const staying = new Set(kept);
  const dropped = messages.filter((message) => !staying.has(message));
  if (total(kept, options) <= options.budget) return { messages: kept, dropped, cut: [] };
  const smallest = cutGiants(kept, options, SMALLEST_PART);
  if (smallest === undefined) throw irreducible(kept, options);
  return { ...smallest, dropped };
}

function total(messages: readonly Message[], { messageTokens }: TrimOptions): number {
  return messages.reduce((sum, message) => sum + messageTokens(message), 0);
}

/**
 * The first exchange (system messages, the task and a summary behind it), the last thing that the user said, and the
 * longest tail of whole pairs that still fits.
 */
function trimMiddle(messages: readonly Message[], options: TrimOptions): readonly Message[] {
  const first = Math.max(
    0,
    messages.findIndex((message) => message.role !== "system"),
  );
  const headEnd = Math.min(first + (messages[first + 1]?.isSummary === true ? 2 : 1), messages.length);
  const head = messages.slice(0, headEnd);
  const lastSaid = messages.findLastIndex((message) => message.role === "user");
  const said = lastSaid >= headEnd ? messages.slice(lastSaid, lastSaid + 1) : [];
  const room = options.budget - total(head, options) - total(said, options);
  const cuts = legalCutPoints(messages).filter((cut) => cut >= headEnd && cut < messages.length);
  // From the end backwards, so that the work is done for what stays and not for what goes.
  let best = cuts.at(-1);
  let tokens = 0;
  let next = messages.length;
  for (const cut of cuts.toReversed()) {
    tokens += total(messages.slice(cut, next), options);
    next = cut;
    if (tokens > room) break;
    best = cut;
  }
  if (best === undefined) return messages;
  return [...head, ...(lastSaid < best ? said : []), ...messages.slice(best)];
}

/** One cap for all parts, the largest at which everything fits; `undefined` where that would be below `least`. */
function cutGiants(
  messages: readonly Message[],
  options: TrimOptions,
  least: number,
): { messages: readonly Message[]; cut: string[] } | undefined {
  const context: CutContext = { count: options.count, tokensOf: options.tokensOf, boundCalls: boundCalls(messages) };
  const apply = (cap: number) => messages.flatMap((message) => cutMessage(message, cap, context));
  let low = least;
  let high = Math.max(low, ...messages.flatMap((message) => message.parts.map(options.tokensOf)));
  if (total(apply(low), options) > options.budget) return undefined;
  while (high - low > Math.max(8, low * 0.05)) {
    const middle = Math.floor((low + high) / 2);
    if (total(apply(middle), options) <= options.budget) low = middle;
    else high = middle;
  }
  const done = apply(low);
  return { messages: done, cut: changedParts(messages, done) };
}

function cutMessage(message: Message, cap: number, context: CutContext): Message[] {
  const parts = message.parts.flatMap((part) => cutPart(part, cap, context) ?? []);
  if (parts.length === message.parts.length && parts.every((part, i) => part === message.parts[i])) return [message];
  const { tokens: _, ...rest } = message;
  return parts.length === 0 ? [] : [{ ...rest, parts }];
}

function changedParts(before: readonly Message[], after: readonly Message[]): string[] {
  const kept = new Set(after.flatMap((message) => message.parts));
  return before.flatMap((message) => message.parts.filter((part) => !kept.has(part)).map((part) => part.id));
}

function boundCalls(messages: readonly Message[]): ReadonlySet<string> {
  const parts = messages.flatMap((message) => message.parts);
  return new Set(
    parts.flatMap((part) => {
      const isSigned = part.type === "tool-call" && part.providerOptions !== undefined;
      return part.type === "tool-approval-request" || isSigned ? [part.toolCallId] : [];
    }),
  );
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
  return new IrreducibleContextError(options.budget, total(messages, options), parts);
}
