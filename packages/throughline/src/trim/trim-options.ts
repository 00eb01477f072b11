import type { Message } from "../message/message.ts";
import type { Part } from "../message/part.ts";

export interface TrimOptions {
  /** Tokens for the messages alone. */
  readonly budget: number;
  readonly count: (text: string) => number;
  readonly tokensOf: (part: Part) => number;
  readonly messageTokens: (message: Message) => number;
  /**
   * The ids of the messages that were appended for one in the window: several where turns were joined, none where it was
   * put there. By default its own, unless nobody said it.
   */
  readonly sourcesOf?: (message: Message) => readonly string[];
}

export function tokensOfAll(messages: readonly Message[], { messageTokens }: TrimOptions): number {
  return messages.reduce((sum, message) => sum + messageTokens(message), 0);
}
