import { ModelError } from "../errors/model-error.ts";
import { arrayField, isRecord, type JsonRecord, omitUndefined, recordField, stringField } from "../internal/json.ts";
import type { ModelReply, ModelRequest } from "../ports/model.ts";

/** What a server takes of what others take. It is learnt from its refusals. */
export interface Dialect {
  readonly limitName: "max_tokens" | "max_completion_tokens";
  readonly hasTemperature: boolean;
}

export const COMMON_DIALECT: Dialect = { limitName: "max_tokens", hasTemperature: true };

export function writeRequest(model: string, request: ModelRequest, dialect: Dialect): JsonRecord {
  const { system, prompt, maxOutputTokens, temperature } = request;
  return omitUndefined({
    model,
    messages: [...(system === "" ? [] : [{ role: "system", content: system }]), { role: "user", content: prompt }],
    [dialect.limitName]: maxOutputTokens,
    temperature: dialect.hasTemperature ? temperature : undefined,
    stream: false,
  });
}

/** How to ask instead, where a refusal says what the server does not take; `undefined` where nothing is left to change. */
export function otherDialect(dialect: Dialect, { status, message }: ModelError): Dialect | undefined {
  if (status !== 400 && status !== 422) return undefined;
  if (dialect.limitName === "max_tokens" && message.includes("max_completion_tokens")) {
    return { ...dialect, limitName: "max_completion_tokens" };
  }
  const isAboutTemperature = /temperature/i.test(message) && /support|default|deprecated|not allowed/i.test(message);
  return dialect.hasTemperature && isAboutTemperature ? { ...dialect, hasTemperature: false } : undefined;
}

/** @throws ModelError where it is no completion. */
export function readCompletion(answer: unknown, serverName: string): ModelReply {
  const [choice] = (isRecord(answer) && arrayField(answer, "choices")) || [];
  const message = isRecord(choice) ? recordField(choice, "message") : undefined;
  if (message === undefined) throw new ModelError("wrong-answer", `${serverName} answered without a message.`);
  return { text: textOf(message), hasToolCalls: (arrayField(message, "tool_calls") ?? []).length > 0 };
}

/** Most give a text, some a list of parts. */
function textOf(message: JsonRecord): string {
  const parts = arrayField(message, "content") ?? [];
  const texts = parts
    .filter(isRecord)
    .flatMap((part) => (part.type === "text" ? (stringField(part, "text") ?? []) : []));
  return stringField(message, "content") ?? texts.join("");
}
