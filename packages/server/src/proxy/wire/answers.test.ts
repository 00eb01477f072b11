import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../../throughline/test/cases.ts";
import { answerMessages } from "../../../test/provider/anthropic-answer.ts";
import { answerGemini } from "../../../test/provider/gemini-answer.ts";
import { answerChat } from "../../../test/provider/openai-chat-answer.ts";
import { answerResponses } from "../../../test/provider/openai-responses-answer.ts";
import { keptResponses } from "../../../test/provider/openai-responses-rules.ts";
import type { Provider, WireAnswer } from "../../../test/provider/provider.ts";
import { chatAnswerReader } from "./chat-wire.ts";
import { geminiAnswerReader } from "./gemini-wire.ts";
import { messagesAnswerReader } from "./messages-wire.ts";
import { responsesAnswerReader } from "./responses-wire.ts";
import type { AnswerReader } from "./wire.ts";

const words = fc.array(fc.constantFrom("one", "two", "drei", "👋"), { minLength: 1, maxLength: 6 });
const call = fc.record({
  id: fc.uuid(),
  name: fc.constantFrom("read", "write"),
  input: fc.dictionary(fc.string(), fc.jsonValue()),
});
const reply = fc
  .record({
    text: fc.option(
      words.map((list) => list.join(" ")),
      { nil: undefined },
    ),
    calls: fc.array(call, { maxLength: 3 }),
  })
  .filter(({ text, calls }) => text !== undefined || calls.length > 0)
  .map(({ text, calls }) => ({ ...(text !== undefined && { text }), ...(calls.length > 0 && { calls }) }));

const asked = { role: "user", content: [{ type: "text", text: "Hi" }] };
const kept = keptResponses();
const FORMS: [name: string, reader: () => AnswerReader, answer: (provider: Provider, stream: boolean) => WireAnswer][] =
  [
    [
      "chat",
      chatAnswerReader,
      (provider, stream) => answerChat(JSON.stringify({ messages: [asked], stream }), provider),
    ],
    [
      "messages",
      messagesAnswerReader,
      (provider, stream) => answerMessages(JSON.stringify({ max_tokens: 9, messages: [asked], stream }), provider),
    ],
    [
      "responses",
      responsesAnswerReader,
      (provider, stream) => answerResponses(JSON.stringify({ input: "Hi", stream }), provider, kept),
    ],
    [
      "gemini",
      () => geminiAnswerReader(3),
      (provider, stream) => {
        const contents = [{ role: "user", parts: [{ text: "Hi" }] }];
        return answerGemini(JSON.stringify({ contents }), provider, stream);
      },
    ],
  ];

describe.each(FORMS)("an answer in the format of %s", (_name, open, answer) => {
  it("has the same content with and without streaming", () => {
    fc.assert(
      fc.property(reply, (given) => {
        const provider = { limit: 10_000, bias: 1, answer: () => given };
        const whole = open();
        whole.body(answer(provider, false).body);
        const streamed = open();
        for (const { data } of answer(provider, true).events ?? []) {
          expect(streamed.isFinished).toBe(false);
          streamed.event(data);
        }
        expect([whole.isFinished, streamed.isFinished]).toEqual([true, true]);
        const [first, second] = [whole.answer(), streamed.answer()].map((one) => ({
          usage: one?.usage,
          said: one?.messages.flatMap(({ role, parts }) => parts.map(({ foreign: _, ...part }) => spoken(role, part))),
        }));
        expect(second?.said?.filter(Boolean)).toEqual(first?.said?.filter(Boolean));
        expect(second?.usage).toEqual(first?.usage);
        const calls = (first?.said ?? []).filter((part) => part?.includes('"tool-call"'));
        expect(calls).toHaveLength(given.calls?.length ?? 0);
      }),
      { numRuns: cases(40) },
    );
  });

  it("is dropped if it was cut off", () => {
    fc.assert(
      fc.property(reply, fc.nat(), (given, cut) => {
        const events = answer({ limit: 10_000, bias: 1, answer: () => given }, true).events ?? [];
        const reader = open();
        // OpenAI's last event only marks the end.
        const most = events.at(-1)?.data === "[DONE]" ? events.length - 2 : events.length - 1;
        for (const { data } of events.slice(0, cut % (most + 1))) reader.event(data);
        expect(reader.answer()).toBeUndefined();
      }),
      { numRuns: cases(25) },
    );
  });

  it("is parsed without errors from any input", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.json(), fc.string())), (events) => {
        const reader = open();
        for (const event of events) reader.event(event);
        reader.body(events);
      }),
    );
  });
});

/** The content of a part, without its id and JSON formatting. */
function spoken(role: string, part: { readonly type: string }): string | undefined {
  const { id: _, providerOptions: __, ...rest } = part as Record<string, unknown>;
  return part.type === "reasoning" ? undefined : JSON.stringify([role, rest]);
}

describe("an answer with several choices", () => {
  it("is not stored before one was chosen", () => {
    const reader = chatAnswerReader();
    const message = { role: "assistant", content: "Hi" };
    reader.body({ choices: [{ message }, { message }], usage: { prompt_tokens: 5 } });
    expect(reader.answer()).toEqual({ messages: [], usage: { inputTokens: 5 } });
  });
});

describe("an answer of Gemini", () => {
  const call = (name: string) => ({ functionCall: { name, args: {} } });
  const chunk = (parts: readonly object[], more: object = {}) => ({ candidates: [{ content: { parts }, ...more }] });

  it("is stored with thoughts and signatures, and its calls are numbered after those of the request", () => {
    const reader = geminiAnswerReader(2);
    const usageMetadata = { promptTokenCount: 100, cachedContentTokenCount: 90, thoughtsTokenCount: 7 };
    for (const event of [
      chunk([{ text: "Hm", thought: true }]),
      chunk([{ text: ", so", thought: true }]),
      chunk([{ text: "Let me " }]),
      chunk([{ text: "look." }, { text: "", thoughtSignature: "s0" }]),
      chunk([{ ...call("read"), thoughtSignature: "s1" }, call("read")]),
      { ...chunk([{ text: "" }], { finishReason: "STOP" }), usageMetadata },
    ]) {
      reader.event(JSON.stringify(event));
    }
    const { messages = [], usage } = reader.answer() ?? {};
    expect(usage).toEqual({ inputTokens: 100, cacheReadTokens: 90 });
    expect(messages[0]?.parts).toMatchObject([
      { type: "reasoning", text: "Hm, so" },
      { type: "text", text: "Let me look." },
      { type: "text", text: "", providerOptions: { google: { thoughtSignature: "s0" } } },
      { type: "tool-call", toolCallId: "call-2", providerOptions: { google: { thoughtSignature: "s1" } } },
      { type: "tool-call", toolCallId: "call-3" },
    ]);
  });

  it("may be a list of chunks, have several candidates, or none if the prompt was blocked", () => {
    const list = geminiAnswerReader(0);
    list.body([chunk([{ text: "A" }]), chunk([{ text: "B" }], { finishReason: "STOP" })]);
    expect(list.answer()?.messages[0]?.parts).toMatchObject([{ text: "AB" }]);
    const several = geminiAnswerReader(0);
    several.body({ candidates: [0, 1].map((index) => ({ index, content: { parts: [] }, finishReason: "STOP" })) });
    expect(several.answer()).toEqual({ messages: [], usage: undefined });
    const blocked = geminiAnswerReader(0);
    blocked.body({ promptFeedback: { blockReason: "SAFETY" }, usageMetadata: { promptTokenCount: 4 } });
    expect(blocked.answer()).toEqual({ messages: [], usage: { inputTokens: 4 } });
  });
});

describe("special content of Anthropic's streams", () => {
  it("is stored: thinking with its signature, citations, and results of server tools", () => {
    const reader = messagesAnswerReader();
    const thinking = { type: "thinking", thinking: "", signature: "" };
    const cited = { type: "text", text: "" };
    const found = {
      type: "web_search_tool_result",
      tool_use_id: "s",
      content: [{ type: "web_search_result", url: "u" }],
    };
    const start = (index: number, content_block: object) => ({ type: "content_block_start", index, content_block });
    const delta = (index: number, one: object) => ({ type: "content_block_delta", index, delta: one });
    for (const event of [
      { type: "message_start", message: { usage: { input_tokens: 10, cache_read_input_tokens: 90 } } },
      start(0, thinking),
      delta(0, { type: "thinking_delta", thinking: "Hm" }),
      delta(0, { type: "signature_delta", signature: "s1" }),
      start(1, { type: "server_tool_use", id: "s", name: "web_search", input: {} }),
      delta(1, { type: "input_json_delta", partial_json: '{"query":' }),
      delta(1, { type: "input_json_delta", partial_json: '"x"}' }),
      start(2, found),
      start(3, cited),
      delta(3, { type: "text_delta", text: "So." }),
      delta(3, { type: "citations_delta", citation: { url: "u" } }),
      { type: "message_stop" },
    ]) {
      reader.event(JSON.stringify(event));
    }
    const { messages = [], usage } = reader.answer() ?? {};
    expect(usage).toEqual({ inputTokens: 100, cacheReadTokens: 90 });
    expect(messages[0]?.parts).toMatchObject([
      { type: "reasoning", text: "Hm", providerOptions: { anthropic: { signature: "s1" } } },
      { type: "tool-call", input: { query: "x" }, providerExecuted: true },
      { type: "tool-result", toolCallId: "s" },
      { type: "text", text: "So.", foreign: { fields: { citations: [{ url: "u" }] } } },
    ]);
  });
});
