import type { Message, Part, Receipt, ReceiptItem } from "throughline";
import { jsonText } from "throughline/internal/util";
import { type Alignment, partNames } from "./sessions/align-session.ts";

/** Maximum number of window messages that one client message can represent. */
const MAX_RUN = 16;

/** A window as Throughline messages. */
export interface WrittenWindow {
  readonly messages: readonly Message[];
  /** Number of session messages that are sent in full. */
  readonly intact: number;
}

/** True if every message is in full: nothing is summarized, masked, cut or left out. */
export function isUntouched({ items, nearMisses }: Receipt): boolean {
  const isOwn = ({ rule, shortened }: ReceiptItem) =>
    shortened === undefined && rule !== "summary" && rule !== "continuation";
  return nearMisses.length === 0 && items.every(isOwn);
}

/** A window message and the stored messages that it shows in full; empty if it is changed in any way. */
interface Shown {
  readonly message: Message;
  readonly stored: readonly number[];
  /** Ids of masked or cut parts. */
  readonly shortened: ReadonlySet<string>;
}

/**
 * Writes a window for the client's provider. A message in full is written in the client's current form, including call
 * ids, thinking and cache marks. In a masked or cut message, calls and results keep the client's ids.
 */
export function writeWindow(window: readonly Message[], receipt: Receipt, alignment: Alignment): WrittenWindow {
  const shown = showMessages(window, receipt, alignment);
  const messages: Message[] = [];
  let intact = 0;
  for (let at = 0; at < shown.length; ) {
    const one = shown[at] as Shown;
    const run = presentRun(shown, at, alignment);
    for (const message of run?.messages ?? [withPresentTools(one, alignment)]) messages.push(message);
    const length = run?.length ?? 1;
    for (const { stored } of shown.slice(at, at + length)) intact += stored.length;
    at += length;
  }
  return { messages, intact };
}

/** Characters per token, a low estimate. */
const TOKEN_LENGTH = 3;

/** Estimated additional tokens of a window in the client's form, compared with the stored one. */
export function extraTokens(present: readonly Message[], stored: readonly Message[]): number {
  return Math.ceil((textLength(present) - textLength(stored)) / TOKEN_LENGTH);
}

function textLength(messages: readonly Message[]): number {
  let length = 0;
  for (const { parts } of messages) {
    for (const part of parts) {
      if (part.type === "text" || part.type === "reasoning") length += part.text.length;
      else if (part.type === "tool-call") length += jsonText(part.input).length;
      else if (part.type === "tool-result") length += jsonText(part.output).length;
    }
  }
  return length;
}

function showMessages(window: readonly Message[], receipt: Receipt, alignment: Alignment): Shown[] {
  // The system prompt and the memories come before the messages.
  const items = receipt.items.slice(-window.length);
  return window.map((message, index) => {
    const { messageId, sources = [messageId ?? ""], shortened = [] } = items[index] ?? {};
    const stored = sources.flatMap((id) => alignment.indexOf(id) ?? []);
    const isWhole = shortened.length === 0 && stored.length === sources.length;
    const isIntact = isWhole && partNames(message.parts) === alignment.partsOf(stored);
    return { message, stored: isIntact ? stored : [], shortened: new Set(shortened) };
  });
}

interface PresentRun {
  /** Number of window messages that it replaces. */
  readonly length: number;
  readonly messages: readonly Message[];
}

/** The client's messages for a run of window messages, which may be split or joined differently. */
function presentRun(shown: readonly Shown[], at: number, alignment: Alignment): PresentRun | undefined {
  const covered: number[] = [];
  for (let length = 1; length <= MAX_RUN; length += 1) {
    const { stored = [] } = shown[at + length - 1] ?? {};
    if (stored.length === 0) return undefined;
    covered.push(...stored);
    const messages = messagesOf(covered, alignment);
    if (messages !== undefined) return { length, messages };
  }
  return undefined;
}

/** The client's messages for some stored ones; `undefined` if they also represent others. */
function messagesOf(covered: readonly number[], alignment: Alignment): readonly Message[] | undefined {
  const messages: Message[] = [];
  for (let next = 0; next < covered.length; ) {
    const block = alignment.blockOf(covered[next] ?? -1);
    if (block === undefined) return undefined;
    for (let index = block.from; index < block.to; index += 1) {
      if (covered[next] === index) next += 1;
      else if (!alignment.isEmpty(index)) return undefined;
    }
    for (const message of block.messages) messages.push(message);
  }
  return messages;
}

/** A masked or cut message, with the call ids of the client, so that its results match their calls. */
function withPresentTools({ message, shortened }: Shown, alignment: Alignment): Message {
  const parts = message.parts.map((part): Part => {
    const present = alignment.presentTool(part);
    if (present === undefined || (part.type !== "tool-call" && part.type !== "tool-result")) return part;
    const { toolCallId, providerOptions } = present;
    if (!shortened.has(part.id)) return { ...present, id: part.id };
    return { ...part, toolCallId, ...(providerOptions && { providerOptions }) };
  });
  return { ...message, parts };
}
