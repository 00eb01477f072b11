import { isRecord, type JsonRecord, omitUndefined, tryParseJson } from "../internal/json.ts";
import type { ForeignModelMessage } from "../message/convert/ai-sdk.ts";
import type { Message } from "../message/message.ts";
import { toRichWindow } from "../message/to-rich-window.ts";

/** What a model answered, as a message: the parts that it gives back with the next prompt. `undefined`: nothing. */
export function readAnswer(content: readonly unknown[]): Message | undefined {
  const parts = content.filter(isRecord).flatMap(readPart);
  if (parts.length === 0) return undefined;
  const message: ForeignModelMessage = { role: "assistant", content: parts };
  return toRichWindow([message])[0];
}

function readPart({ providerMetadata, ...part }: JsonRecord): JsonRecord[] {
  const providerOptions = providerMetadata;
  switch (part.type) {
    case "source":
      return [];
    case "text":
      return part.text === "" && providerOptions === undefined ? [] : [omitUndefined({ ...part, providerOptions })];
    case "tool-call": {
      const { dynamic: _, ...call } = part;
      return [omitUndefined({ ...call, input: readInput(part.input), providerOptions })];
    }
    case "tool-result":
      return part.preliminary === true ? [] : [readResult(part, providerOptions)];
    default:
      return [omitUndefined({ ...part, providerOptions })];
  }
}

/** A model writes the input of a call as JSON; in a prompt it is the value. */
function readInput(input: unknown): unknown {
  if (typeof input !== "string") return input;
  return input.trim() === "" ? {} : (tryParseJson(input)?.value ?? {});
}

function readResult({ toolCallId, toolName, result, isError }: JsonRecord, providerOptions: unknown): JsonRecord {
  const isText = typeof result === "string";
  const type = isError === true ? (isText ? "error-text" : "error-json") : isText ? "text" : "json";
  return omitUndefined({
    type: "tool-result",
    toolCallId,
    toolName,
    output: { type, value: result ?? null },
    providerOptions,
  });
}
