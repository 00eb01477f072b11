import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InvalidMessageError } from "../../errors/input-errors.ts";
import type { Message } from "../message.ts";
import { convertModelToRich, convertRichToModel } from "./ai-sdk.ts";
import { convertAnthropicToRich, convertRichToAnthropic } from "./anthropic.ts";
import { convertChatToRich, convertRichToChat } from "./openai/openai-chat.ts";
import { convertResponsesToRich } from "./openai/openai-responses.ts";
import { convertRichToResponses } from "./openai/write-responses.ts";
import { forAll } from "./raw.arbitrary.ts";
import { convertUiToRich } from "./ui-message.ts";

type Read = (list: unknown) => Message[];

const READERS: Readonly<Record<string, Read>> = {
  "the AI SDK": (list) => convertModelToRich(list as never),
  "the AI SDK's interface": (list) => convertUiToRich(list as never),
  "OpenAI chat": (list) => convertChatToRich(list as never),
  "OpenAI Responses": (list) => convertResponsesToRich(list as never),
  Anthropic: (messages) => convertAnthropicToRich({ messages } as never),
  "Anthropic's system prompt": (system) => convertAnthropicToRich({ system, messages: [] } as never),
};

const WRITERS = [convertRichToModel, convertRichToAnthropic, convertRichToChat, convertRichToResponses];

const anything = fc.anything({
  withBigInt: true,
  withDate: true,
  withMap: true,
  withSet: true,
  withNullPrototype: true,
  withObjectString: true,
  withSparseArray: true,
  withTypedArray: true,
  withBoxedValues: true,
});
const name = fc.constantFrom("__proto__", "constructor", "toString", "hasOwnProperty", "valueOf");
const type = fc.oneof(
  name,
  fc.constantFrom("text", "reasoning", "file", "image", "tool-call", "tool-result", "tool-approval-response"),
  fc.constantFrom("thinking", "tool_use", "tool_result", "document", "image_url", "input_audio", "custom", "function"),
  fc.constantFrom(
    "message",
    "function_call",
    "function_call_output",
    "x_call",
    "step-start",
    "steering-message",
    "tool-x",
  ),
);
const FIELDS = "text thinking content data image source url image_url file input_audio id name input output".split(" ");
const MORE_FIELDS = "toolCallId toolName tool_use_id call_id arguments function state approval summary parts".split(
  " ",
);

/** Objects that resemble valid input, with arbitrary field values. */
function nearly(depth: number): fc.Arbitrary<unknown> {
  const value =
    depth === 0
      ? anything
      : fc.oneof(anything, fc.string(), nearly(depth - 1), fc.array(nearly(depth - 1), { maxLength: 3 }));
  const field = fc.constantFrom(...FIELDS, ...MORE_FIELDS, "mediaType", "format", "type", "__proto__");
  return fc.tuple(type, fc.array(fc.tuple(field, value), { maxLength: 4 })).map(([kind, entries]) => {
    return { type: kind, ...Object.fromEntries(entries) };
  });
}

const role = fc.oneof(fc.constantFrom("system", "developer", "user", "assistant", "tool"), name, anything);
const message = fc.record(
  {
    role,
    content: fc.oneof(anything, fc.array(nearly(1), { maxLength: 4 })),
    parts: fc.oneof(anything, fc.array(nearly(1), { maxLength: 4 })),
    tool_calls: fc.oneof(anything, fc.array(nearly(1), { maxLength: 2 })),
    tool_call_id: fc.oneof(name, anything),
    type,
  },
  { requiredKeys: [] },
);

function isReadOrRefused(read: Read, list: unknown): void {
  try {
    for (const one of read(list)) expect(one.parts.every((part) => typeof part.type === "string")).toBe(true);
  } catch (error) {
    if (!(error instanceof InvalidMessageError)) throw error;
    expect(error.message).toMatch(/^Invalid message \d+(, part \d+)?: ./);
  }
}

/** More items than a function call can take as arguments. */
const MANY = 130_000;

describe.each(Object.entries(READERS))("%s", (_, read) => {
  it("reads any input or refuses it with its position", () => {
    forAll(fc.oneof(anything, fc.array(anything), fc.array(fc.jsonValue())), (list) => isReadOrRefused(read, list));
  });

  it("reads nearly valid input or refuses it with its position", () => {
    const list = fc.array(fc.oneof(message, nearly(1)), { maxLength: 4 });
    forAll(list, (messages) => isReadOrRefused(read, messages));
  });

  it("writes the JSON that it could read, for every target", () => {
    const json = fc.array(fc.oneof(message, nearly(1)), { maxLength: 3 }).map((list) => {
      return JSON.parse(JSON.stringify(list, (_key, value) => (typeof value === "bigint" ? 1 : value)));
    });
    forAll(json, (list) => {
      let rich: Message[] = [];
      try {
        rich = read(list);
      } catch (error) {
        expect(error).toBeInstanceOf(InvalidMessageError);
      }
      for (const write of WRITERS) write(rich);
    });
  });

  it("refuses input that is not a list", () => {
    for (const list of [undefined, null, 1, {}, () => undefined, Symbol("x")]) isReadOrRefused(read, list);
  });

  it("survives a circular object", () => {
    const loop: Record<string, unknown> = { type: "text", role: "user", text: "x" };
    loop.content = [loop];
    loop.parts = [loop];
    loop.extra = loop;
    isReadOrRefused(read, [loop]);
  });

  it("survives deep nesting", () => {
    let deep: unknown = "x";
    for (let level = 0; level < 100_000; level += 1) {
      deep = { type: "tool_result", tool_use_id: "a", role: "user", content: [deep], extra: deep };
    }
    isReadOrRefused(read, [{ role: "user", content: [deep], parts: [deep] }]);
    isReadOrRefused(read, [{ role: "tool", tool_call_id: "a", content: [deep] }]);
  });

  it("survives very many parts in one message", () => {
    const content = Array.from({ length: MANY }, () => ({ type: "text", text: "x" }));
    const list = [
      { role: "user", content, parts: content },
      { role: "assistant", content, parts: content },
    ];
    isReadOrRefused(read, list);
    isReadOrRefused(read, content);
  });
});

describe("positions", () => {
  it("are zero-based", () => {
    const content = [{ type: "text", text: "a" }, "b"];
    const bad = [
      { role: "user", content: "a" },
      { role: "user", content },
    ];
    const refusal = /^Invalid message 1, part 1: expected an object with a string `type`\./;
    expect(() => convertModelToRich(bad)).toThrow(refusal);
    expect(() => convertChatToRich(bad as never)).toThrow(refusal);
    expect(() => convertResponsesToRich(bad as never)).toThrow(refusal);
    expect(() => convertAnthropicToRich({ messages: bad as never })).toThrow(refusal);
    expect(() => convertUiToRich([{ id: "a", role: "user", parts: content }])).toThrow(
      /^Invalid message 0, part 1: expected/,
    );
    expect(() => convertUiToRich([{ id: "a", role: "assistant", parts: content }])).toThrow(
      /^Invalid message 0, part 1: expect/,
    );
  });

  it("are reported for an incomplete call, counting the parts before it", () => {
    const bad = [{ role: "assistant", content: "hi", tool_calls: [{ id: "a" }] }];
    expect(() => convertChatToRich(bad as never)).toThrow("message 0, part 1: tool call without id, name or arguments");
  });

  it("are reported for a role named like an Object.prototype member", () => {
    for (const named of ["__proto__", "constructor", "toString"]) {
      const bad = [{ role: named, content: "x", parts: [] }];
      for (const read of [convertModelToRich, convertChatToRich, convertResponsesToRich, convertUiToRich]) {
        expect(() => read(bad as never)).toThrow(`message 0: unknown role "${named}"`);
      }
    }
  });
});

describe("large results", () => {
  it("are written with as many parts as they were read with", () => {
    const content = Array.from({ length: MANY }, () => ({ type: "text", text: "x" }));
    const rich = convertAnthropicToRich({
      messages: [
        { role: "user", content },
        { role: "user", content },
      ],
    });
    for (const write of WRITERS) expect(JSON.stringify(write(rich)).match(/"x"/g)).toHaveLength(2 * MANY);
  });

  it("keep arguments that are nested too deeply to be written again", () => {
    const text = "[".repeat(50_000) + "]".repeat(50_000);
    const raw = [
      { role: "assistant", tool_calls: [{ id: "a", type: "function", function: { name: "x", arguments: text } }] },
    ];
    expect(convertRichToChat(convertChatToRich(raw as never))).toEqual(raw);
  });
});
