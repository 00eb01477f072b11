import type { Message } from "../message/message.ts";
import { legalCutPoints } from "../message/tool-pairs.ts";

/** Places of a list between which messages can be dropped. */
export interface Middle {
  /** Number of messages at the start that stay. */
  readonly headEnd: number;
  /** Legal starts of a tail behind them, first the longest tail. */
  readonly tailStarts: readonly number[];
}

/**
 * Finds the middle of a list: everything between its first messages and a tail. A tool call stays with its result.
 *
 * @param first Number of messages to keep at the start; more stay if a call would lose its result.
 */
export function findMiddle(messages: readonly Message[], first: number): Middle {
  const cuts = legalCutPoints(messages);
  const headEnd = cuts.find((cut) => cut >= first) ?? messages.length;
  return { headEnd, tailStarts: cuts.filter((cut) => cut >= headEnd && cut < messages.length) };
}
