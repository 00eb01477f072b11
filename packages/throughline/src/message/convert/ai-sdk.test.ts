import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { completeMessage, type Message } from "../message.ts";
import type { PartDraft } from "../part.ts";
import { oddSdkMessage, sdkMessage } from "./ai-sdk.arbitrary.ts";
import { convertModelToRich, convertRichToModel, type ForeignModelMessage } from "./ai-sdk.ts";
import type { Loss } from "./conversion.ts";
import { base64, forAll, json, text, url } from "./raw.arbitrary.ts";
import { expressibleSession, imageUrl, meaningOf, pngFile, textOutput } from "./rich.arbitrary.ts";

function read(...messages: unknown[]): Message[] {
  return convertModelToRich(messages as ForeignModelMessage[]);
}

function there(...messages: unknown[]): unknown[] {
  return convertRichToModel(read(...messages));
}

describe("AI SDK messages", () => {
  it("survive a round trip unchanged, in the shapes of versions 6 and 7", () => {
    const messages = fc.array(fc.oneof(sdkMessage(6), sdkMessage(7)), { maxLength: 4 });
    forAll(messages, (raw) => expect(there(...raw)).toEqual(raw));
  });

  it("survive a round trip unchanged with unknown kinds of parts or fields of wrong types", () => {
    forAll(fc.array(oddSdkMessage, { maxLength: 4 }), (raw) => expect(there(...raw)).toEqual(raw));
  });
});

describe("Throughline messages", () => {
  const options = fc.constantFrom({ anthropic: { cacheControl: { type: "ephemeral" } } }, { openai: { itemId: "i" } });
  const reasoning = text.map((value): PartDraft => ({ type: "reasoning", text: value }));
  const provided: fc.Arbitrary<PartDraft> = fc.record({
    type: fc.constant("tool-call" as const),
    toolCallId: fc.constantFrom("srv_1", "srv_2"),
    toolName: fc.constant("web_search"),
    input: json,
    providerExecuted: fc.constant(true),
    providerOptions: options,
  });
  const files: fc.Arbitrary<PartDraft> = fc.oneof(
    pngFile,
    imageUrl,
    fc.record({
      type: fc.constant("file" as const),
      mediaType: fc.constantFrom("application/pdf", "image/jpeg"),
      filename: text,
      data: fc.oneof(
        base64.map((data) => ({ type: "data" as const, data })),
        url.map((href) => ({ type: "url" as const, url: href })),
        fc.constant({ type: "reference" as const, reference: { openai: "file-1" } }),
      ),
      providerOptions: options,
    }),
  );
  const output = fc.oneof(
    textOutput,
    json.map((value) => ({ type: "json" as const, value })),
    json.map((value) => ({ type: "error-json" as const, value })),
    text.map((reason) => ({ type: "execution-denied" as const, reason })),
    fc.constant({ type: "content" as const, value: [{ type: "image-data", data: "", mediaType: "image/png" }] }),
  );
  const said = fc.oneof(
    text.map((value): PartDraft => ({ type: "text", text: value })),
    reasoning,
    provided,
    pngFile,
  );

  it("survive a round trip through the AI SDK unchanged", () => {
    forAll(expressibleSession({ reasoning, files, input: json, output, said }), (rich) => {
      const losses: Loss[] = [];
      const raw = convertRichToModel(rich, { onLoss: (loss) => losses.push(loss) });
      expect(losses).toEqual([]);
      expect(meaningOf(convertModelToRich(raw))).toEqual(meaningOf(rich));
    });
  });

  it("keep approvals", () => {
    const parts: [PartDraft, PartDraft] = [
      { type: "tool-approval-request", approvalId: "p", toolCallId: "a" },
      { type: "tool-approval-response", approvalId: "p", approved: false, reason: "no", providerExecuted: true },
    ];
    const rich = [
      completeMessage({ role: "assistant", parts: [parts[0]] }, 0),
      completeMessage({ role: "tool", parts: [parts[1]] }, 1),
    ];
    expect(meaningOf(convertModelToRich(convertRichToModel(rich)))).toEqual(meaningOf(rich));
  });
});

describe("reading", () => {
  const parts = (content: unknown[], role = "assistant") => read({ role, content })[0]?.parts ?? [];

  it("keeps native compaction unchanged", () => {
    const custom = { type: "custom", kind: "openai.compaction", providerOptions: { openai: { itemId: "cmp_1" } } };
    const anthropic = { type: "text", text: "so far", providerOptions: { anthropic: { type: "compaction" } } };
    expect(parts([custom, anthropic])).toMatchObject([
      { type: "opaque", format: "ai-sdk", value: custom },
      { type: "text", text: "so far", providerOptions: { anthropic: { type: "compaction" } } },
    ]);
    expect(there({ role: "assistant", content: [custom, anthropic] })).toEqual([
      { role: "assistant", content: [custom, anthropic] },
    ]);
  });

  it("keeps the signature of an approval", () => {
    const request = {
      type: "tool-approval-request",
      approvalId: "p",
      toolCallId: "a",
      signature: "s",
      reason: "writes a file",
      isAutomatic: true,
      inputSchemaInput: { path: "x" },
    };
    expect(parts([request])).toMatchObject([{ type: "tool-approval-request", approvalId: "p", toolCallId: "a" }]);
    expect(there({ role: "assistant", content: [request] })).toEqual([{ role: "assistant", content: [request] }]);
  });

  it("marks a result whose call the provider ran, also in a later message", () => {
    const call = { type: "tool-call", toolCallId: "s", toolName: "web_search", input: {}, providerExecuted: true };
    const result = {
      type: "tool-result",
      toolCallId: "s",
      toolName: "web_search",
      output: { type: "json", value: [] },
    };
    const rich = read({ role: "assistant", content: [call] }, { role: "assistant", content: [result] });
    expect(rich[1]?.parts[0]).toMatchObject({ type: "tool-result", providerExecuted: true });
    expect(convertRichToModel(rich)[1]?.content).toEqual([result]);
  });

  it("reads args and result of versions before 5 and writes them in the current form", () => {
    const call = { type: "tool-call", toolCallId: "a", toolName: "read", args: { path: "x" } };
    const result = { type: "tool-result", toolCallId: "a", toolName: "read", result: "ok" };
    expect(there({ role: "assistant", content: [call] }, { role: "tool", content: [result] })).toEqual([
      { role: "assistant", content: [{ type: "tool-call", toolCallId: "a", toolName: "read", input: { path: "x" } }] },
      {
        role: "tool",
        content: [{ type: "tool-result", toolCallId: "a", toolName: "read", output: { type: "text", value: "ok" } }],
      },
    ]);
  });

  it("keeps an output of an unknown kind as JSON and restores it", () => {
    const result = { type: "tool-result", toolCallId: "a", toolName: "read", output: { type: "stream", chunks: [1] } };
    expect(parts([result], "tool")).toMatchObject([
      { output: { type: "json", value: { type: "stream", chunks: [1] } } },
    ]);
    expect(there({ role: "tool", content: [result] })).toEqual([{ role: "tool", content: [result] }]);
  });

  it("writes an edited text instead of the original string", () => {
    const rich = read({ role: "user", content: "long" });
    const edited = rich.map((message) => ({
      ...message,
      parts: message.parts.map((part) => (part.type === "text" ? { ...part, text: "short" } : part)),
    }));
    expect(convertRichToModel(edited)).toEqual([{ role: "user", content: "short" }]);
  });

  it("writes a masked output in place of one of an unknown kind", () => {
    const rich = read({
      role: "tool",
      content: [{ type: "tool-result", toolCallId: "a", toolName: "read", output: { type: "stream" } }],
    });
    const masked = rich.map((message) => ({
      ...message,
      parts: message.parts.map(
        (part) => ({ ...part, output: { type: "text" as const, value: "[masked]" } }) as typeof part,
      ),
    }));
    expect(convertRichToModel(masked)[0]?.content).toMatchObject([{ output: { type: "text", value: "[masked]" } }]);
  });
});

describe("parts that the SDK cannot express", () => {
  const lossesOf = (draft: { role: Message["role"]; parts: PartDraft[] }) => {
    const losses: Loss[] = [];
    const raw = convertRichToModel([completeMessage(draft, 0)], { onLoss: (loss) => losses.push(loss) });
    return { raw, places: losses.map((loss) => loss.place), whats: losses.map((loss) => loss.what) };
  };

  it("are reported with their position", () => {
    const { raw, places, whats } = lossesOf({
      role: "user",
      parts: [
        { type: "text", text: "hi" },
        { type: "reasoning", text: "hm" },
        { type: "opaque", format: "anthropic", value: { type: "search_result" } },
      ],
    });
    expect(raw).toEqual([{ role: "user", content: [{ type: "text", text: "hi" }] }]);
    expect(places).toEqual([
      { message: 0, part: 1 },
      { message: 0, part: 2 },
    ]);
    expect(whats[0]).toBe('message 0, part 1: the AI SDK does not support parts of type "reasoning"');
  });

  it("leave no empty message", () => {
    expect(lossesOf({ role: "assistant", parts: [{ type: "opaque", format: "gemini", value: 1 }] }).raw).toEqual([]);
  });

  it("do not include step markers", () => {
    expect(
      lossesOf({ role: "assistant", parts: [{ type: "step-start" }, { type: "text", text: "x" }] }).places,
    ).toEqual([]);
  });

  it("do not include compaction markers, which become their summary", () => {
    const marker = { type: "compaction-marker" as const, compactedAt: 0, messagesCompacted: 2, originalTokens: 9 };
    const { raw, places } = lossesOf({ role: "assistant", parts: [{ ...marker, summary: "so far" }] });
    expect(raw).toEqual([
      { role: "assistant", content: [{ type: "text", text: "[Previous conversation summary]\nso far" }] },
    ]);
    expect(places).toEqual([]);
  });

  it("join system texts into one message, or several if they have their own options", () => {
    const marked = { anthropic: { cacheControl: { type: "ephemeral" } } };
    const plain: PartDraft = { type: "text", text: "a" };
    expect(lossesOf({ role: "system", parts: [plain, { type: "text", text: "b" }] }).raw).toEqual([
      { role: "system", content: "a\nb" },
    ]);
    expect(
      lossesOf({ role: "system", parts: [plain, { type: "text", text: "b", providerOptions: marked }] }).raw,
    ).toEqual([
      { role: "system", content: "a" },
      { role: "system", content: "b", providerOptions: marked },
    ]);
  });
});
