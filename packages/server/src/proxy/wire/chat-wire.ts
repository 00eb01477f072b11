import { InvalidMessageError } from "throughline";
import {
  arrayField,
  isRecord,
  type JsonRecord,
  numberField,
  omitUndefined,
  stringField,
} from "throughline/internal/util";
import { convertChatToRich, convertRichToChat, type OpenAiChatMessage } from "throughline/messages";
import { ERROR_STARTS } from "../upstream/sniff-stream.ts";
import { chatAnswerReader } from "./chat-answer.ts";
import { definitionsIn, isSystem, joinTexts, wordsOf } from "./request-fields.ts";
import type { Wire } from "./wire.ts";

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
