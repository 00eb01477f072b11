import { ThroughlineError } from "../errors/throughline-error.ts";
import { isRecord } from "../internal/json.ts";
import type { SessionEvent } from "../session/session-events.ts";

/** Event of a running turn. */
export type TurnEvent =
  | SessionEvent
  | { readonly type: "text-delta"; readonly data: { readonly text: string } }
  | { readonly type: "reasoning-delta"; readonly data: { readonly text: string } }
  | { readonly type: "tool-call"; readonly data: ToolData & { readonly input: unknown } }
  | { readonly type: "tool-result"; readonly data: ToolData & { readonly output: unknown } }
  | { readonly type: "tool-error"; readonly data: ToolData & { readonly message: string } }
  | { readonly type: "tool-approval-request"; readonly data: ToolData & { readonly approvalId: string } }
  | { readonly type: "error"; readonly data: { readonly message: string; readonly code: string } }
  | { readonly type: "done"; readonly data: { readonly finishReason: string } };

interface ToolData {
  readonly toolCallId: string;
  readonly toolName: string;
}

/** Converts one part of the AI SDK's stream to an event; `undefined` for most parts. */
export function toTurnEvent(part: unknown): TurnEvent | undefined {
  if (!isRecord(part)) return undefined;
  const { type } = part;
  switch (type) {
    case "text-delta":
    case "reasoning-delta":
      return { type, data: { text: String(part.text ?? part.delta ?? "") } };
    case "tool-call":
      return { type, data: { ...toolData(part), input: part.input } };
    case "tool-result":
      return { type, data: { ...toolData(part), output: part.output } };
    case "tool-error":
      return { type, data: { ...toolData(part), message: messageOf(part.error) } };
    case "tool-approval-request": {
      const call = isRecord(part.toolCall) ? part.toolCall : part;
      return { type, data: { ...toolData(call), approvalId: String(part.approvalId) } };
    }
    case "error":
      return toErrorEvent(part.error);
    case "abort":
      return { type: "error", data: { message: "The turn was stopped.", code: "aborted" } };
    default:
      return undefined;
  }
}

export function toErrorEvent(error: unknown): TurnEvent {
  const isAborted = isRecord(error) && error.name === "AbortError";
  const code = ThroughlineError.isInstance(error) ? error.code : isAborted ? "aborted" : "model";
  return { type: "error", data: { message: messageOf(error), code } };
}

/** Writes a server-sent event: its name, and its data as one line of JSON. */
export function toSse({ type, data }: TurnEvent): string {
  return `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}

function toolData({ toolCallId, toolName }: Readonly<Record<string, unknown>>): ToolData {
  return { toolCallId: String(toolCallId), toolName: String(toolName) };
}

function messageOf(error: unknown): string {
  if (isRecord(error) && typeof error.message === "string") return error.message;
  return String(error);
}
