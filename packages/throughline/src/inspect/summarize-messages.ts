import type { Message } from "../message/message.ts";
import type { Throughline } from "../throughline-api.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";

/** Options of {@link summarizeMessages}. */
export interface SummarizeMessagesOptions {
  /** Instance over a store in memory: the messages are appended to a session of their own. */
  readonly throughline: Pick<Throughline, "session" | "purgeSession">;
  readonly counter: TokenCounter;
  readonly modelId: string;
  /** Maximum size; default: that of a compaction. */
  readonly targetTokens?: number | undefined;
}

/** The handover note that Throughline writes for some messages, without keeping any of them. */
export async function summarizeMessages(
  messages: readonly Message[],
  { throughline, counter, modelId, targetTokens }: SummarizeMessagesOptions,
): Promise<string> {
  const id = `summary of ${messages[0]?.id} to ${messages.at(-1)?.id}`;
  const contextLimit = 2 * counter.messages(messages) + (targetTokens ?? 0);
  const session = throughline.session(id, { modelId, contextLimit });
  await session.append(messages);
  const compaction = await session.compact({ ...(targetTokens !== undefined && { targetTokens }), keepTokens: 0 });
  await throughline.purgeSession(id);
  return compaction?.summary ?? "";
}
