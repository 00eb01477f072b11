import { describe, expect, it } from "vitest";
import { parseTranscript } from "./parse-transcript.ts";

const lines = (...records: unknown[]) => records.map((record) => JSON.stringify(record)).join("\n");
const claude = (type: string, uuid: string, message: unknown) => ({ type, uuid, sessionId: "s", message });
const messagesOf = (text: string) => parseTranscript(text).sessions[0]?.messages ?? [];

// Each of these takes minutes if the time is super-linear; the test then times out.
describe("a hostile transcript", () => {
  const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;

  it("may have a line with very many blocks", () => {
    const content = Array.from({ length: 130_000 }, () => ({ type: "text", text: "a" }));
    const results = content.map((_, i) => ({ type: "tool_result", tool_use_id: `t${i}`, content: "" }));
    const text = lines(
      claude("assistant", "a", { id: "m", content }),
      claude("user", "b", { role: "user", content: results }),
    );
    const { sessions } = parseTranscript(text);
    expect(sessions[0]?.messages.map((message) => message.parts.length)).toEqual([130_000, 130_000]);
  });

  it.each([
    `[{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"f","input":${deep}}]},{"role":"user","content":"on"}]`,
    `[{"role":"assistant","tool_calls":[{"id":"t","name":"f","arguments":${deep}}]},{"role":"user","content":"on"}]`,
    `{"type":"response_item","payload":{"type":"function_call_output","call_id":"c","output":[{"type":"x","y":${deep}}]}}\n{"type":"response_item","payload":{"type":"message","role":"user","content":"on"}}`,
    `{"sessionId":"g","projectHash":"p","messages":[{"id":"1","type":"gemini","content":${deep}},{"id":"2","type":"user","content":"on"}]}`,
    `{"info":{"id":"s"},"messages":[{"info":{"role":"user"},"parts":[{"type":"x","y":${deep}}]},{"info":{"role":"user"},"parts":[{"type":"text","text":"on"}]}]}`,
    `[{"role":"user","content":[{"type":"text","text":"<environment_details>"},{"type":"x","y":${deep}}]},{"role":"user","content":[{"type":"text","text":"<task>on</task>"}]}]`,
    `{"type":"message","id":"1","parentId":null,"timestamp":"t","message":{"role":"user","content":[{"type":"x","y":${deep}}]}}\n{"type":"message","id":"2","parentId":"1","timestamp":"t","message":{"role":"user","content":"on"}}`,
    `{"type":"user.message","id":"1","parentId":null,"timestamp":"t","data":{"content":"a","attachments":${deep}}}\n{"type":"user.message","id":"2","parentId":"1","timestamp":"t","data":{"content":"on"}}`,
  ])("may be nested arbitrarily deeply: %.40s", (text) => {
    const { sessions, skipped } = parseTranscript(text);
    const messages = sessions[0]?.messages ?? [];
    expect(messages.length + skipped.length).toBe(2);
    expect(messages.at(-1)?.parts).toMatchObject([{ type: "text", text: "on" }]);
  });

  it("may use one id for all messages", () => {
    const message = { id: "same", role: "user", parts: [{ type: "text", text: "a" }] };
    const text = lines(...Array.from({ length: 20_000 }, () => message));
    expect(new Set(messagesOf(text).map(({ id }) => id)).size).toBe(20_000);
  });

  it("may have much text while calls are open", () => {
    const content = Array.from({ length: 2_000 }, (_, i) => ({ type: "tool_use", id: `t${i}`, name: "f", input: {} }));
    const said = Array.from({ length: 10_000 }, (_, i) => claude("user", `u${i}`, { role: "user", content: "hm" }));
    const text = lines(claude("assistant", "a", { id: "m", content }), ...said);
    expect(messagesOf(text)).toHaveLength(10_001);
  });

  it("may open very many tags without closing them, or wrap very many texts", () => {
    const open = Array.from({ length: 100_000 }, (_, i) => `a <ide_${i}>`).join("");
    const closed = "a <system-reminder>b</system-reminder>".repeat(100_000);
    for (const content of [open, closed]) {
      const [message] = messagesOf(lines(claude("user", "u", { role: "user", content })));
      expect(message?.parts.map((part) => (part.type === "text" ? part.text : "")).join("")).toBe(content);
    }
  });

  it("may answer very many calls at once, in any format", () => {
    const ids = Array.from({ length: 10_000 }, (_, i) => `t${i}`);
    const cline = JSON.stringify([
      { role: "assistant", content: ids.map((id) => ({ type: "tool_use", id, name: "f", input: {} })) },
      { role: "user", content: ids.map((id) => ({ type: "text", text: `[f for '${id}'] Result:\nok` })) },
    ]);
    const gemini = lines(
      { id: "1", type: "gemini", timestamp: 1, content: ids.map(() => ({ functionCall: { name: "f", args: {} } })) },
      { id: "2", type: "user", timestamp: 1, content: ids.map(() => ({ functionResponse: { name: "f" } })) },
    );
    for (const text of [cline, gemini]) {
      const [calls, results] = messagesOf(text).map(({ parts }) =>
        parts.map((part) => ("toolCallId" in part ? part.toolCallId : "")),
      );
      expect(calls).toHaveLength(10_000);
      expect(results).toEqual(calls);
    }
  });

  it("may rewind again and again", () => {
    const said = Array.from({ length: 20_000 }, (_, i) => ({ id: `${i}`, type: "user", timestamp: 1, content: "a" }));
    const rewinds = said.slice(1).map(({ id }) => ({ $rewindTo: id }));
    const text = lines({ sessionId: "g", projectHash: "p" }, ...said, ...rewinds.reverse());
    expect(messagesOf(text)).toHaveLength(1);
  });
});
