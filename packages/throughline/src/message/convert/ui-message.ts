import { InvalidMessageError } from "../../errors/invalid-message-error.ts";
import type { DraftContext, Message, MessageDraft } from "../message.ts";
import type { PartDraft } from "../part.ts";
import {
  arrayField,
  booleanField,
  isRecord,
  type JsonRecord,
  omitUndefined,
  recordField,
  stringField,
} from "../read-json.ts";
import { type ToolOutput, toToolOutput } from "../tool-output.ts";
import { foreignOf, readMessages, readProviderOptions } from "./conversion.ts";

const FORMAT = "ai-sdk-ui";

/** The `UIMessage` of the AI SDK, as far as it is read. */
export interface ForeignUiMessage {
  readonly id: string;
  readonly role: string;
  readonly parts: readonly unknown[];
  readonly metadata?: unknown;
}

/**
 * Reads the messages of a user interface (`useChat`). One message of the assistant there holds all steps of a reply;
 * here each step is an assistant message, followed by a tool message with its results.
 */
export function convertUiToRich(
  messages: readonly ForeignUiMessage[],
  sessionId = "",
  context: Omit<DraftContext, "sessionId"> = {},
): Message[] {
  return readMessages(FORMAT, messages, { ...context, sessionId }, readUiMessage);
}

export function readUiMessage(raw: JsonRecord, index: number): MessageDraft[] {
  const parts = arrayField(raw, "parts");
  const { role } = raw;
  if (role !== "system" && role !== "user" && role !== "assistant") {
    throw new InvalidMessageError({ message: index }, `unknown role ${JSON.stringify(role)}`);
  }
  if (parts === undefined) throw new InvalidMessageError({ message: index }, "parts is not a list");
  const records = parts.map((part, partIndex) => {
    if (isRecord(part) && typeof part.type === "string") return part;
    throw new InvalidMessageError({ message: index, part: partIndex }, "expected an object with a type");
  });
  const id = stringField(raw, "id");
  const foreign = foreignOf(FORMAT, raw, ["id", "role", "parts"]);
  const drafts: MessageDraft[] =
    role === "assistant" ? readSteps(records) : [{ role, parts: records.map(readPlainPart) }];
  return drafts.map((draft, step) =>
    omitUndefined({
      ...draft,
      id: id === undefined || step === 0 ? id : `${id}#${step}`,
      foreign: step === 0 ? foreign : undefined,
      provenance: omitUndefined({ format: FORMAT, id } as const),
    }),
  );
}

function readSteps(records: readonly JsonRecord[]): MessageDraft[] {
  const drafts: MessageDraft[] = [];
  let said: PartDraft[] = [];
  let answered: PartDraft[] = [];
  const endStep = () => {
    if (said.length > 0) drafts.push({ role: "assistant", parts: said });
    if (answered.length > 0) drafts.push({ role: "tool", parts: answered });
    said = [];
    answered = [];
  };
  for (const record of records) {
    if (record.type === "step-start") {
      endStep();
      said.push({ type: "step-start" });
    } else if (record.type === "steering-message") {
      endStep();
      drafts.push({
        role: "user",
        parts: (arrayField(record, "parts") ?? []).filter(isRecord).map(readPlainPart),
      });
    } else {
      const tool = readToolPart(record);
      said.push(...(tool?.said ?? [readPlainPart(record)]));
      answered.push(...(tool?.answered ?? []));
    }
  }
  endStep();
  return drafts;
}

function readPlainPart(raw: JsonRecord): PartDraft {
  const providerOptions = readProviderOptions(raw.providerMetadata);
  const text = stringField(raw, "text");
  const url = stringField(raw, "url");
  const mediaType = stringField(raw, "mediaType");
  if ((raw.type === "text" || raw.type === "reasoning") && text !== undefined) {
    const foreign = foreignOf(FORMAT, raw, ["type", "text", "state", "providerMetadata"]);
    return omitUndefined({ type: raw.type, text, providerOptions, foreign });
  }
  if ((raw.type === "file" || raw.type === "reasoning-file") && url !== undefined && mediaType !== undefined) {
    const reference = recordField(raw, "providerReference") as Record<string, string> | undefined;
    return omitUndefined({
      type: raw.type,
      mediaType,
      filename: stringField(raw, "filename"),
      data: reference ? { type: "reference" as const, reference } : { type: "url" as const, url },
      providerOptions,
    });
  }
  return { type: "opaque", format: FORMAT, value: raw };
}

interface ToolReading {
  readonly said: readonly PartDraft[];
  readonly answered: readonly PartDraft[];
}

function readToolPart(raw: JsonRecord): ToolReading | undefined {
  const type = String(raw.type);
  const toolName = type.startsWith("tool-") ? type.slice("tool-".length) : stringField(raw, "toolName");
  const toolCallId = stringField(raw, "toolCallId");
  if ((!type.startsWith("tool-") && type !== "dynamic-tool") || !toolName || toolCallId === undefined) return undefined;
  const providerExecuted = booleanField(raw, "providerExecuted");
  const approval = readApproval(raw, toolCallId, providerExecuted);
  const output = readOutput(raw);
  const result: PartDraft[] =
    output === undefined
      ? []
      : [
          omitUndefined({
            type: "tool-result" as const,
            toolCallId,
            toolName,
            output,
            providerExecuted,
            providerOptions: readProviderOptions(raw.resultProviderMetadata),
          }),
        ];
  const call: PartDraft = omitUndefined({
    type: "tool-call" as const,
    toolCallId,
    toolName,
    input: raw.input ?? raw.rawInput ?? {},
    providerExecuted,
    providerOptions: readProviderOptions(raw.callProviderMetadata),
  });
  return providerExecuted === true
    ? { said: [call, ...approval.asked, ...result], answered: approval.replied }
    : {
        said: [call, ...approval.asked],
        answered: [...approval.replied, ...result],
      };
}

function readApproval(
  raw: JsonRecord,
  toolCallId: string,
  providerExecuted: boolean | undefined,
): { asked: PartDraft[]; replied: PartDraft[] } {
  const approval = recordField(raw, "approval");
  const approvalId = approval && stringField(approval, "id");
  if (approval === undefined || approvalId === undefined) return { asked: [], replied: [] };
  const approved = booleanField(approval, "approved");
  const { requestReason: reason, ...bound } = approval;
  const asked: PartDraft = omitUndefined({
    type: "tool-approval-request" as const,
    approvalId,
    toolCallId,
    // Written as AI SDK fields: a signature binds the call and has to reach the SDK unchanged.
    foreign: foreignOf("ai-sdk", omitUndefined({ reason, ...bound }), [
      "id",
      "approved",
      "descriptor",
      ...(approved === undefined ? [] : ["reason"]),
    ]),
  });
  if (approved === undefined) return { asked: [asked], replied: [] };
  const replied: PartDraft = omitUndefined({
    type: "tool-approval-response" as const,
    approvalId,
    approved,
    reason: stringField(approval, "reason"),
    providerExecuted,
  });
  return { asked: [asked], replied: [replied] };
}

function readOutput(raw: JsonRecord): ToolOutput | undefined {
  switch (raw.state) {
    case "output-available":
      return toToolOutput(raw.output);
    case "output-error":
      return {
        type: "error-text",
        value: stringField(raw, "errorText") ?? "The tool failed.",
      };
    case "output-denied": {
      const approval = recordField(raw, "approval");
      return omitUndefined({
        type: "execution-denied" as const,
        reason: approval && stringField(approval, "reason"),
      });
    }
    default:
      return undefined;
  }
}
