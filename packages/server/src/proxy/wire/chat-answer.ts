import type { ReportedUsage } from "throughline";
import {
  arrayField,
  isRecord,
  type JsonRecord,
  numberField,
  omitUndefined,
  recordField,
  stringField,
  tryParseJson,
} from "throughline/internal/util";
import { convertChatToRich, type OpenAiChatMessage } from "throughline/messages";
import type { Answer, AnswerReader } from "./wire.ts";

const DONE = "[DONE]";

interface StreamedCall {
  id: string;
  name: string;
  input: string;
}

export function chatAnswerReader(): AnswerReader {
  return new ChatAnswerReader();
}

class ChatAnswerReader implements AnswerReader {
  #message: JsonRecord | undefined;
  #text = "";
  #reasoning = "";
  readonly #calls: StreamedCall[] = [];
  #choices = 1;
  #hasEnd = false;
  #isDone = false;
  #usage: ReportedUsage | undefined;
  failure: unknown;

  get isFinished(): boolean {
    return this.#isDone;
  }

  event(data: string): void {
    if (data.trim() === DONE) {
      this.#isDone = true;
      return;
    }
    const chunk = tryParseJson(data)?.value;
    if (!isRecord(chunk)) return;
    this.failure ??= chunk.error ?? undefined;
    this.#usage = readChatUsage(chunk) ?? this.#usage;
    for (const choice of (arrayField(chunk, "choices") ?? []).filter(isRecord)) this.#choice(choice);
  }

  body(json: unknown): void {
    if (!isRecord(json)) return;
    const choices = (arrayField(json, "choices") ?? []).filter(isRecord);
    this.failure = json.error ?? undefined;
    this.#choices = choices.length;
    this.#message = choices[0] && recordField(choices[0], "message");
    this.#usage = readChatUsage(json);
    this.#hasEnd = this.#message !== undefined;
    this.#isDone = true;
  }

  answer(): Answer | undefined {
    if (!this.#hasEnd || this.failure !== undefined) return undefined;
    // The next request shows which of several choices the user took.
    if (this.#choices !== 1) return { messages: [], usage: this.#usage };
    const message = { role: "assistant", ...(this.#message ?? this.#streamed()) } as OpenAiChatMessage;
    return { messages: convertChatToRich([message]), usage: this.#usage };
  }

  #choice(choice: JsonRecord): void {
    this.#choices = Math.max(this.#choices, (numberField(choice, "index") ?? 0) + 1);
    if (typeof choice.finish_reason === "string") this.#hasEnd = true;
    const delta = recordField(choice, "delta");
    if (delta === undefined || this.#choices > 1) return;
    this.#text += stringField(delta, "content") ?? "";
    this.#reasoning += stringField(delta, "reasoning_content") ?? "";
    for (const call of (arrayField(delta, "tool_calls") ?? []).filter(isRecord)) this.#call(call);
  }

  /** Some services do not number their calls: one with an id is a new one. */
  #call(piece: JsonRecord): void {
    const id = stringField(piece, "id");
    const last = this.#calls.length - 1;
    const index = numberField(piece, "index") ?? (id === undefined ? Math.max(0, last) : last + 1);
    this.#calls[index] ??= { id: "", name: "", input: "" };
    const call = this.#calls[index];
    const called = recordField(piece, "function") ?? {};
    call.id ||= id ?? "";
    call.name += stringField(called, "name") ?? "";
    call.input += stringField(called, "arguments") ?? "";
  }

  #streamed(): JsonRecord {
    const calls = this.#calls.flatMap(({ id, name, input }) => [
      { id, type: "function", function: { name, arguments: input } },
    ]);
    return omitUndefined({
      content: this.#text === "" && calls.length > 0 ? null : this.#text,
      reasoning_content: this.#reasoning || undefined,
      tool_calls: calls.length > 0 ? calls : undefined,
    });
  }
}

function readChatUsage(from: JsonRecord): ReportedUsage | undefined {
  const usage = recordField(from, "usage");
  const inputTokens = usage && numberField(usage, "prompt_tokens");
  if (usage === undefined || inputTokens === undefined || inputTokens <= 0) return undefined;
  const details = recordField(usage, "prompt_tokens_details") ?? {};
  return omitUndefined({ inputTokens, cacheReadTokens: numberField(details, "cached_tokens") });
}
