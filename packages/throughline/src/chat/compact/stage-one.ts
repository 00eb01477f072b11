import { toRichWindow } from "../../message/to-rich-window.ts";
import { legalCutPoints } from "../../message/tool-pairs.ts";
import type { ChatMessage } from "../inject/build-context.ts";

const FIRST = 2;
const LAST = 6;

export interface TrimmedHistory<T extends ChatMessage> {
  readonly messages: T[];
  /** How many left. */
  readonly trimmed: number;
}

/**
 * Trims a conversation from the middle out: the first two messages and the last six stay. Where that would part a tool
 * call from its result, more of them stay.
 *
 * @example
 * stageOneTrimHistory(messages).trimmed; // 5 of 13
 */
export function stageOneTrimHistory<T extends ChatMessage>(messages: readonly T[]): TrimmedHistory<T> {
  const cuts = legalCutPoints(toRichWindow(messages));
  const headEnd = cuts.find((cut) => cut >= FIRST) ?? messages.length;
  const tailStart = cuts.findLast((cut) => cut <= messages.length - LAST) ?? 0;
  if (headEnd >= tailStart) return { messages: [...messages], trimmed: 0 };
  return {
    messages: [...messages.slice(0, headEnd), ...messages.slice(tailStart)],
    trimmed: tailStart - headEnd,
  };
}
