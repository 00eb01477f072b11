import { isRecord, type JsonRecord, omitUndefined, tryParseJson } from "../internal/json.ts";
import type { ForeignModelMessage } from "../message/convert/ai-sdk.ts";
import type { ModelMessage } from "../message/convert/ai-sdk-types.ts";
import { readFileData } from "../message/convert/file-data.ts";
import type { Message } from "../message/message.ts";
import { toRichWindow } from "../message/to-rich-window.ts";
import type { SystemMessage } from "./stream-settings.ts";

/** A message of a model prompt. */
interface PromptMessage {
  readonly role: string;
  readonly content: string | readonly JsonRecord[];
  readonly providerOptions?: unknown;
}

/**
 * Writes messages as a model of specification 3 or 4 expects them: lists of parts, one message for the results of a
 * turn, without parts that the SDK handles itself. The SDK does the same, but before the middleware runs.
 */
export function writePrompt(
  system: readonly SystemMessage[],
  messages: readonly ModelMessage[],
  specification: string,
): PromptMessage[] {
  const prompt: PromptMessage[] = [...system];
  for (const message of messages) {
    const content = partsOf(message).flatMap((part) => writePart(part, specification));
    if (content.length === 0) continue;
    const last = prompt.at(-1);
    const joins = message.role === "tool" && last?.role === "tool" && typeof last.content !== "string";
    const before = joins && last ? (last.content as readonly JsonRecord[]) : [];
    if (joins) prompt.pop();
    prompt.push(
      omitUndefined({ role: message.role, content: [...before, ...content], providerOptions: message.providerOptions }),
    );
  }
  return prompt;
}

function partsOf({ content }: ModelMessage): readonly JsonRecord[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return (content as readonly unknown[]).filter(isRecord);
}

function writePart(part: JsonRecord, specification: string): JsonRecord[] {
  switch (part.type) {
    case "text":
      return part.text === "" && part.providerOptions === undefined ? [] : [part];
    case "tool-approval-request":
      return [];
    case "tool-approval-response": {
      const { providerExecuted, ...response } = part;
      return providerExecuted === true ? [response] : [];
    }
    case "image":
    case "file":
    case "reasoning-file":
      return [writeFile(part, specification)];
    default:
      return [part];
  }
}

/** Specification 4 names the kind of data; specification 3 infers it from the value. */
function writeFile({ image, ...part }: JsonRecord, specification: string): JsonRecord {
  const found = readFileData(part.data ?? image);
  const type = part.type === "image" ? "file" : part.type;
  const mediaType = part.mediaType ?? "image/*";
  if (found === undefined) return { ...part, type, mediaType };
  const { data } = found;
  const value = data.type === "url" ? new URL(data.url) : data.type === "data" ? data.data : undefined;
  if (specification === "v4") {
    const tagged = value === undefined ? data : { type: data.type, [data.type]: value };
    return { ...part, type, mediaType: mediaType === "image/*" ? "image" : mediaType, data: tagged };
  }
  return { ...part, type, mediaType, data: value ?? part.data };
}

/** Reads the messages of a model prompt. Approvals in prompts only concern tools that the provider runs. */
export function readPrompt(messages: readonly ForeignModelMessage[]): readonly Message[] {
  return toRichWindow(messages).map((message) => {
    if (message.role !== "tool") return message;
    return {
      ...message,
      parts: message.parts.map((part) =>
        part.type === "tool-approval-response" ? { ...part, providerExecuted: true } : part,
      ),
    };
  });
}

/** Converts an answer to a message with the parts that the next prompt repeats; `undefined` if it has none. */
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

/** Models write the input of a call as JSON text; prompts hold the value. */
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

/** Stream parts that go into the answer unchanged. */
const WHOLE: readonly unknown[] = [
  "tool-call",
  "tool-result",
  "file",
  "reasoning-file",
  "custom",
  "source",
  "tool-approval-request",
];

interface Growing {
  type: "text" | "reasoning";
  text: string;
  providerMetadata: unknown;
}

/** Collects the parts of a stream into the result of `doGenerate`. */
export class AnswerCollector {
  readonly #content: (Growing | JsonRecord)[] = [];
  readonly #growing = new Map<string, Growing>();
  /** The finish part, with the token usage, once the stream has ended. */
  finish: JsonRecord | undefined;

  get content(): readonly JsonRecord[] {
    return this.#content.map((part) => omitUndefined({ ...part }));
  }

  take(part: unknown): void {
    if (!isRecord(part)) return;
    if (part.type === "finish") this.finish = part;
    else if (WHOLE.includes(part.type)) this.#content.push(part);
    else this.#grow(part);
  }

  #grow({ type, id, delta, providerMetadata }: JsonRecord): void {
    const [kind, stage] = typeof type === "string" ? type.split("-") : [];
    if ((kind !== "text" && kind !== "reasoning") || typeof id !== "string") return;
    const name = `${kind} ${id}`;
    const known = stage === "start" ? undefined : this.#growing.get(name);
    const grown = known ?? { type: kind, text: "", providerMetadata: undefined };
    if (known === undefined) {
      this.#content.push(grown);
      this.#growing.set(name, grown);
    }
    if (typeof delta === "string") grown.text += delta;
    if (providerMetadata !== undefined) grown.providerMetadata = providerMetadata;
  }
}
