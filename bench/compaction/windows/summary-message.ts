import type { Message } from "throughline";

/** A summary as an assistant message, as in the specs. */
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
