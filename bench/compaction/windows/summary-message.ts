import type { Message } from "throughline";

/** A summary as the specs put it into the window: said by the assistant. */
export function summaryMessage(summary: string): Message {
  const id = "bench-summary";
  return {
    id,
    sessionId: "",
    role: "assistant",
    createdAt: 0,
    isSummary: true,
    parts: [{ id: `${id}.0`, type: "text", text: `## Session Summary\n\n${summary}` }],
  };
}
