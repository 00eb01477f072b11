import { freeIds } from "../free-ids.ts";
import { PORTABLE_TOOL_CALL_ID } from "../legality-rules.ts";
import type { Message } from "../message.ts";
import type { Part, ToolApprovalRequestPart, ToolCallPart, ToolResultPart } from "../part.ts";
import { type RepairContext, withChangedParts } from "./repair.ts";

/** Gives a new id to each call whose id is used before or that some provider does not take, and to what refers to it. */
export function repairCallIds(messages: readonly Message[], { report }: RepairContext): readonly Message[] {
  const used = new Set<string>();
  // What the id stands for now: a later call with the same id takes over.
  const current = new Map<string, string>();
  // No id that occurs at all is given anew: a result whose call is gone would find another.
  const freeId = freeIds(mentionedIds(messages));
  const idOf = ({ toolCallId }: ToolCallPart): string => {
    const id =
      PORTABLE_TOOL_CALL_ID.test(toolCallId) && !used.has(toolCallId) ? toolCallId : freeId(stemOf(toolCallId));
    current.set(toolCallId, id);
    used.add(id);
    return id;
  };
  return messages.map((message) => {
    const parts = message.parts.map((part): Part => {
      if (!namesCall(part)) return part;
      const id = part.type === "tool-call" ? idOf(part) : (current.get(part.toolCallId) ?? part.toolCallId);
      if (id === part.toolCallId) return part;
      if (part.type === "tool-call") {
        const text = `call "${part.toolCallId}" is called "${id}" here`;
        report({ code: "renamed-call-id", messageId: message.id, text });
      }
      return { ...part, toolCallId: id };
    });
    return withChangedParts(message, parts);
  });
}

function namesCall(part: Part): part is ToolCallPart | ToolResultPart | ToolApprovalRequestPart {
  return part.type === "tool-call" || part.type === "tool-result" || part.type === "tool-approval-request";
}

function mentionedIds(messages: readonly Message[]): string[] {
  return messages.flatMap(({ parts }) => parts.filter(namesCall).map((part) => part.toolCallId));
}

/** Leaves room for a number within the 40 characters that OpenAI takes. */
function stemOf(id: string): string {
  return id.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, 30) || "call";
}
