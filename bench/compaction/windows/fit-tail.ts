import { type Message, type Part, repairWindow } from "throughline";
import { legalCutPoints } from "throughline/messages";
import { countPartTokens, countTotalTokens } from "throughline/tokens";
import { cutText } from "../cut-text.ts";
import { readPart } from "../message-text.ts";

/** With fewer tokens left, a partial exchange is not worth it. */
const MIN_ROOM = 200;
/**
 * Shares of the remaining tokens to try for a shortened exchange; its calls cannot be shortened, so the first may not
 * fit.
 */
const SHARES = [0.9, 0.7, 0.5, 0.3, 0.1, 0] as const;

/**
 * As many of the last messages as fit after `head`, without splitting tool pairs, and repaired. Remaining tokens go to
 * the exchange before them, with shortened outputs and texts.
 */
export function fitTail(
  messages: readonly Message[],
  budget: number,
  head: readonly Message[] = [],
): readonly Message[] {
  const room = budget - countTotalTokens(head);
  const cuts = legalCutPoints(messages).filter((cut) => cut < messages.length);
  let next = firstThatFits(messages, cuts, room);
  while (next < cuts.length && !fits(join(head, messages.slice(cuts[next])), budget)) next += 1;
  const kept = messages.slice(cuts[next] ?? messages.length);
  const half = messages.slice(next > 0 ? cuts[next - 1] : 0, next > 0 ? cuts[next] : 0);
  const left = room - countTotalTokens(kept);
  for (const share of kept.length === 0 || left > MIN_ROOM ? SHARES : []) {
    const window = join(head, [...shorten(half, Math.floor(left * share)), ...kept]);
    if (fits(window, budget)) return window;
  }
  return join(head, kept);
}

function join(head: readonly Message[], rest: readonly Message[]): readonly Message[] {
  return repairWindow([...head, ...rest]).messages;
}

function fits(window: readonly Message[], budget: number): boolean {
  return countTotalTokens(window) <= budget;
}

function firstThatFits(messages: readonly Message[], cuts: readonly number[], room: number): number {
  let tokens = 0;
  let from = messages.length;
  for (let c = cuts.length - 1; c >= 0; c -= 1) {
    const cut = cuts[c] ?? 0;
    tokens += countTotalTokens(messages.slice(cut, from));
    if (tokens > room) return c + 1;
    from = cut;
  }
  return 0;
}

/** Shortens parts so that each has its share of the tokens. */
function shorten(messages: readonly Message[], room: number): readonly Message[] {
  const parts = messages.flatMap((message) => message.parts);
  const each = Math.floor(room / Math.max(1, parts.length));
  return messages.map(({ tokens: _, ...message }) => ({
    ...message,
    parts: message.parts.map((part) => shortenPart(part, each)),
  }));
}

function shortenPart(part: Part, tokens: number): Part {
  if (countPartTokens(part) <= tokens) return part;
  const { tokens: _, ...rest } = part;
  const text = `${cutText(readPart(part), tokens, "start")}…`;
  switch (rest.type) {
    case "text":
    case "reasoning":
      return { ...rest, text };
    case "tool-result":
      return { ...rest, output: { type: "text", value: text } };
    default:
      return part;
  }
}
