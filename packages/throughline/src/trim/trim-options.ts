import type { Message } from "../message/message.ts";
import type { Part } from "../message/part.ts";

export interface TrimOptions {
  /** Budget in tokens for the messages alone. */
  readonly budget: number;
  /** Counts the tokens of a text. */
  readonly count: (text: string) => number;
  /** Counts the tokens of a part. */
  readonly tokensOf: (part: Part) => number;
  /** Counts the tokens of a message. */
  readonly messageTokens: (message: Message) => number;
  /**
   * Returns the ids of the appended messages behind messages of the window, in order: more if some were merged, fewer
   * if some are synthetic. Default: their own ids, without synthetic messages.
   */
  readonly sourcesOf?: (messages: readonly Message[]) => readonly string[];
  /** True if notes name handles, for readers that can expand them. Default: `true`. */
  readonly namesHandles?: boolean;
  /** The request that the messages are a part of: errors name its budget, in the provider's tokens. */
  readonly request?: { readonly budget: number; readonly factor: number };
}

export function tokensOfAll(
  messages: readonly Message[],
  { messageTokens }: Pick<TrimOptions, "messageTokens">,
): number {
  return messages.reduce((sum, message) => sum + messageTokens(message), 0);
}
