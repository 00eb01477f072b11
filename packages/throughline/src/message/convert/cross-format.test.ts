import { describe, expect, it } from "vitest";
import type { Message } from "../message.ts";
import { toolOutputText } from "../tool-output.ts";
import { convertModelToRich, convertRichToModel } from "./ai-sdk.ts";
import { convertAnthropicToRich, convertRichToAnthropic } from "./anthropic.ts";
import { anthropicExample, chatExample, PNG, responsesExample } from "./conversations.fixture.ts";
import type { Loss } from "./conversion.ts";
import { convertChatToRich, convertRichToChat } from "./openai/openai-chat.ts";
import { convertResponsesToRich } from "./openai/openai-responses.ts";
import { convertRichToResponses } from "./openai/write-responses.ts";

type Convert = (messages: Message[], onLoss: (loss: Loss) => void) => Message[];

const THROUGH: Readonly<Record<string, Convert>> = {
  chat: (messages, onLoss) => convertChatToRich(convertRichToChat(messages, { onLoss })),
  responses: (messages, onLoss) => convertResponsesToRich(convertRichToResponses(messages, { onLoss })),
  anthropic: (messages, onLoss) => convertAnthropicToRich(convertRichToAnthropic(messages, { onLoss })),
  sdk: (messages, onLoss) => convertModelToRich(convertRichToModel(messages, { onLoss })),
};

const EXAMPLES: Readonly<Record<string, Message[]>> = {
  Anthropic: convertAnthropicToRich(anthropicExample),
  "OpenAI chat": convertChatToRich(chatExample),
  "OpenAI Responses": convertResponsesToRich(responsesExample),
};

/** Content that must survive every conversion: texts, calls and results of client tools. */
function substance(messages: readonly Message[]) {
  const parts = messages.flatMap((message) => message.parts);
  return {
    texts: parts.flatMap((part) => (part.type === "text" ? part.text.split("\n") : [])),
    calls: parts.flatMap((part) =>
      part.type === "tool-call" && !part.providerExecuted ? [[part.toolCallId, part.toolName, part.input]] : [],
    ),
    results: parts.flatMap((part) =>
      part.type === "tool-result" && !part.providerExecuted ? [[part.toolCallId, part.toolName]] : [],
    ),
  };
}

const ways = Object.keys(EXAMPLES).flatMap((example) =>
  Object.keys(THROUGH).flatMap((first) => Object.keys(THROUGH).map((second) => [example, first, second] as const)),
);

describe("a conversation that is converted twice", () => {
  it.each(ways)("from %s, through %s and %s, keeps its texts, calls and results", (example, first, second) => {
    const original = EXAMPLES[example] ?? [];
    const ignore = () => undefined;
    const once = THROUGH[first]?.(original, ignore) ?? [];
    const twice = THROUGH[second]?.(once, ignore) ?? [];
    expect(substance(twice)).toEqual(substance(original));
  });
});

describe("an Anthropic conversation converted to chat completions and the AI SDK", () => {
  const original = EXAMPLES.Anthropic ?? [];
  const losses: Loss[] = [];
  const chat = convertRichToChat(original, { onLoss: (loss) => losses.push(loss) });
  const sdk = convertRichToModel(convertChatToRich(chat), { onLoss: (loss) => losses.push(loss) });

  it("keeps the text of its results and names their images", () => {
    const said = convertModelToRich(sdk).flatMap((message) =>
      message.parts.flatMap((part) => (part.type === "tool-result" ? [toolOutputText(part.output)] : [])),
    );
    expect(said).toEqual(["a picture\n[image-data: image/png]\n[search_result]", "no such file"]);
  });

  it("keeps the user's image and file", () => {
    expect(JSON.stringify(sdk)).toContain(PNG);
    expect(sdk.find((message) => message.role === "user")?.content).toMatchObject([
      { type: "text" },
      { type: "file", mediaType: "image/png" },
      { type: "file", mediaType: "text/plain", filename: "n.txt", data: btoa("note") },
    ]);
  });

  it("reports every part that could not be written, with its position", () => {
    const at = (message: number, part: number) => original[message]?.parts[part]?.type;
    expect(losses.map(({ place, what }) => [at(place.message, place.part ?? -1), what])).toEqual([
      ["reasoning", 'message 2, part 0: OpenAI chat does not support parts of type "reasoning"'],
      ["reasoning", 'message 2, part 1: OpenAI chat does not support parts of type "reasoning"'],
      ["tool-call", 'message 2, part 3: OpenAI chat does not support parts of type "tool-call"'],
      ["tool-result", 'message 2, part 4: OpenAI chat does not support parts of type "tool-result"'],
      ["tool-result", 'message 3, part 0: OpenAI chat does not support parts of type "image-data"'],
      ["tool-result", 'message 3, part 0: OpenAI chat does not support parts of type "search_result"'],
    ]);
  });
});

describe("an Anthropic conversation converted to the AI SDK", () => {
  it("keeps thinking, cache marks and images in the SDK's form", () => {
    const losses: Loss[] = [];
    const sdk = convertRichToModel(EXAMPLES.Anthropic ?? [], { onLoss: (loss) => losses.push(loss) });
    expect(losses).toEqual([]);
    expect(sdk[1]).toEqual({
      role: "system",
      content: "Rules.",
      providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } },
    });
    expect(sdk[3]?.content).toMatchObject([
      { type: "reasoning", text: "I should look.", providerOptions: { anthropic: { signature: "sig" } } },
      { type: "reasoning", text: "", providerOptions: { anthropic: { redactedData: "hidden" } } },
      { type: "text" },
      { type: "tool-call", providerExecuted: true },
      { type: "tool-result" },
      { type: "tool-call" },
      { type: "tool-call" },
    ]);
    expect(sdk[4]?.content).toMatchObject([
      { output: { value: [{ type: "text" }, { type: "image-data", data: PNG }, { type: "text" }] } },
      { output: { type: "error-text", value: "no such file" } },
    ]);
  });

  it("has its thinking and images again after converting back", () => {
    const back = convertRichToAnthropic(convertModelToRich(convertRichToModel(EXAMPLES.Anthropic ?? [])));
    expect(back.system).toEqual(anthropicExample.system);
    const [, assistant, results] = back.messages;
    expect(assistant?.content).toMatchObject([
      { type: "thinking", thinking: "I should look.", signature: "sig" },
      { type: "redacted_thinking", data: "hidden" },
      { type: "text", text: "Looking." },
      { type: "tool_use", id: "toolu_1" },
      { type: "tool_use", id: "toolu_2" },
    ]);
    expect(results?.content).toMatchObject([
      { content: [{ type: "text" }, { type: "image", source: { data: PNG } }, { type: "text" }] },
      { is_error: true, content: "no such file" },
      { type: "text", text: "go on" },
    ]);
  });
});
