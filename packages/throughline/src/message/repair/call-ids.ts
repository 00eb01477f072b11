import { PORTABLE_TOOL_CALL_ID } from "../legality-rules.ts";
import type { Message } from "../message.ts";
import type { Part } from "../part.ts";
import type { Report } from "./repair.ts";

/** Gives a new id to each call whose id is used before or that some provider does not take, and to what refers to it. */
export function repairCallIds(messages: readonly Message[], report: Report): readonly Message[] {
  const taken = new Set<string>();
  // What the id stands for now: a later call with the same id takes over.
  const current = new Map<string, string>();
  return messages.map((message) => {
    const parts = message.parts.map((part): Part => {
      if (part.type === "tool-call") {
        const id = newId(part.toolCallId, taken);
        current.set(part.toolCallId, id);
        taken.add(id);
        if (id === part.toolCallId) return part;
        report({
          code: "renamed-call-id",
          messageId: message.id,
          text: `call "${part.toolCallId}" is called "${id}" here`,
        });
      }
      if (part.type !== "tool-call" && part.type !== "tool-result" && part.type !== "tool-approval-request")
        return part;
      const id = current.get(part.toolCallId) ?? part.toolCallId;
      return id === part.toolCallId ? part : { ...part, toolCallId: id };
    });
    return parts.every((part, i) => part === message.parts[i]) ? message : { ...message, parts };
  });
}

function newId(wanted: string, taken: ReadonlySet<string>): string {
  if (PORTABLE_TOOL_CALL_ID.test(wanted) && !taken.has(wanted)) return wanted;
  // Room for the number within the 40 characters that OpenAI takes.
  const stem = wanted.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, 30) || "call";
  for (let n = 2; ; n += 1) {
    const id = `${stem}-${n}`;
    if (!taken.has(id)) return id;
  }
}
