import { describe, expect, it } from "vitest";
import { detectFormat } from "./detect-format.ts";

const json = (value: unknown) => JSON.stringify(value);
const lines = (...records: unknown[]) => records.map(json).join("\n");
const formatOf = (text: string) => detectFormat(text)?.format;
const user = { role: "user", content: "hi" };

describe("the format", () => {
  it("is detected by the fields of messages, not by their content", () => {
    const call = { type: "tool_use", id: "t", name: "f", input: { tool_call_id: "x", tool_calls: [] } };
    expect(formatOf(json([user, { role: "assistant", content: [call] }]))).toBe("anthropic");
    const output = { type: "json", value: { tool_calls: 3, type: "tool_use" } };
    const result = { type: "tool-result", toolCallId: "t", toolName: "f", output };
    expect(formatOf(json([user, { role: "tool", content: [result] }]))).toBe("ai-sdk");
    expect(formatOf(json([{ role: "user", content: 'a "type":"tool_use" in a text' }]))).toBe("openai");
  });

  it.each([
    ["anthropic", { type: "image", source: { type: "base64", media_type: "image/png", data: "AA==" } }],
    ["anthropic", { type: "text", text: "hi", cache_control: { type: "ephemeral" } }],
    ["ai-sdk", { type: "image", image: "AA==" }],
    ["ai-sdk", { type: "file", data: "AA==", mediaType: "image/png" }],
    ["ai-sdk", { type: "reasoning", text: "hm" }],
    ["openai", { type: "image_url", image_url: { url: "https://example.com/a.png" } }],
    ["openai", { type: "file", file: { file_id: "f" } }],
    ["openai", { type: "text", text: "hi" }],
  ])("is %s for a single block: %j", (format, block) => {
    expect(formatOf(json([{ role: "user", content: [block] }]))).toBe(format);
  });

  it("is that of most messages", () => {
    const blocks = [{ type: "tool-call", toolCallId: "t", toolName: "f", input: {} }];
    const sdk = { role: "assistant", content: blocks };
    expect(formatOf(json([{ role: "developer", content: "x" }, sdk, sdk]))).toBe("ai-sdk");
  });

  it("is Claude Code's for lines with a session id, in any order", () => {
    const modes = Array.from({ length: 100 }, () => ({
      type: "permission-mode",
      permissionMode: "plan",
      sessionId: "s",
    }));
    expect(formatOf(lines(...modes))).toBe("claude-code");
    expect(formatOf(lines({ type: "user", sessionId: "s", message: user }))).toBe("claude-code");
    expect(formatOf(json([{ type: "user", uuid: "u", message: user }]))).toBe("claude-code");
    expect(formatOf(lines({ type: "mode", mode: "dark" }))).toBeUndefined();
  });

  it("is not detected from records of an unknown type", () => {
    expect(formatOf(json([{ type: "banana" }, { type: "apple" }]))).toBeUndefined();
    expect(formatOf(json({ name: "x", description: '"role": "user"' }))).toBeUndefined();
  });

  it("is detected by field names if the first record is incomplete", () => {
    const cut = (record: unknown) => json(record).slice(0, -3);
    expect(formatOf(cut({ parentUuid: null, type: "user", sessionId: "s", message: user }))).toBe("claude-code");
    expect(formatOf(cut({ type: "session_meta", payload: { id: "c" } }))).toBe("codex");
    expect(formatOf(cut({ projectHash: "p", messages: [] }))).toBe("gemini-cli");
    expect(formatOf(cut({ messages: [user] }))).toBe("openai");
  });
});

describe("the layout", () => {
  const layoutOf = (text: string) => [detectFormat(text)?.layout, detectFormat(text, "openai")?.layout];

  it("is lines for a single message, with or without a given format", () => {
    expect(layoutOf(`${json(user)}\n`)).toEqual(["lines", "lines"]);
    expect(layoutOf(json(user))).toEqual(["lines", "lines"]);
  });

  it.each(['{"role":"us', '{"role":"user",', '{"role":', '{"messages":[', "{"])(
    "is lines if the first one is incomplete and a valid one follows: %s",
    (cut) => {
      expect(layoutOf(`${cut}\n${json(user)}\n`)).toEqual(["lines", "lines"]);
      expect(layoutOf(`${cut}\n${json(user)}\n${json(user)}`)).toEqual(["lines", "lines"]);
    },
  );

  it("is a document for a single session, on one line, on many, or with a message per line", () => {
    const session = { messages: [user, user] };
    expect(layoutOf(json(session))).toEqual(["document", "document"]);
    expect(layoutOf(JSON.stringify(session, null, 2))).toEqual(["document", "document"]);
    expect(layoutOf(`{"messages":[\n${json(user)},\n${json(user)}\n]}`)).toEqual(["document", "document"]);
    expect(layoutOf(`{"messages":[\n${json(user)}\n]}`)).toEqual(["document", "document"]);
    expect(layoutOf(lines(session, session))).toEqual(["lines", "lines"]);
  });
});
