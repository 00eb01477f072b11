import { isRecord } from "../../internal/json.ts";
import { PORTABLE_TOOL_NAME } from "../legality-rules.ts";
import type { Message } from "../message.ts";
import type { Part, ToolCallPart, ToolResultPart } from "../part.ts";
import { type RepairCode, type RepairDeps, withChangedParts } from "./repair.ts";

/**
 * Wraps inputs that are not objects and renames tools whose names some providers refuse, in calls and results alike. An
 * approval covers the original call (possibly by a signature over name and input), so approvals of changed calls are
 * dropped.
 */
export function repairCallContents(messages: readonly Message[], { report }: RepairDeps): readonly Message[] {
  const calls = new Map(messages.flatMap(({ parts }) => parts.filter(isCall).map((call) => [call.toolCallId, call])));
  const isVoid = voidApprovals(calls);
  const renamed = new Set<string>();
  return messages.flatMap((message) => {
    const add = (code: RepairCode, text: string) => report({ code, messageId: message.id, text });
    const parts = message.parts.flatMap((part): Part | readonly Part[] => {
      if (isVoid(part)) {
        add("dropped-approval", "dropped an approval because its call had to be changed");
        return [];
      }
      if (!isCall(part) && part.type !== "tool-result") return part;
      const edited = isCall(part) ? editCall(part) : editResult(part, calls.get(part.toolCallId));
      if (edited.toolName !== part.toolName && !renamed.has(part.toolName)) {
        renamed.add(part.toolName);
        add("renamed-tool", `renamed tool "${part.toolName}" to "${edited.toolName}"`);
      }
      if (isCall(part) && !isRecord(part.input)) {
        add("wrapped-input", `wrapped the input of call "${part.toolCallId}" in an object`);
      }
      return edited;
    });
    const isUsedUp = parts.length === 0 && message.parts.length > 0;
    return isUsedUp ? [] : [withChangedParts(message, parts)];
  });
}

/** Returns a predicate for approvals whose call changes. Call it in order: a response belongs to the latest request. */
function voidApprovals(calls: ReadonlyMap<string, ToolCallPart>): (part: Part) => boolean {
  const requests = new Map<string, boolean>();
  return (part) => {
    if (part.type === "tool-approval-response") return requests.get(part.approvalId) === true;
    if (part.type !== "tool-approval-request") return false;
    const call = calls.get(part.toolCallId);
    const isChanged = call !== undefined && editCall(call) !== call;
    requests.set(part.approvalId, isChanged);
    return isChanged;
  };
}

function isCall(part: Part): part is ToolCallPart {
  return part.type === "tool-call";
}

/** Keeps the name of a tool that the provider runs. */
function editCall(call: ToolCallPart): ToolCallPart {
  const toolName = call.providerExecuted === true ? call.toolName : portableName(call.toolName);
  if (toolName === call.toolName && isRecord(call.input)) return call;
  const { tokens: _, ...rest } = isRecord(call.input) ? call : asFunction(call);
  return { ...rest, toolName, input: wrapped(call.input) };
}

function editResult(result: ToolResultPart, call: ToolCallPart | undefined): ToolResultPart {
  const provided = call?.providerExecuted === true || result.providerExecuted === true;
  const toolName = provided ? result.toolName : portableName(result.toolName);
  const answer = call === undefined || isRecord(call.input) ? result : asFunction(result);
  return toolName === result.toolName ? answer : { ...answer, toolName };
}

/** OpenAI's custom tools take only text. With an object as input the call becomes a function call. */
function asFunction<P extends ToolCallPart | ToolResultPart>(part: P): P {
  if (part.foreign?.form?.startsWith("custom_tool_call") !== true) return part;
  // The provider options still name the custom item.
  const { foreign: _, providerOptions: __, ...rest } = part;
  return rest as P;
}

function wrapped(input: unknown): unknown {
  if (isRecord(input)) return input;
  return input === undefined || input === null ? {} : { input };
}

function portableName(name: string): string {
  return PORTABLE_TOOL_NAME.test(name) ? name : name.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, 64) || "tool";
}
