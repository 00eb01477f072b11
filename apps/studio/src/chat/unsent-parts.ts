import { countTokens, type Message, type Receipt } from "throughline";
import type { Unsent } from "./chat-state.ts";
import { notesOf } from "./message-notes.ts";

/** Messages that the requests of a conversation had only in part, or not at all. */
interface UnsentParts {
  /** By message. */
  readonly messages: ReadonlyMap<string, Unsent>;
  /** By answer: how many earlier messages its request did not have. */
  readonly answers: ReadonlyMap<string, number>;
}

/**
 * Finds unsent messages and parts in the receipts. A message that was cut in its own request stays marked, because its
 * answer was given without the rest; other marks are those of the last request.
 */
export function findUnsent(history: readonly Message[], receipts: readonly Receipt[]): UnsentParts {
  const byId = new Map(receipts.map((receipt) => [receipt.id, receipt]));
  const messages = new Map<string, Unsent>();
  const answers = new Map<string, number>();
  let asked: Message | undefined;
  for (const message of history) {
    if (message.role === "user") asked = message;
    const receipt = byId.get(notesOf(message).receipt ?? "");
    if (receipt === undefined || asked === undefined) continue;
    const cut = cutMessages(receipt, history).get(asked.id);
    if (cut !== undefined) messages.set(asked.id, cut);
    const count = leftOutMessageIds(receipt, history).length;
    if (count > 0) answers.set(message.id, count);
  }
  const last = receipts.at(-1);
  if (last === undefined) return { messages, answers };
  for (const [id, cut] of cutMessages(last, history)) messages.set(id, cut);
  for (const id of leftOutMessageIds(last, history)) messages.set(id, { kind: "left-out" });
  return { messages, answers };
}

/** Messages that were sent in part, with their share. */
function cutMessages({ items }: Receipt, history: readonly Message[]): ReadonlyMap<string, Unsent> {
  if (items.every(({ shortened = [] }) => shortened.length === 0)) return new Map();
  const byPart = new Map(history.flatMap((message) => message.parts.map((part) => [part.id, message] as const)));
  const found = new Map<string, Unsent>();
  for (const { tokens, shortened = [], sources } of items) {
    for (const part of shortened) {
      const message = byPart.get(part);
      if (message === undefined) continue;
      if (message.parts.some(({ id, type }) => id === part && type === "file")) {
        if (!found.has(message.id)) found.set(message.id, { kind: "images" });
        continue;
      }
      const whole = history.filter(({ id }) => id === message.id || sources?.includes(id) === true);
      const share = (tokens / Math.max(1, sum(whole.map(tokensOf)))) * 100;
      found.set(message.id, { kind: "cut", percentSent: Math.min(99, Math.max(1, Math.round(share))) });
    }
  }
  return found;
}

/** Ids of the messages that were left out because the context was full. Summarized ones have a note of their own. */
function leftOutMessageIds({ handles, items, nearMisses }: Receipt, history: readonly Message[]): readonly string[] {
  if (handles.length === 0 && nearMisses.every(({ reason }) => reason !== "trimmed")) return [];
  const places = new Map(history.map(({ id }, at) => [id, at]));
  const summarized = new Set(items.flatMap(({ rule, sources = [] }) => (rule === "summary" ? sources : [])));
  const ids = handles.flatMap((handle) => {
    const [, first = "", last = first] = /^messages?:(.+?)(?:\.\.(.+))?$/.exec(handle) ?? [];
    const [from, to] = [places.get(first), places.get(last)];
    return from === undefined || to === undefined ? [] : history.slice(from, to + 1).map(({ id }) => id);
  });
  const trimmed = nearMisses.flatMap(({ reason, messageId }) => (reason === "trimmed" ? [messageId] : []));
  return [...new Set([...ids, ...trimmed])].filter((id) => places.has(id) && !summarized.has(id));
}

function tokensOf({ parts }: Message): number {
  // Parts of new messages have no count yet.
  return sum(parts.map((part) => part.tokens ?? (part.type === "text" ? countTokens(part.text) : 0)));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
