import type { Message } from "../message/message.ts";
import { legalCutPoints } from "../message/tool-pairs.ts";
import { noteGaps } from "./note-gaps.ts";
import { type TrimOptions, tokensOfAll } from "./trim-options.ts";

/**
 * What stays when messages leave from the middle out: the first exchange (system messages, the task and a summary behind
 * it), the last thing that the user said, and the longest tail of whole pairs that fits beside them and the notes on
 * what left. Where not even the shortest does, that one.
 *
 * @param all The window before anything left it, for the notes.
 */
export function trimMiddle(
  messages: readonly Message[],
  all: readonly Message[],
  options: TrimOptions,
): readonly Message[] {
  const first = Math.max(
    0,
    messages.findIndex((message) => message.role !== "system"),
  );
  const headEnd = Math.min(first + (messages[first + 1]?.isSummary === true ? 2 : 1), messages.length);
  const head = messages.slice(0, headEnd);
  const lastSaid = messages.findLastIndex((message) => message.role === "user");
  const said = lastSaid >= headEnd ? messages.slice(lastSaid, lastSaid + 1) : [];
  const cuts = legalCutPoints(messages).filter((cut) => cut >= headEnd && cut < messages.length);
  const keptFrom = (cut: number) => [...head, ...(lastSaid < cut ? said : []), ...messages.slice(cut)];
  const fits = (cut: number) => tokensOfAll(noteGaps(all, keptFrom(cut), options).messages, options) <= options.budget;
  const room = options.budget - tokensOfAll(head, options);
  const saidTokens = tokensOfAll(said, options);
  const tooLong = countTooLong(messages, cuts, (cut) => room - (lastSaid < cut ? saidTokens : 0), options);
  const best = cuts.slice(tooLong).find(fits) ?? cuts.at(-1);
  return best === undefined ? messages : keptFrom(best);
}

/** How many of the cuts leave more than there is room for. From the end backwards: the work is done for what stays. */
function countTooLong(
  messages: readonly Message[],
  cuts: readonly number[],
  roomFor: (cut: number) => number,
  options: TrimOptions,
): number {
  let tokens = 0;
  let next = messages.length;
  for (let i = cuts.length - 1; i >= 0; i -= 1) {
    const cut = cuts[i] ?? 0;
    tokens += tokensOfAll(messages.slice(cut, next), options);
    if (tokens > roomFor(cut)) return i + 1;
    next = cut;
  }
  return 0;
}
