import { InvalidMessageError, type ReportedUsage } from "throughline";
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
import { convertChatToRich, convertRichToChat, type OpenAiChatMessage } from "throughline/messages";
import { ERROR_STARTS } from "../upstream/event-stream.ts";
import { type Answer, type AnswerReader, definitionsIn, isSystem, joinTexts, type Wire, wordsOf } from "./wire.ts";

/** The OpenAI chat completions API, and compatible services. */
export const chatWire: Wire = {
  family: "openai",
  path: "chat/completions",
  form: "chat/completions",
  read(body) {
    const messages = messagesOf(body);
    return {
      modelId: stringField(body, "model") ?? "",
      system: joinTexts(messages.filter(isSystem).map(wordsOf)),
      messages: convertChatToRich(messages.filter((message) => !isSystem(message))),
      definitions: definitionsIn(body, ["tools", "functions", "response_format"]),
      maxTokens: numberField(body, "max_completion_tokens") ?? numberField(body, "max_tokens"),
    };
  },
  write(body, { messages, memories }) {
    const sent = messagesOf(body);
    const rewritten = messages === undefined ? sent : [...sent.filter(isSystem), ...convertRichToChat(messages)];
    return { messages: memories === undefined ? rewritten : withMemories(rewritten, memories) };
  },
  reader: chatAnswerReader,
  openings: { starts: ERROR_STARTS, isPreamble: () => false },
};

function messagesOf(body: JsonRecord): readonly OpenAiChatMessage[] {
  const list = arrayField(body, "messages");
  if (list?.every(isRecord)) return list as unknown as readonly OpenAiChatMessage[];
  throw new InvalidMessageError({ message: 0 }, "expected a list of messages");
}

/** Appends memories to the last system message, because some models accept only one. */
function withMemories(messages: readonly OpenAiChatMessage[], memories: string): readonly OpenAiChatMessage[] {
  const at = messages.findLastIndex(isSystem);
  const last = messages[at];
  if (last === undefined) return [{ role: "system", content: memories }, ...messages];
  const content = Array.isArray(last.content)
    ? [...last.content, { type: "text", text: memories }]
    : joinTexts([wordsOf(last), memories]);
  return messages.with(at, omitUndefined({ ...last, content }) as OpenAiChatMessage);
}

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
