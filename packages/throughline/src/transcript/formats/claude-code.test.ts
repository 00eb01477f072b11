import { describe, expect, it } from "vitest";
import { parseTranscript } from "../parse-transcript.ts";

type Line = Record<string, unknown>;

let clock = 0;
/** One line as Claude Code writes it. */
function line(type: string, uuid: string, more: Line = {}): Line {
  clock += 1;
  const timestamp = new Date(Date.UTC(2026, 0, 1) + clock * 1_000).toISOString();
  return { type, uuid, parentUuid: null, sessionId: "s1", timestamp, cwd: "/home/ada", isSidechain: false, ...more };
}
const user = (uuid: string, content: unknown, more: Line = {}) =>
  line("user", uuid, { message: { role: "user", content }, ...more });
const assistant = (uuid: string, id: string, block: Line, more: Line = {}, output = 1) =>
  line("assistant", uuid, {
    message: { id, role: "assistant", model: "claude-opus-4-5", content: [block], usage: usageOf(output) },
    ...more,
  });
const usageOf = (output: number) => ({
  input_tokens: 10,
  output_tokens: output,
  cache_read_input_tokens: 100,
  cache_creation_input_tokens: 5,
});
/** A queued prompt has no folder and no branch. */
const queue = (operation: string, content?: string) => {
  const { type, sessionId, timestamp } = line("queue-operation", "");
  return { type, operation, timestamp, sessionId, ...(content ? { content } : {}) };
};
const call = (id: string) => ({ type: "tool_use", id, name: "Read", input: { file_path: `/src/${id}.ts` } });
const result = (id: string, text = "ok") => [{ type: "tool_result", tool_use_id: id, content: text }];
const parse = (...lines: Line[]) => parseTranscript(lines.map((one) => JSON.stringify(one)).join("\n"));

describe("Claude Code", () => {
  it("joins the lines of one message and uses the last usage", () => {
    const { sessions, format } = parse(
      user("u1", "Find the bug"),
      assistant("a1", "msg1", { type: "thinking", thinking: "hm", signature: "sig" }, {}, 3),
      assistant("a2", "msg1", { type: "text", text: "I look" }, {}, 7),
      assistant("a3", "msg1", call("c1"), {}, 20),
      user("u2", result("c1")),
    );
    expect(format).toBe("claude-code");
    expect(sessions[0]?.messages.map((message) => [message.role, message.parts.map((part) => part.type)])).toEqual([
      ["user", ["text"]],
      ["assistant", ["reasoning", "text", "tool-call"]],
      ["tool", ["tool-result"]],
    ]);
    expect(sessions[0]?.messages[1]?.usage).toEqual({ input: 10, output: 20, cache: { read: 100, write: 5 } });
    expect(sessions[0]?.messages[1]).toMatchObject({ id: "a1", modelId: "claude-opus-4-5", provenance: { line: 2 } });
  });

  it("joins lines of one message with results between them, and puts the results after it", () => {
    const { sessions } = parse(
      user("u1", "go"),
      assistant("a1", "msg1", call("c1")),
      user("u2", result("c1")),
      assistant("a2", "msg1", call("c2")),
      user("u3", result("c2")),
      assistant("a3", "msg2", { type: "text", text: "done" }),
    );
    const roles = sessions[0]?.messages.map((message) => `${message.role} ${message.parts.length}`);
    expect(roles).toEqual(["user 1", "assistant 2", "tool 2", "assistant 1"]);
    expect(sessions[0]?.messages[2]?.parts[1]).toMatchObject({ toolCallId: "c2", toolName: "Read" });
  });

  it("separates a compaction and its summary from user messages", () => {
    const { sessions } = parse(
      user("u1", "go"),
      assistant("a1", "msg1", { type: "text", text: "going" }),
      line("system", "b1", {
        subtype: "compact_boundary",
        compactMetadata: { trigger: "auto", preTokens: 156_000, postTokens: 9_000 },
      }),
      user("u2", "This session is being continued. Summary: …", { isCompactSummary: true }),
      assistant("a2", "msg2", { type: "text", text: "on" }),
    );
    expect(sessions[0]?.compactions).toEqual([
      expect.objectContaining({
        at: 2,
        trigger: "auto",
        tokensBefore: 156_000,
        tokensAfter: 9_000,
        summary: "This session is being continued. Summary: …",
        summaryMessageId: "u2",
        line: 3,
      }),
    ]);
    expect(sessions[0]?.messages[2]).toMatchObject({ isSummary: true, parts: [{ synthetic: true }] });
  });

  it("reports a compaction without a summary too", () => {
    const boundary = line("system", "b1", { subtype: "compact_boundary", compactMetadata: { trigger: "manual" } });
    expect(parse(user("u1", "go"), boundary).sessions[0]?.compactions).toMatchObject([{ at: 1, trigger: "manual" }]);
    const { sessions } = parse(user("u1", "go"), boundary, user("u2", "on"));
    expect(sessions[0]?.compactions).toMatchObject([{ at: 1 }]);
  });

  it("reports each of two consecutive compactions", () => {
    const boundary = (uuid: string, trigger: string) =>
      line("system", uuid, { subtype: "compact_boundary", compactMetadata: { trigger } });
    const { sessions } = parse(
      user("u1", "go"),
      boundary("b1", "manual"),
      boundary("b2", "auto"),
      user("u2", "Summary: …", { isCompactSummary: true }),
    );
    expect(sessions[0]?.compactions).toMatchObject([
      { at: 1, trigger: "manual" },
      { at: 1, trigger: "auto", summary: "Summary: …" },
    ]);
    expect(sessions[0]?.compactions[0]).not.toHaveProperty("summary");
  });

  it("keeps both prompts if the user went back and asked anew, and counts that", () => {
    const { sessions, ignored } = parse(
      user("u1", "go"),
      assistant("a1", "m1", { type: "text", text: "where to?" }, { parentUuid: "u1" }),
      user("u2", "left", { parentUuid: "a1" }),
      assistant("a2", "m2", { type: "text", text: "a wall" }, { parentUuid: "u2" }),
      user("u3", "right", { parentUuid: "a1" }),
    );
    expect(sessions[0]?.messages.map(({ id, parentId }) => [id, parentId])).toEqual([
      ["u1", undefined],
      ["a1", "u1"],
      ["u2", "a1"],
      ["a2", "u2"],
      ["u3", "a1"],
    ]);
    expect(ignored).toEqual({ rewind: 1 });
  });

  it("keeps a sub-agent without an id together across lines without messages", () => {
    const side = { isSidechain: true };
    const { sessions } = parse(
      user("u1", "go"),
      user("x1", "explore", side),
      line("progress", "p1", { ...side, parentUuid: "x1" }),
      assistant("x2", "m9", { type: "text", text: "found" }, { ...side, parentUuid: "p1" }),
      line("system", "p2", { ...side, subtype: "stop_hook_summary", parentUuid: "x2" }),
      user("x3", "more", { ...side, parentUuid: "p2" }),
    );
    expect(sessions.map((session) => [session.id, session.messages.length])).toEqual([
      ["s1", 1],
      ["s1/agent-x1", 3],
    ]);
  });

  it("keeps sub-agents in separate sessions", () => {
    const side = { isSidechain: true };
    const { sessions } = parse(
      user("u1", "go"),
      user("x1", "explore", { ...side, agentId: "7f" }),
      assistant("x2", "m9", { type: "text", text: "found" }, { ...side, agentId: "7f", parentUuid: "x1" }),
      user("y1", "other, without an id", side),
      assistant("y2", "m10", { type: "text", text: "ok" }, { ...side, parentUuid: "y1" }),
      assistant("a1", "msg1", { type: "text", text: "done" }),
    );
    expect(sessions.map((session) => [session.id, session.messages.length, session.meta.parentId])).toEqual([
      ["s1", 2, undefined],
      ["s1/agent-7f", 2, "s1"],
      ["s1/agent-y1", 2, "s1"],
    ]);
  });

  it("marks text that the agent inserted into user messages", () => {
    const { sessions } = parse(
      user("u1", "fix it"),
      user("u2", "<command-name>/clear</command-name>"),
      user("u3", "Base directory for this skill", { isMeta: true }),
      user("u4", [{ type: "text", text: "[Request interrupted by user]" }]),
      user("u5", "<agent-notification>\n<status>completed</status>\n</agent-notification>"),
      user("u6", "<user-prompt-submit-hook>lint passed</user-prompt-submit-hook>"),
      user("u7", "<app-notification> never closes on a phone, always add a button"),
      user("u8", "Operation stopped by hook: another session is active"),
      user("u9", "<command-message>plan</command-message>\n<command-name>/plan</command-name>"),
    );
    const synthetic = sessions[0]?.messages
      .map((message) => message.parts[0])
      .map((part) => part && "synthetic" in part);
    expect(synthetic).toEqual([false, true, true, true, true, true, false, true, false]);
  });

  it("keeps prompts typed while the agent worked, unless withdrawn or repeated as a line", () => {
    const { sessions } = parse(
      user("u1", "go"),
      assistant("a1", "msg1", call("c1")),
      queue("enqueue", "and mind the tests"),
      queue("remove"),
      user("u2", result("c1")),
      queue("enqueue", "later"),
      queue("dequeue"),
      user("u3", "later"),
      queue("enqueue", "never mind"),
      queue("popAll"),
      queue("enqueue", "<task-notification>done</task-notification>"),
      queue("remove"),
    );
    const said = sessions[0]?.messages.flatMap(({ role, parts }) =>
      parts.map((part) => {
        if (part.type !== "text") return part.type;
        return part.synthetic ? `agent: ${part.text}` : `${role}: ${part.text}`;
      }),
    );
    expect(said).toEqual([
      "user: go",
      "tool-call",
      "tool-result",
      "user: and mind the tests",
      "user: later",
      "agent: <task-notification>done</task-notification>",
    ]);
  });

  it("reads a line that a resumed session copied only once", () => {
    const copied = user("u1", "go");
    const { sessions, skipped } = parse(copied, copied);
    expect(sessions[0]?.messages).toHaveLength(1);
    expect(skipped).toEqual([{ line: 2, kind: "duplicate", text: "line u1 came before" }]);
  });

  it("reads two records on one line", () => {
    const text = `${JSON.stringify(user("u1", 'a "}{" b'))}${JSON.stringify({ type: "summary", summary: "Title", leafUuid: "u1" })}`;
    const { sessions, skipped } = parseTranscript(text);
    expect(skipped).toEqual([]);
    expect(sessions[0]).toMatchObject({ messages: [{ id: "u1" }], meta: { title: "Title" } });
  });

  it("prefers the user's own title", () => {
    const { sessions } = parse({ type: "custom-title", customTitle: "Mine", sessionId: "s1" }, user("u1", "go"), {
      type: "summary",
      summary: "Theirs",
      leafUuid: "u1",
    });
    expect(sessions[0]?.meta).toMatchObject({ title: "Mine", cwd: "/home/ada" });
  });

  it("takes no title from the summary of another session", () => {
    const summary = (text: string, leafUuid: string) => ({ type: "summary", summary: text, leafUuid });
    const other = summary("Another session", "z9");
    const { sessions } = parse(other, user("u1", "go"), other);
    expect(sessions[0]?.meta.title).toBeUndefined();
    const own = parse(other, user("u1", "go"), summary("This session", "u1"), other);
    expect(own.sessions[0]?.meta.title).toBe("This session");
  });

  it("separates an API error from an answer", () => {
    const failed = { isApiErrorMessage: true };
    const { sessions } = parse(
      user("u1", "go"),
      assistant("a1", "m1", { type: "text", text: "API Error: 529" }, failed),
    );
    expect(sessions[0]?.messages[1]?.error).toEqual({ name: "ApiError", message: "API Error: 529" });
  });

  it("takes folder, branch and version from the first record that has them", () => {
    const place = { gitBranch: "main", version: "2.1.325" };
    const { sessions } = parse(
      queue("enqueue", "Find the bug"),
      queue("dequeue"),
      user("u1", "Find the bug", { ...place, gitBranch: "" }),
      line("attachment", "t1", { ...place, attachment: { type: "date" } }),
      assistant("a1", "m1", { type: "text", text: "Found" }, { ...place, cwd: "/elsewhere", gitBranch: "fix" }),
    );
    expect(sessions[0]?.meta).toMatchObject({ cwd: "/home/ada", branch: "main", version: "2.1.325" });
    expect(sessions[0]?.meta.startedAt).toBeLessThan(sessions[0]?.messages[0]?.createdAt ?? 0);
  });

  it("does not take the folder of a session from its sub-agent", () => {
    const { sessions } = parse(queue("enqueue", "go"), user("x1", "explore", { isSidechain: true, cwd: "/tmp/copy" }));
    expect(sessions.map(({ meta }) => meta.cwd)).toEqual([undefined, "/tmp/copy"]);
  });

  it("separates reminders from the question, in the same block or not", () => {
    const reminder = (text: string) => `<system-reminder>\n${text}\n</system-reminder>`;
    const reminders = Array.from({ length: 9 }, (_, i) => ({ type: "text", text: reminder(`Rule ${i}`) }));
    const { sessions } = parse(
      user("u1", [...reminders, { type: "text", text: "Which database holds the invoices?" }]),
      user("u2", `${reminder("one")}\n${reminder("two")}\n\nAnd the orders?\n${reminder("three")}`),
      user("u3", "Why is there <system-reminder> in the log?"),
      user("u4", "<system-reminder> without an end"),
    );
    const said = sessions[0]?.messages.map(({ parts }) =>
      parts.flatMap((part) => (part.type === "text" && !part.synthetic ? [part.text.trim()] : [])),
    );
    expect(said).toEqual([
      ["Which database holds the invoices?"],
      ["And the orders?"],
      ["Why is there <system-reminder> in the log?"],
      [],
    ]);
  });

  it("knows the bookkeeping records of current versions and reads no messages from them", () => {
    const { sessions, skipped, ignored } = parse(
      user("u1", "go"),
      { type: "atis-latch", atis: "", sessionId: "s1" },
      { type: "api-request-shape", sessionId: "s1", shapeHash: "h", shape: { system: [], tools: [] } },
      { type: "api-request-blob", sessionId: "s1", hash: "h", message: { role: "user", content: "go" } },
      { type: "api-request", sessionId: "s1", id: "r1", params: { model: "claude-opus-4-5" }, tail: ["h"] },
      { type: "tools-used", tools: ["Bash"], sessionId: "s1" },
      { type: "cost-state", sessionId: "s1", totalCostUSD: 0.1 },
    );
    expect(skipped).toEqual([]);
    expect(sessions[0]?.messages).toHaveLength(1);
    expect(Object.keys(ignored)).toHaveLength(6);
  });

  it("counts ignored records and reports unknown ones", () => {
    const { ignored, skipped } = parse(
      user("u1", "go"),
      { type: "file-history-snapshot", messageId: "u1", snapshot: {} },
      line("system", "t1", { subtype: "turn_duration", durationMs: 5 }),
      { type: "hologram", uuid: "h1" },
    );
    expect(ignored).toEqual({ "file-history-snapshot": 1, "system/turn_duration": 1 });
    expect(skipped).toEqual([{ line: 4, kind: "unknown", text: 'a record of type "hologram"' }]);
  });
});
