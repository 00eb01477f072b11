import type { Message } from "../message/message.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import { isSpeech } from "./original-task.ts";
import { selectSpan, type TailRule } from "./select-messages.ts";
import type { Entry, WindowSources, WindowState } from "./window.ts";

/** The entries of a window by what a compaction does with them. */
export interface Division {
  /** System messages and the original task: they stay before the summary. */
  readonly head: readonly Entry[];
  readonly hasTask: boolean;
  /** All entries before the tail, in order. */
  readonly before: readonly Entry[];
  readonly replaced: readonly Entry[];
  /** The user's last message, if it is not in the tail: it stays after the summary. */
  readonly kept: readonly Entry[];
}

/**
 * Divides a window for a compaction. An entry is never split, so the boundary falls before or after an earlier summary
 * and the messages around it.
 *
 * @returns `undefined` if there is nothing to replace.
 */
export function divideWindow(
  state: WindowState,
  sources: WindowSources,
  window: readonly Message[],
  keep: TailRule,
  targetTokens: number,
  counter: TokenCounter,
): Division | undefined {
  const span = selectSpan(window, keep, counter.message);
  if (span === undefined) return undefined;
  /** Index of the entry of each message; `firsts` has the first message of each entry. */
  const owners: number[] = [];
  const firsts = state.entries.map((entry, index) => {
    const count = "event" in entry ? (sources.events.get(entry.event)?.standIns.length ?? 0) : 1;
    return owners.push(...new Array<number>(count).fill(index)) - count;
  });
  const tailStart = owners[span.tailStart] ?? state.entries.length;
  const indexOf = (message: number) => (message < 0 ? -1 : (owners[message] ?? -1));
  const task = indexOf(span.task);
  const lastSpeech = indexOf(findLastSpeech(window, "messages" in keep ? targetTokens : keep.tokens, counter));
  const isSystem = (index: number) => window[firsts[index] ?? -1]?.role === "system";
  const before = state.entries.slice(0, tailStart);
  const pick = (fits: (index: number) => boolean) => before.filter((_, index) => fits(index));
  const isHead = (index: number) => index === task || isSystem(index);
  const replaced = pick((index) => !isHead(index) && index !== lastSpeech);
  if (replaced.length === 0) return undefined;
  const kept = pick((index) => index === lastSpeech && !isHead(index));
  return { head: pick(isHead), hasTask: task >= 0, before, replaced, kept };
}

/** Index of the user's last message if it has at most `maxTokens`; otherwise -1. */
function findLastSpeech(window: readonly Message[], maxTokens: number, counter: TokenCounter): number {
  const index = window.findLastIndex(isSpeech);
  const message = window[index];
  return message !== undefined && counter.message(message) <= maxTokens ? index : -1;
}
