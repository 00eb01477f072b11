import type { Message } from "../message/message.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";

/** Options of {@link summarizeMessages}. */
export interface SummarizeMessagesOptions {
  /** Instance over a store in memory: the messages are appended to a session of their own. */
  readonly throughline: {
    session(id: string, options: { readonly modelId: string; readonly contextLimit: number }): SummarySession;
    purgeSession(id: string): Promise<unknown>;
  };
  readonly counter: TokenCounter;
  readonly modelId: string;
  /** Maximum size; default: that of a compaction. */
  readonly targetTokens?: number | undefined;
}

interface SummarySession {
  append(messages: readonly Message[]): Promise<unknown>;
  compact(options: {
    readonly targetTokens?: number;
    readonly keepTokens: number;
  }): Promise<{ readonly summary: string } | undefined>;
}

/** Number of sessions that were opened, for their ids. */
let sessions = 0;

/** The handover note that Throughline writes for some messages, without keeping any of them. */
export async function summarizeMessages(
  messages: readonly Message[],
  { throughline, counter, modelId, targetTokens }: SummarizeMessagesOptions,
): Promise<string> {
  sessions += 1;
  const id = `summary-${sessions}`;
  const contextLimit = 2 * counter.messages(messages) + (targetTokens ?? 0);
  const session = throughline.session(id, { modelId, contextLimit });
  await session.append(messages);
  const compaction = await session.compact({ ...(targetTokens !== undefined && { targetTokens }), keepTokens: 0 });
  await throughline.purgeSession(id);
  return compaction?.summary ?? "";
}
