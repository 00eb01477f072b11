import type { MemoryService } from "../memory/memory-service.ts";
import type { MemorySource } from "../ports/memory.ts";
import type { RecalledBlock, Recaller } from "../session/session-deps.ts";
import type { AssembledContext } from "./context-api.ts";
import type { ContextService } from "./context-service.ts";
import { FILE_ID, TOPIC_ID } from "./tiers/topic-id.ts";

/** Finds memories for a session's turns: by the question or, if signals are given, as an assembled context. */
export function sessionRecaller(memory: MemoryService, context: ContextService, sessionId: string): Recaller {
  return async ({ question, budget, signals, isInWindow }) => {
    const isInPrompt = (source: Pick<MemorySource, "sessionId" | "messageId">): boolean =>
      source.sessionId === sessionId && isInWindow(source.messageId ?? "");
    if (signals === undefined) {
      return memory.recallBlock(question, { budget, isKnown: ({ source }) => isInPrompt(source) });
    }
    return toBlock(
      await context.assemble({ budget, signals: { sessionId, ...signals }, message: question, isKnown: isInPrompt }),
    );
  };
}

function toBlock({ context, receipt }: AssembledContext): RecalledBlock | undefined {
  if (context === "") return undefined;
  const memories = receipt.items.filter(({ id }) => !id.startsWith(TOPIC_ID) && !id.startsWith(FILE_ID));
  return {
    text: context,
    sources: memories.map(({ id }) => id),
    reasons: Object.fromEntries(memories.map(({ id, rule, reasons }) => [id, [rule, ...reasons].join("; ")])),
  };
}
