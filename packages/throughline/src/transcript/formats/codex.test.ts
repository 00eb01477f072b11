import { describe, expect, it } from "vitest";
import { parseTranscript } from "../parse-transcript.ts";

type Payload = Record<string, unknown>;
const record = (type: string, payload: Payload) => ({ timestamp: "2026-02-01T10:00:00.000Z", type, payload });
const item = (payload: Payload) => record("response_item", payload);
const said = (role: string, ...texts: string[]) =>
  item({
    type: "message",
    role,
    content: texts.map((text) => ({ type: role === "assistant" ? "output_text" : "input_text", text })),
  });
const meta = record("session_meta", { id: "codex-1", cwd: "/repo", cli_version: "0.142.5", git: { branch: "main" } });
const parse = (...records: unknown[]) => parseTranscript(records.map((one) => JSON.stringify(one)).join("\n"));

describe("Codex", () => {
  it("reads a turn with reasoning, parallel calls and their outputs", () => {
    const { sessions, format } = parse(
      meta,
      record("turn_context", { model: "gpt-5-codex" }),
      said("user", "Fix the test"),
      record("event_msg", { type: "user_message", message: "Fix the test" }),
      item({ type: "reasoning", id: "rs_1", summary: [], encrypted_content: "xyz" }),
      item({ type: "function_call", name: "exec_command", arguments: '{"cmd":"ls"}', call_id: "c1" }),
      item({ type: "function_call", name: "exec_command", arguments: '{"cmd":"pwd"}', call_id: "c2" }),
      record("event_msg", {
        type: "token_count",
        info: { last_token_usage: { input_tokens: 1_000, cached_input_tokens: 900, output_tokens: 50 } },
      }),
      item({ type: "function_call_output", call_id: "c1", output: "a.ts" }),
      item({ type: "function_call_output", call_id: "c2", output: [{ type: "input_text", text: "/repo" }] }),
      said("assistant", "Done."),
    );
    expect(format).toBe("codex");
    const [session] = sessions;
    expect(session).toMatchObject({ id: "codex-1", meta: { cwd: "/repo", branch: "main", version: "0.142.5" } });
    expect(session?.messages.map(({ role, parts }) => `${role}: ${parts.map((part) => part.type).join(" ")}`)).toEqual([
      "user: text",
      "assistant: reasoning tool-call tool-call",
      "tool: tool-result tool-result",
      "assistant: text",
    ]);
    expect(session?.messages[1]).toMatchObject({
      modelId: "gpt-5-codex",
      usage: { input: 100, output: 50, cache: { read: 900, write: 0 } },
      parts: [{}, { toolCallId: "c1", toolName: "exec_command", input: { cmd: "ls" } }, {}],
    });
  });

  it("assigns the usage to its reply, which precedes the results", () => {
    const count = (input: number) =>
      record("event_msg", {
        type: "token_count",
        info: { last_token_usage: { input_tokens: input, output_tokens: 1 } },
      });
    const { sessions } = parse(
      meta,
      said("user", "go"),
      item({ type: "function_call", name: "f", arguments: "{}", call_id: "c1" }),
      item({ type: "function_call_output", call_id: "c1", output: "1" }),
      count(100),
      count(100),
      item({ type: "function_call", name: "f", arguments: "{}", call_id: "c2" }),
      item({ type: "function_call_output", call_id: "c2", output: "2" }),
      said("user", "and mind the gap"),
      count(200),
      said("assistant", "Done."),
      count(300),
      record("compacted", { message: "So far: done." }),
      count(0),
      said("assistant", "On."),
    );
    const usages = sessions[0]?.messages.map(({ role, usage }) => [role, usage?.input]);
    expect(usages).toEqual([
      ["user", undefined],
      ["assistant", 100],
      ["tool", undefined],
      ["assistant", 200],
      ["tool", undefined],
      ["user", undefined],
      ["assistant", 300],
      ["assistant", undefined],
    ]);
    expect(sessions[0]?.compactions).toMatchObject([{ at: 7, summary: "So far: done." }]);
  });

  it("does not wait forever for a missing usage", () => {
    const many = Array.from({ length: 100 }, (_, i) => said("user", `${i}`));
    const { sessions } = parse(meta, said("assistant", "hello"), ...many);
    expect(sessions[0]?.messages.map(({ role }) => role[0]).join("")).toBe(`a${"u".repeat(100)}`);
  });

  it("marks text that the agent inserted into user messages, part by part", () => {
    const { sessions } = parse(
      meta,
      said("user", "# AGENTS.md instructions for /repo", "<environment_context>…</environment_context>"),
      said("user", "Now the real request"),
    );
    const marks = sessions[0]?.messages.map(({ parts }) => parts.map((part) => part.type === "text" && part.synthetic));
    expect(marks).toEqual([[true, true], [undefined]]);
  });

  it("uses the recorded author of each part of a message", () => {
    const origin = (type: string) => ({ provenance: { type } });
    const notes = { content_item_metadata: [origin("harness"), origin("user")] };
    const content = [
      { type: "input_text", text: "The sandbox is off." },
      { type: "input_text", text: "Run the tests" },
    ];
    const { sessions } = parse(
      meta,
      item({ type: "message", role: "user", content, internal_chat_message_metadata_passthrough: notes }),
    );
    expect(sessions[0]?.messages[0]?.parts).toMatchObject([{ synthetic: true }, { text: "Run the tests" }]);
    expect(sessions[0]?.messages[0]?.parts[1]).not.toHaveProperty("synthetic");
  });

  it("keeps the history and returns the new window at a compaction", () => {
    const { sessions } = parse(
      meta,
      said("user", "one"),
      said("assistant", "1"),
      record("compacted", {
        message: "",
        replacement_history: [
          { type: "message", role: "user", content: [{ type: "input_text", text: "one" }] },
          { type: "compaction", encrypted_content: "opaque" },
        ],
      }),
      said("user", "two"),
    );
    expect(sessions[0]?.messages).toHaveLength(3);
    const [compaction] = sessions[0]?.compactions ?? [];
    expect(compaction).toMatchObject({ at: 2, line: 4 });
    expect(compaction).not.toHaveProperty("summary");
    expect(compaction?.window?.map((message) => message.parts[0]?.type)).toEqual(["text", "opaque"]);
  });

  it("reads tools that are not functions", () => {
    const { sessions } = parse(
      meta,
      said("user", "go"),
      item({
        type: "custom_tool_call",
        name: "apply_patch",
        input: "*** Begin Patch",
        status: "completed",
        call_id: "c1",
      }),
      item({ type: "custom_tool_call_output", call_id: "c1", output: "Exit code: 0" }),
      item({ type: "tool_search_call", call_id: "c2", arguments: { query: "git" }, status: "completed" }),
      item({ type: "tool_search_output", call_id: "c2", tools: [{ name: "git" }] }),
      item({ type: "web_search_call", status: "completed", action: { type: "search", query: "node" } }),
    );
    const parts = sessions[0]?.messages.flatMap((message) => message.parts);
    expect(parts?.map((part) => part.type)).toEqual([
      "text",
      "tool-call",
      "tool-result",
      "tool-call",
      "tool-result",
      "tool-call",
    ]);
    expect(parts?.[1]).toMatchObject({ toolName: "apply_patch", input: "*** Begin Patch" });
    expect(parts?.[3]).toMatchObject({ toolName: "tool_search", input: { query: "git" } });
    expect(parts?.[5]).toMatchObject({ toolName: "web_search", providerExecuted: true });
  });

  it("loses only the broken item of a new window", () => {
    const window = [{ type: "message", role: "user", content: "one" }, 5, { type: "message", role: "wizard" }];
    const { sessions, skipped } = parse(
      meta,
      said("user", "one"),
      record("compacted", { replacement_history: window }),
    );
    expect(sessions[0]?.compactions[0]?.window).toHaveLength(1);
    expect(skipped.map(({ line, kind }) => [line, kind])).toEqual([
      [3, "broken"],
      [3, "broken"],
    ]);
  });

  it("ignores snapshots of the working tree", () => {
    const { sessions, ignored } = parse(meta, said("user", "go"), item({ type: "ghost_snapshot", ghost_commit: {} }));
    expect(sessions[0]?.messages).toHaveLength(1);
    expect(ignored).toEqual({ "response_item/ghost_snapshot": 1 });
  });

  it("knows the bookkeeping records of current versions", () => {
    const { ignored, skipped } = parse(
      meta,
      said("user", "go"),
      record("token_usage_record", { response_id: "r1", usage: { input_tokens: 100 } }),
      record("world_state", { full: true, state: {} }),
      record("security_risk_score", { score: 0 }),
    );
    expect(skipped).toEqual([]);
    expect(ignored).toEqual({ token_usage_record: 1, world_state: 1, security_risk_score: 1 });
  });

  it("counts events and reports records of unknown types", () => {
    const { ignored, skipped } = parse(
      meta,
      said("user", "go"),
      record("event_msg", { type: "task_started" }),
      record("telepathy", { type: "x" }),
    );
    expect(ignored).toEqual({ "event_msg/task_started": 1 });
    expect(skipped).toEqual([{ line: 4, kind: "unknown", text: "a record of type telepathy/x" }]);
  });
});
