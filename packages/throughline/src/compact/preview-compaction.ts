import { isRecord } from "../internal/json.ts";
import { type CriticalItem, criticalItems } from "../ledger/critical-items.ts";
import type { Message } from "../message/message.ts";
import { handleOf } from "../message/part.ts";
import type { PlannedCompaction } from "./plan-compaction.ts";

/** Effect that a compaction would have. */
export interface CompactionPreview {
  /** Tokens of the messages now. */
  readonly tokensBefore: number;
  /** Tokens of the messages after the compaction. */
  readonly tokensAfter: number;
  /** Ids of the messages that the summary would replace. */
  readonly removed: readonly string[];
  /** Ids of the messages in the window afterwards, summary included. */
  readonly kept: readonly string[];
  /** Text of the summary, without prose by a model. */
  readonly summary: string;
  /** Open requests, rules, to-dos and changed files that would be neither in the summary nor in the tail. */
  readonly critical: readonly { readonly kind: string; readonly text: string }[];
  /** Tokens of the messages above which a turn would compact them by itself. */
  readonly threshold: number;
}

/** Describes a planned compaction without storing it. */
export function previewCompaction({ event, window, draft }: PlannedCompaction): Omit<CompactionPreview, "threshold"> {
  const isContained = windowContains(window);
  return {
    tokensBefore: event.tokensBefore,
    tokensAfter: event.tokensAfter,
    removed: event.compactedMessageIds,
    kept: window.map((message) => message.id),
    summary: event.summary,
    critical: criticalItems(draft.state.ledger).filter((item) => !isContained(item)),
  };
}

/** Two characters of one word. */
const WITHIN_WORD = /^[\p{L}\p{N}_]{2}$/u;

/** Returns a test for whether an item is in the window: verbatim in a text, as its original part, or by its handle. */
function windowContains(window: readonly Message[]): (item: CriticalItem) => boolean {
  const texts = textsIn(window.map(({ parts }) => parts));
  const handles = new Set(window.flatMap(({ parts }) => parts.map(({ id }) => handleOf(id))));
  const isInTexts = (words: string) => texts.some((text) => containsWords(text, words));
  return ({ text, handle }) => isInTexts(text) || (handle !== undefined && (handles.has(handle) || isInTexts(handle)));
}

/** Returns all strings inside a value. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (value instanceof Uint8Array) return [];
  return isRecord(value) ? Object.values(value).flatMap(textsIn) : [];
}

/** True if a text contains the words at word boundaries. */
function containsWords(text: string, words: string): boolean {
  const isInside = (at: number) => at > 0 && WITHIN_WORD.test(text.slice(at - 1, at + 1));
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    if (!isInside(at) && !isInside(at + words.length)) return true;
  }
  return false;
}
