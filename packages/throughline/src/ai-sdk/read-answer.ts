import { isRecord, type JsonRecord, omitUndefined, tryParseJson } from "../internal/json.ts";
import type { ForeignModelMessage } from "../message/convert/ai-sdk.ts";
import type { Message } from "../message/message.ts";
import { toRichWindow } from "../message/to-rich-window.ts";

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
