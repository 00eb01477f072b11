import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { completeMessage, type Message } from "../message.ts";
import type { PartDraft } from "../part.ts";
import { anthropicConversation } from "./anthropic.arbitrary.ts";
import { type AnthropicConversation, convertAnthropicToRich, convertRichToAnthropic } from "./anthropic.ts";
import type { Loss } from "./conversion.ts";
import { base64, forAll, json, text, url } from "./raw.arbitrary.ts";
import { expressibleSession, imageUrl, meaningOf, pngFile, stored, textDraft, textOutput } from "./rich.arbitrary.ts";

function read(...messages: unknown[]): Message[] {
  return convertAnthropicToRich({ messages } as unknown as AnthropicConversation);
}

function there(...messages: unknown[]): unknown {
  return convertRichToAnthropic(read(...messages)).messages;
}

describe("Anthropic conversations", () => {
  it("survive a round trip unchanged", () => {
    forAll(anthropicConversation, (raw) => {
      const conversation = raw as unknown as AnthropicConversation;
      expect(convertRichToAnthropic(convertAnthropicToRich(conversation))).toEqual(raw);
    });
  });

  it("survive a round trip through a store unchanged", () => {
    forAll(anthropicConversation, (raw) => {
      const conversation = JSON.parse(JSON.stringify(raw));
      expect(convertRichToAnthropic(stored(convertAnthropicToRich(conversation)))).toEqual(conversation);
    });
  });

  it("report no loss on a round trip", () => {
    forAll(anthropicConversation, (raw) => {
      const losses: Loss[] = [];
      const rich = convertAnthropicToRich(raw as unknown as AnthropicConversation);
      convertRichToAnthropic(rich, { onLoss: (loss) => losses.push(loss) });
      expect(losses).toEqual([]);
    });
  });
});

describe("Throughline messages", () => {
  const signed = (option: string) =>
    text.map(
      (value): PartDraft => ({ type: "reasoning", text: "hm", providerOptions: { anthropic: { [option]: value } } }),
    );
  const cached: fc.Arbitrary<PartDraft> = text.map((value) => ({
    type: "text",
    text: value,
    providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } },
  }));
  const file = (mediaType: string, data: fc.Arbitrary<Extract<PartDraft, { type: "file" }>["data"]>) =>
    fc.record({ type: fc.constant("file" as const), mediaType: fc.constant(mediaType), data });
  const files: fc.Arbitrary<PartDraft> = fc.oneof(
    pngFile,
    imageUrl,
    file(
      "application/pdf",
      base64.map((data) => ({ type: "data", data })),
    ),
    file(
      "application/pdf",
      url.map((href) => ({ type: "url", url: href })),
    ),
    file(
      "text/plain",
      text.map((value) => ({ type: "text", text: value })),
    ),
    file("image", fc.constant({ type: "reference", reference: { anthropic: "file_1" } })),
  );
  const output = fc.oneof(
    textOutput,
    text.map((value) => ({ type: "error-text" as const, value })),
    fc
      .array(
        fc.oneof(
          text.map((value) => ({ type: "text", text: value })),
          base64.map((data) => ({ type: "image-data", data, mediaType: "image/png" })),
          fc.constant({ type: "image-url", url: "https://example.com/a.png" }),
          base64.map((data) => ({ type: "file-data", data, mediaType: "application/pdf", filename: "a.pdf" })),
        ),
        { maxLength: 3 },
      )
      .map((value) => ({ type: "content" as const, value })),
  );

  it("survive a round trip through Anthropic's format unchanged", () => {
    const kinds = { reasoning: signed("signature"), files, input: json, output, said: fc.oneof(textDraft, cached) };
    forAll(expressibleSession(kinds), (rich) => {
      const losses: Loss[] = [];
      const raw = convertRichToAnthropic(rich, { onLoss: (loss) => losses.push(loss) });
      expect(losses).toEqual([]);
      expect(meaningOf(convertAnthropicToRich(raw))).toEqual(meaningOf(rich));
    });
  });

  it("put the cache mark of a whole message on its last block", () => {
    const providerOptions = { anthropic: { cacheControl: { type: "ephemeral" } } };
    const parts: PartDraft[] = [
      { type: "text", text: "a" },
      { type: "text", text: "b" },
    ];
    expect(convertRichToAnthropic([completeMessage({ role: "system", parts, providerOptions }, 0)]).system).toEqual([
      { type: "text", text: "a" },
      { type: "text", text: "b", cache_control: { type: "ephemeral" } },
    ]);
  });

  it("become one message if a role speaks twice, and two if Anthropic's format had two", () => {
    const rich = [completeMessage({ role: "user", parts: [{ type: "text", text: "a" }] }, 0)];
    expect(convertRichToAnthropic([...rich, ...rich]).messages).toHaveLength(1);
    expect(there({ role: "user", content: "a" }, { role: "user", content: "b" })).toHaveLength(2);
  });
});

describe("reading", () => {
  const partsOf = (content: unknown[], role = "assistant") => read({ role, content }).flatMap((one) => one.parts);

  it("reads thinking, also redacted, with its signature", () => {
    const blocks = [
      { type: "thinking", thinking: "hm", signature: "s" },
      { type: "redacted_thinking", data: "xx" },
    ];
    expect(partsOf(blocks)).toMatchObject([
      { type: "reasoning", text: "hm", providerOptions: { anthropic: { signature: "s" } } },
      { type: "reasoning", text: "", providerOptions: { anthropic: { redactedData: "xx" } } },
    ]);
  });

  it("reads a compaction block as the text that the AI SDK makes of it", () => {
    expect(partsOf([{ type: "compaction", content: "so far" }])).toMatchObject([
      { type: "text", text: "so far", providerOptions: { anthropic: { type: "compaction" } } },
    ]);
  });

  it("separates results from other user content", () => {
    const rich = read(
      { role: "assistant", content: [{ type: "tool_use", id: "a", name: "read", input: {} }] },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "a", content: "ok" },
          { type: "text", text: "go on" },
        ],
      },
    );
    expect(rich.map((message) => message.role)).toEqual(["assistant", "tool", "user"]);
    expect(rich[1]?.parts).toMatchObject([{ toolName: "read", output: { type: "text", value: "ok" } }]);
  });

  it("reads an image inside a result as the SDK's kind, with its cache mark", () => {
    const image = {
      type: "image",
      source: { type: "base64", media_type: "image/png", data: "AAAA" },
      cache_control: { type: "ephemeral" },
    };
    const content = [{ type: "tool_result", tool_use_id: "a", content: [image] }];
    expect(partsOf(content, "user")).toMatchObject([
      {
        output: {
          type: "content",
          value: [
            {
              type: "image-data",
              data: "AAAA",
              mediaType: "image/png",
              providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } },
            },
          ],
        },
      },
    ]);
  });

  it("recognizes calls that Anthropic ran, and their results", () => {
    const blocks = [
      { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "x" } },
      { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [{ type: "web_search_result" }] },
      { type: "mcp_tool_result", tool_use_id: "srvtoolu_1", is_error: true, content: [] },
    ];
    expect(partsOf(blocks)).toMatchObject([
      { type: "tool-call", providerExecuted: true },
      { type: "tool-result", toolName: "web_search", providerExecuted: true, output: { type: "json" } },
      { type: "tool-result", providerExecuted: true, output: { type: "error-json" } },
    ]);
  });

  it("reports the position in the list, with or without a system prompt", () => {
    const messages = [
      { role: "user", content: "a" },
      { role: "user", content: [{ type: "text", text: "x" }, 1] },
    ];
    const conversation = { system: "s", messages } as unknown as AnthropicConversation;
    expect(() => convertAnthropicToRich(conversation)).toThrow(
      "message 1, part 1: expected an object with a string `type`",
    );
  });
});

describe("parts that Anthropic cannot express", () => {
  const write = (parts: PartDraft[], role: Message["role"] = "assistant") => {
    const losses: Loss[] = [];
    const raw = convertRichToAnthropic([completeMessage({ role, parts }, 0)], { onLoss: (loss) => losses.push(loss) });
    return { content: raw.messages[0]?.content, losses: losses.map((loss) => loss.place.part) };
  };
  const done: PartDraft = { type: "text", text: "done" };

  it("are reported: unsigned reasoning, foreign calls, approvals, unreadable files", () => {
    const parts: PartDraft[] = [
      { type: "reasoning", text: "hm" },
      { type: "tool-call", toolCallId: "ws_1", toolName: "web_search", input: {}, providerExecuted: true },
      { type: "tool-approval-request", approvalId: "p", toolCallId: "a" },
      { type: "opaque", format: "openai-responses", value: { type: "compaction" } },
      { type: "file", mediaType: "image/png", data: { type: "data", data: "" } },
      done,
    ];
    expect(write(parts)).toEqual({ content: [done], losses: [0, 1, 2, 3, 4] });
    const zip: PartDraft = { type: "file", mediaType: "application/zip", data: { type: "data", data: "" } };
    expect(write([zip, done], "user")).toEqual({ content: [done], losses: [0] });
  });

  it("become text inside a result and are reported", () => {
    const output = { type: "content" as const, value: [{ type: "file-data", data: "", mediaType: "application/zip" }] };
    const result: PartDraft = { type: "tool-result", toolCallId: "a", toolName: "zip", output };
    expect(write([result], "tool")).toEqual({
      content: [
        { type: "tool_result", tool_use_id: "a", content: [{ type: "text", text: "[file-data: application/zip]" }] },
      ],
      losses: [0],
    });
  });

  it("do not include JSON outputs, text files, and images of unknown type", () => {
    const output = { type: "json" as const, value: [1, { a: 2 }] };
    const result: PartDraft = { type: "tool-result", toolCallId: "a", toolName: "x", output };
    expect(write([result], "tool").content).toMatchObject([{ content: '[1,{"a":2}]' }]);
    const file = (mediaType: string, data: string): PartDraft => ({
      type: "file",
      mediaType,
      data: { type: "data", data },
    });
    expect(write([file("text/csv", btoa("a,b")), file("image", "iVBORw0KGgoAAA")], "user").content).toMatchObject([
      { type: "document", source: { type: "text", media_type: "text/plain", data: "a,b" } },
      { type: "image", source: { type: "base64", media_type: "image/png" } },
    ]);
  });

  it("mark a denied call as failed", () => {
    const output = { type: "execution-denied" as const, reason: "not now" };
    const result: PartDraft = { type: "tool-result", toolCallId: "a", toolName: "x", output };
    expect(write([result], "tool").content).toMatchObject([{ content: "not now", is_error: true }]);
  });
});
