import { valuesText } from "../internal/json.ts";
import { oneLine } from "../internal/text.ts";
import { yieldToEventLoop } from "../internal/yield-to-event-loop.ts";
import type { Message } from "../message/message.ts";
import { messageText } from "../message/message-text.ts";

/** Names with evidence per compaction. */
const MAX_NAMES = 200;
/** Messages that are searched before and after a compaction. */
const MAX_MESSAGES = 2_000;
/** Characters of a message that are searched. */
const MAX_TEXT = 100_000;
/** Characters shown before and after a name. */
const AROUND = 50;

/** A message with a name, and the words around it. */
export interface NamePlace {
  /** Index of the message in the session. */
  readonly message: number;
  readonly text: string;
}

/** Where the window before a compaction last had a name, and where the agent used it afterwards. */
export interface NameEvidence {
  readonly name: string;
  readonly source?: NamePlace;
  readonly use?: NamePlace;
}

/**
 * Finds the places of names that were needed after a compaction.
 *
 * @param at Index of the first message after the compaction
 */
export async function findEvidence(
  names: readonly string[],
  messages: readonly Message[],
  at: number,
): Promise<readonly NameEvidence[]> {
  const wanted = names.slice(0, MAX_NAMES);
  const before = messages.slice(Math.max(0, at - MAX_MESSAGES), at);
  const first = at - before.length;
  const sources = await findPlaces(
    wanted,
    before
      .map((message, i) => [first + i, () => `${messageText(withoutCalls(message))} ${callText(message)}`] as const)
      .reverse(),
  );
  const after = messages.slice(at, at + MAX_MESSAGES).map((message, i) => [at + i, () => callText(message)] as const);
  const uses = await findPlaces(wanted, after);
  return wanted.map((name) => {
    const [source, use] = [sources.get(name), uses.get(name)];
    return { name, ...(source !== undefined && { source }), ...(use !== undefined && { use }) };
  });
}

function withoutCalls(message: Message): Message {
  return { ...message, parts: message.parts.filter(({ type }) => type !== "tool-call") };
}

/** Tools and inputs of the calls, without JSON escapes. */
function callText({ parts }: Message): string {
  return parts.map((part) => (part.type === "tool-call" ? `${part.toolName} ${valuesText(part.input)}` : "")).join(" ");
}

/** The first message with each name. */
async function findPlaces(
  names: readonly string[],
  texts: readonly (readonly [message: number, read: () => string])[],
): Promise<ReadonlyMap<string, NamePlace>> {
  const places = new Map<string, NamePlace>();
  let open = names;
  for (const [message, read] of texts) {
    if (open.length === 0) break;
    await yieldToEventLoop();
    const text = read().slice(0, MAX_TEXT);
    open = open.filter((name) => {
      const start = text.indexOf(name);
      if (start >= 0) places.set(name, { message, text: wordsAround(text, start, start + name.length) });
      return start < 0;
    });
  }
  return places;
}

function wordsAround(text: string, start: number, end: number): string {
  const [from, to] = [Math.max(0, start - AROUND), Math.min(text.length, end + AROUND)];
  const words = oneLine(text.slice(from, to), to - from);
  return `${from > 0 ? "…" : ""}${words}${to < text.length ? "…" : ""}`;
}
