import type { Message } from "../message/message.ts";
import type { Part } from "../message/part.ts";

export interface TrimOptions {
  /** Tokens for the messages alone. */
  readonly budget: number;
  readonly count: (text: string) => number;
  readonly tokensOf: (part: Part) => number;
  readonly messageTokens: (message: Message) => number;
  /**
   * The ids of the messages that were appended for some in the window, in the order of the history: more where turns
   * were joined, fewer where some were put there. By default their own, but for those that nobody said.
   */
  readonly sourcesOf?: (messages: readonly Message[]) => readonly string[];
}

export function tokensOfAll(
  messages: readonly Message[],
  { messageTokens }: Pick<TrimOptions, "messageTokens">,
): number {
  return messages.reduce((sum, message) => sum + messageTokens(message), 0);
}
