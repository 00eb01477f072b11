import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { completeMessage, type Message } from "../../message.ts";
import type { PartDraft } from "../../part.ts";
import type { Loss } from "../conversion.ts";
import { chatMessage } from "../openai.arbitrary.ts";
import { base64, forAll, text, writableJson } from "../raw.arbitrary.ts";
import { expressibleSession, imageUrl, meaningOf, pngFile, stored, textOutput } from "../rich.arbitrary.ts";
import { convertChatToRich, convertRichToChat, type OpenAiChatMessage } from "./openai-chat.ts";

function read(...messages: unknown[]): Message[] {
  return convertChatToRich(messages as OpenAiChatMessage[]);
}

describe("chat completion messages", () => {
  const messages = fc.array(chatMessage, { maxLength: 5 });

  it("survive a round trip unchanged", () => {
    forAll(messages, (raw) => expect(convertRichToChat(read(...raw))).toEqual(raw));
  });

  it("survive a round trip through a store unchanged", () => {
    forAll(messages, (raw) => {
      const sent = JSON.parse(JSON.stringify(raw));
      expect(convertRichToChat(stored(read(...sent)))).toEqual(sent);
    });
  });

  it("report no loss on a round trip", () => {
    forAll(messages, (raw) => {
      const losses: Loss[] = [];
      convertRichToChat(read(...raw), { onLoss: (loss) => losses.push(loss) });
      expect(losses).toEqual([]);
    });
  });
});

describe("Throughline messages", () => {
  const file = (mediaType: string, more: object = {}) =>
    base64.map((data): PartDraft => ({ type: "file", mediaType, data: { type: "data", data }, ...more }));
  const files: fc.Arbitrary<PartDraft> = fc.oneof(
    pngFile,
    imageUrl,
    file("application/pdf", { filename: "a.pdf" }),
    file("audio/wav"),
    fc.constant<PartDraft>({
      type: "file",
      mediaType: "application/pdf",
      data: { type: "reference", reference: { openai: "file-1" } },
    }),
  );
  const output = fc.oneof(
    textOutput,
    fc
      .array(
        text.map((value) => ({ type: "text", text: value })),
        { maxLength: 3 },
      )
      .map((value) => ({ type: "content" as const, value })),
  );

  it("survive a round trip through chat completions unchanged", () => {
    const kinds = { files, input: writableJson, output, callsLast: true, resultsApart: true };
    forAll(expressibleSession(kinds), (rich) => {
      const losses: Loss[] = [];
      const raw = convertRichToChat(rich, { onLoss: (loss) => losses.push(loss) });
      expect(losses).toEqual([]);
      expect(meaningOf(convertChatToRich(raw))).toEqual(meaningOf(rich));
    });
  });

  it("keep their reasoning only if it came from such a service", () => {
    const reasoned = { role: "assistant" as const, content: "yes", reasoning_content: "hm" };
    expect(convertRichToChat(convertChatToRich([reasoned]))).toEqual([reasoned]);
    const losses: Loss[] = [];
    const parts: PartDraft[] = [
      { type: "reasoning", text: "hm" },
      { type: "text", text: "yes" },
    ];
    const raw = convertRichToChat([completeMessage({ role: "assistant", parts }, 0)], {
      onLoss: (loss) => losses.push(loss),
    });
    expect(raw).toEqual([{ role: "assistant", content: "yes" }]);
    expect(losses).toHaveLength(1);
  });

  it("become one message per result", () => {
    const result = (toolCallId: string): PartDraft => {
      return { type: "tool-result", toolCallId, toolName: "x", output: { type: "text", value: toolCallId } };
    };
    expect(convertRichToChat([completeMessage({ role: "tool", parts: [result("a"), result("b")] }, 0)])).toEqual([
      { role: "tool", tool_call_id: "a", content: "a" },
      { role: "tool", tool_call_id: "b", content: "b" },
    ]);
  });
});

describe("reading", () => {
  const call = (text: string) => ({ id: "a", type: "function", function: { name: "read", arguments: text } });
  const inputOf = (text: string) => read({ role: "assistant", tool_calls: [call(text)] })[0]?.parts[0];

  it("parses arguments: none for blank text, and the text itself if it is not JSON", () => {
    expect(inputOf('{ "a": 1 }')).toMatchObject({ toolName: "read", input: { a: 1 } });
    expect(inputOf(" ")).toMatchObject({ input: {} });
    expect(inputOf('{"a":')).toMatchObject({ input: '{"a":' });
  });

  it("serializes edited arguments again, and keeps the original text of unedited ones", () => {
    const rich = read({ role: "assistant", content: null, tool_calls: [call('{ "a": 1 }')] });
    expect(convertRichToChat(rich)).toMatchObject([{ tool_calls: [call('{ "a": 1 }')] }]);
    const edited = rich.map((one) => ({ ...one, parts: one.parts.map((part) => ({ ...part, input: { a: 2 } })) }));
    expect(convertRichToChat(edited as Message[])).toMatchObject([{ tool_calls: [call('{"a":2}')] }]);
  });

  it("names a result after its call", () => {
    const rich = read(
      { role: "assistant", tool_calls: [call("{}")] },
      { role: "tool", tool_call_id: "a", content: "ok" },
    );
    expect(rich[1]?.parts).toMatchObject([{ toolName: "read", output: { type: "text", value: "ok" } }]);
  });

  it("keeps a refusal and a call of an unknown kind", () => {
    const refusal = { type: "refusal", refusal: "no" };
    const mcp = { type: "mcp", server: "x" };
    const raw = { role: "assistant", content: [refusal], tool_calls: [mcp] };
    expect(read(raw)[0]?.parts).toMatchObject([
      { type: "opaque", value: refusal },
      { type: "opaque", value: mcp },
    ]);
    expect(convertRichToChat(read(raw))).toEqual([raw]);
  });

  it("puts the image detail where the AI SDK expects it", () => {
    const image = { type: "image_url", image_url: { url: "https://example.com/a.png", detail: "low" } };
    const rich = read({ role: "user", content: [image] });
    expect(rich[0]?.parts).toMatchObject([{ type: "file", providerOptions: { openai: { imageDetail: "low" } } }]);
    expect(convertRichToChat(rich)).toEqual([{ role: "user", content: [image] }]);
  });

  it("reads images inside a result as the SDK's kind", () => {
    const content = [{ type: "image_url", image_url: { url: "https://example.com/a.png" } }];
    expect(read({ role: "tool", tool_call_id: "a", content })[0]?.parts).toMatchObject([
      { output: { type: "content", value: [{ type: "image-url", url: "https://example.com/a.png" }] } },
    ]);
  });

  it("writes a masked output in place of a content list", () => {
    const rich = read({ role: "tool", tool_call_id: "a", content: { odd: true } });
    const masked = rich.map((one) => ({
      ...one,
      parts: one.parts.map((part) => ({ ...part, output: { type: "text", value: "[masked]" } })),
    }));
    expect(convertRichToChat(masked as Message[])).toEqual([{ role: "tool", tool_call_id: "a", content: "[masked]" }]);
  });
});

describe("parts that chat completions cannot express", () => {
  const write = (parts: PartDraft[], role: Message["role"] = "assistant") => {
    const losses: Loss[] = [];
    const raw = convertRichToChat([completeMessage({ role, parts }, 0)], { onLoss: (loss) => losses.push(loss) });
    return { raw, losses: losses.map((loss) => loss.place.part) };
  };

  it("are reported: provider-run calls, approvals, hidden reasoning, assistant files", () => {
    const output = { type: "json" as const, value: [] };
    const parts: PartDraft[] = [
      { type: "tool-call", toolCallId: "s", toolName: "web_search", input: {}, providerExecuted: true },
      { type: "tool-result", toolCallId: "s", toolName: "web_search", output, providerExecuted: true },
      { type: "tool-approval-request", approvalId: "p", toolCallId: "s" },
      { type: "reasoning", text: "", providerOptions: { anthropic: { redactedData: "xx" } } },
      { type: "file", mediaType: "image/png", data: { type: "data", data: "" } },
      { type: "step-start" },
      { type: "text", text: "done" },
    ];
    expect(write(parts)).toEqual({ raw: [{ role: "assistant", content: "done" }], losses: [0, 1, 2, 3, 4] });
  });

  it("are reported from tool messages as well", () => {
    const response: PartDraft = { type: "tool-approval-response", approvalId: "p", approved: true };
    expect(write([response], "tool")).toEqual({ raw: [], losses: [0] });
  });

  it("include images inside a result, which are named in text", () => {
    const output = { type: "content" as const, value: [{ type: "image-data", data: "", mediaType: "image/png" }] };
    expect(write([{ type: "tool-result", toolCallId: "a", toolName: "x", output }], "tool")).toEqual({
      raw: [{ role: "tool", tool_call_id: "a", content: [{ type: "text", text: "[image-data: image/png]" }] }],
      losses: [0],
    });
  });
});
