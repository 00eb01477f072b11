import { booleanField, type JsonRecord, omitUndefined, recordField, stringField } from "../../internal/json.ts";
import type { PartDraft, ProviderOptions, ToolResultPart } from "../part.ts";
import type { ToolOutput } from "../tool-output.ts";
import { foreignOf, readProviderOptions } from "./conversion.ts";

const FORMAT = "ai-sdk-ui";

/** A tool call read from a UI message, and its results so far. */
interface ReadToolPart {
  readonly said: readonly PartDraft[];
  readonly answered: readonly PartDraft[];
}

/** Reads a tool part as the AI SDK's `convertToModelMessages` does; `undefined` for other parts. */
export function readToolPart(raw: JsonRecord): ReadToolPart | undefined {
  const toolName = nameOf(raw);
  const toolCallId = stringField(raw, "toolCallId");
  // Calls with incomplete input are skipped.
  if (toolName === undefined || toolCallId === undefined || raw.state === "input-streaming") return undefined;
  const providerExecuted = booleanField(raw, "providerExecuted");
  const names = omitUndefined({ toolCallId, toolName, providerExecuted });
  const called = readProviderOptions(raw.callProviderMetadata);
  const returned = readProviderOptions(raw.resultProviderMetadata);
  const call: PartDraft = omitUndefined({
    type: "tool-call" as const,
    ...names,
    input: readInput(raw),
    providerOptions: called ?? (isFailed(raw) ? returned : undefined),
    foreign: foreignOf(FORMAT, raw, UNDERSTOOD),
  });
  const provided = providerExecuted === true;
  const said = [call, ...readRequest(raw, toolCallId)];
  const answered = [...readResponse(raw, providerExecuted), ...result(names, readDenial(raw, provided), called)];
  const given = result(names, readOutput(raw, provided), provided ? (returned ?? called) : called);
  return provided ? { said: [...said, ...given], answered } : { said, answered: [...answered, ...given] };
}

function result(
  names: Pick<ToolResultPart, "toolCallId" | "toolName" | "providerExecuted">,
  output: ToolOutput | undefined,
  providerOptions: ProviderOptions | undefined,
): PartDraft[] {
  return output === undefined
    ? []
    : [omitUndefined({ type: "tool-result" as const, ...names, output, providerOptions })];
}

const UNDERSTOOD = [
  "type",
  "toolName",
  "toolCallId",
  "state",
  "input",
  "rawInput",
  "output",
  "errorText",
  "providerExecuted",
  "callProviderMetadata",
  "resultProviderMetadata",
  "approval",
];

function nameOf(raw: JsonRecord): string | undefined {
  const type = stringField(raw, "type") ?? "";
  if (type === "dynamic-tool") return stringField(raw, "toolName");
  return type.startsWith("tool-") ? type.slice("tool-".length) : undefined;
}

function isFailed(raw: JsonRecord): boolean {
  return raw.state === "output-error";
}

function readInput(raw: JsonRecord): unknown {
  const input = isFailed(raw) ? (raw.input ?? raw.rawInput) : raw.input;
  return input === undefined ? {} : input;
}

/** Written as AI SDK fields: a signature covers the call and must reach the AI SDK unchanged. */
function readRequest(raw: JsonRecord, toolCallId: string): PartDraft[] {
  const approval = recordField(raw, "approval");
  const approvalId = approval && stringField(approval, "id");
  if (approval === undefined || approvalId === undefined) return [];
  const { requestReason: reason, isAutomatic, signature, inputSchemaInput } = approval;
  const bound = omitUndefined({ reason, isAutomatic, signature, inputSchemaInput });
  const foreign = foreignOf("ai-sdk", bound, []);
  return [omitUndefined({ type: "tool-approval-request" as const, approvalId, toolCallId, foreign })];
}

function readResponse(raw: JsonRecord, providerExecuted: boolean | undefined): PartDraft[] {
  const approval = recordField(raw, "approval") ?? {};
  const approvalId = stringField(approval, "id");
  const approved = booleanField(approval, "approved");
  if (approvalId === undefined || approved === undefined) return [];
  const reason = stringField(approval, "reason");
  return [omitUndefined({ type: "tool-approval-response" as const, approvalId, approved, reason, providerExecuted })];
}

/** A denied call has the denial as its result, even if the AI SDK has not recorded it yet. */
function readDenial(raw: JsonRecord, provided: boolean): ToolOutput | undefined {
  const approval = recordField(raw, "approval") ?? {};
  const isNew = raw.state === "approval-responded" && approval.approved === false;
  const isNoted = raw.state === "output-denied" && !provided;
  if (!isNew && !isNoted) return undefined;
  return omitUndefined({ type: "execution-denied" as const, reason: stringField(approval, "reason") });
}

function readOutput(raw: JsonRecord, provided: boolean): ToolOutput | undefined {
  if (isFailed(raw)) {
    const value = stringField(raw, "errorText") ?? "The tool failed.";
    return provided ? { type: "error-json", value } : { type: "error-text", value };
  }
  if (raw.state !== "output-available") return undefined;
  const { output = null } = raw;
  return typeof output === "string" ? { type: "text", value: output } : { type: "json", value: output };
}
