import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { completeMessage, type Message } from "../../message.ts";
import type { PartDraft } from "../../part.ts";
import type { Loss } from "../conversion.ts";
import { responsesItem } from "../openai.arbitrary.ts";
import { base64, forAll, text, writableJson } from "../raw.arbitrary.ts";
import { expressibleSession, imageUrl, meaningOf, pngFile, stored, textOutput } from "../rich.arbitrary.ts";
import { convertResponsesToRich, type OpenAiResponsesItem } from "./openai-responses.ts";
import { convertRichToResponses } from "./write-responses.ts";

function read(...items: unknown[]): Message[] {
  return convertResponsesToRich(items as OpenAiResponsesItem[]);
}

describe("Responses items", () => {
  const items = fc.array(responsesItem, { maxLength: 6 });

  it("survive a round trip unchanged", () => {
    forAll(items, (raw) => expect(convertRichToResponses(read(...raw))).toEqual(raw));
  });

  it("survive a round trip through a store unchanged", () => {
    forAll(items, (raw) => {
      const sent = JSON.parse(JSON.stringify(raw));
      expect(convertRichToResponses(stored(read(...sent)))).toEqual(sent);
    });
  });

  it("report no loss on a round trip", () => {
    forAll(items, (raw) => {
      const losses: Loss[] = [];
      convertRichToResponses(read(...raw), { onLoss: (loss) => losses.push(loss) });
      expect(losses).toEqual([]);
    });
  });
});

describe("Throughline messages", () => {
  const reasoning = fc.tuple(text, text).map(([said, hidden]): PartDraft => {
    const openai = { itemId: "rs_1", reasoningEncryptedContent: hidden };
    return { type: "reasoning", text: said, providerOptions: { openai } };
  });
  const files: fc.Arbitrary<PartDraft> = fc.oneof(
    pngFile,
    imageUrl,
    base64.map((data): PartDraft => {
      return { type: "file", mediaType: "application/pdf", filename: "a.pdf", data: { type: "data", data } };
    }),
    fc.constantFrom("image", "application/pdf").map((mediaType): PartDraft => {
      return { type: "file", mediaType, data: { type: "reference", reference: { openai: "file-1" } } };
    }),
  );
  const output = fc.oneof(
    textOutput,
    fc
      .array(
        fc.oneof(
          text.map((value) => ({ type: "text", text: value })),
          base64.map((data) => ({ type: "image-data", data, mediaType: "image/png" })),
          fc.constant({ type: "image-url", url: "https://example.com/a.png" }),
        ),
        { maxLength: 3 },
      )
      .map((value) => ({ type: "content" as const, value })),
  );

  it("survive a round trip through Responses unchanged", () => {
    forAll(expressibleSession({ reasoning, files, input: writableJson, output }), (rich) => {
      const losses: Loss[] = [];
      const raw = convertRichToResponses(rich, { onLoss: (loss) => losses.push(loss) });
      expect(losses).toEqual([]);
      expect(meaningOf(convertResponsesToRich(raw))).toEqual(meaningOf(rich));
    });
  });

  it("join reasoning that the AI SDK split", () => {
    const providerOptions = { openai: { itemId: "rs_1", reasoningEncryptedContent: "xx" } };
    const parts: PartDraft[] = ["a", "b"].map((value) => ({ type: "reasoning", text: value, providerOptions }));
    expect(convertRichToResponses([completeMessage({ role: "assistant", parts }, 0)])).toEqual([
      {
        type: "reasoning",
        id: "rs_1",
        encrypted_content: "xx",
        summary: [
          { type: "summary_text", text: "a" },
          { type: "summary_text", text: "b" },
        ],
      },
    ]);
  });
});

describe("reading", () => {
  it("joins the items of a reply to one message", () => {
    const rich = read(
      { role: "user", content: "hi" },
      { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "hm" }], encrypted_content: "xx" },
      {
        type: "message",
        role: "assistant",
        id: "msg_1",
        content: [{ type: "output_text", text: "ok", annotations: [] }],
      },
      { type: "function_call", id: "fc_1", call_id: "a", name: "read", arguments: '{"path":"x"}' },
      { type: "function_call_output", call_id: "a", output: "done" },
    );
    expect(rich.map((message) => message.role)).toEqual(["user", "assistant", "tool"]);
    expect(rich[1]?.parts).toMatchObject([
      {
        type: "reasoning",
        text: "hm",
        providerOptions: { openai: { itemId: "rs_1", reasoningEncryptedContent: "xx" } },
      },
      { type: "text", text: "ok" },
      { type: "tool-call", toolCallId: "a", input: { path: "x" }, providerOptions: { openai: { itemId: "fc_1" } } },
    ]);
    expect(rich[2]?.parts).toMatchObject([{ toolName: "read", output: { type: "text", value: "done" } }]);
  });

  it("keeps native compaction, refusals and items without an id", () => {
    const items = [
      { type: "compaction", encrypted_content: "xx" },
      { type: "message", role: "assistant", content: [{ type: "refusal", refusal: "no" }] },
      { type: "web_search_call", status: "completed", action: { type: "search", query: "x" } },
    ];
    const rich = read(...items);
    expect(rich[0]?.parts).toMatchObject([
      { type: "opaque", value: items[0] },
      { type: "opaque", value: { type: "refusal", refusal: "no" } },
      { type: "tool-call", toolName: "web_search", providerExecuted: true, input: { type: "search", query: "x" } },
    ]);
    expect(convertRichToResponses(rich)).toEqual(items);
  });

  it("reads the input of a custom tool and writes it if it was edited", () => {
    const rich = read({ type: "custom_tool_call", call_id: "a", name: "patch", input: "*** Begin" });
    expect(rich[0]?.parts).toMatchObject([{ toolName: "patch", input: "*** Begin" }]);
    const edited = rich.map((one) => ({ ...one, parts: one.parts.map((part) => ({ ...part, input: "[masked]" })) }));
    expect(convertRichToResponses(edited as Message[])).toMatchObject([
      { type: "custom_tool_call", input: "[masked]" },
    ]);
  });

  it("reads a tool search, whose input and output have other names", () => {
    const items = [
      { type: "tool_search_call", call_id: "a", arguments: { query: "git" }, status: "completed" },
      { type: "tool_search_output", call_id: "a", tools: [{ name: "git" }] },
    ];
    const rich = read(...items);
    expect(rich.flatMap((message) => message.parts)).toMatchObject([
      { type: "tool-call", toolName: "tool_search", input: { query: "git" } },
      { type: "tool-result", toolName: "tool_search", output: { type: "json", value: [{ name: "git" }] } },
    ]);
    expect(convertRichToResponses(rich)).toEqual(items);
  });

  it("writes edited reasoning", () => {
    const summary = [{ type: "summary_text", text: "secret" }];
    const rich = read({
      type: "reasoning",
      id: "rs_1",
      summary,
      content: [{ type: "reasoning_text", text: "secret" }],
    });
    const edited = rich.map((one) => ({ ...one, parts: one.parts.map((part) => ({ ...part, text: "x" })) }));
    expect(convertRichToResponses(edited as Message[])).toEqual([
      { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "x" }] },
    ]);
  });

  it("reads an image inside an output as the SDK's kind", () => {
    const output = [{ type: "input_image", image_url: "data:image/png;base64,AAAA", detail: "high" }];
    const providerOptions = { openai: { imageDetail: "high" } };
    const image = { type: "image-data", data: "AAAA", mediaType: "image/png", providerOptions };
    expect(read({ type: "function_call_output", call_id: "a", output })[0]?.parts).toMatchObject([
      { output: { type: "content", value: [image] } },
    ]);
  });
});

describe("parts that Responses cannot express", () => {
  it("are reported with their position", () => {
    const losses: Loss[] = [];
    const parts: PartDraft[] = [
      { type: "reasoning", text: "hm", providerOptions: { anthropic: { signature: "s" } } },
      { type: "tool-call", toolCallId: "s", toolName: "web_search", input: {}, providerExecuted: true },
      { type: "tool-approval-request", approvalId: "p", toolCallId: "s" },
      { type: "text", text: "done" },
    ];
    const rich = [completeMessage({ role: "assistant", parts }, 0)];
    expect(convertRichToResponses(rich, { onLoss: (loss) => losses.push(loss) })).toEqual([
      { role: "assistant", content: [{ type: "output_text", text: "done" }] },
    ]);
    expect(losses.map((loss) => loss.place.part)).toEqual([0, 1, 2]);
  });
});
