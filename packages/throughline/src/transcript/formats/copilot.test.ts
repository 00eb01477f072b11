import { describe, expect, it } from "vitest";
import { parseTranscript } from "../parse-transcript.ts";

let count = 0;
const event = (type: string, data: object, more: object = {}) => {
  count += 1;
  return { type, data, id: `e${count}`, timestamp: "2026-05-04T09:00:00Z", parentId: `e${count - 1}`, ...more };
};
const start = event("session.start", {
  sessionId: "s1",
  copilotVersion: "1.0.102",
  startTime: "2026-05-04T09:00:00Z",
  context: { cwd: "/repo", branch: "main" },
});
const request = (toolCallId: string) => ({ toolCallId, name: "bash", arguments: { command: "ls" }, type: "function" });
const parse = (...records: object[]) =>
  parseTranscript([start, ...records].map((record) => JSON.stringify(record)).join("\n"));

describe("Copilot CLI", () => {
  it("matches requests with their results", () => {
    const { sessions, skipped, ignored } = parse(
      event("user.message", { content: "go", transformedContent: "<current_datetime>now</current_datetime>\ngo" }),
      event("session.usage_record", {
        usage: { apiCallId: "a1", inputTokens: 100, outputTokens: 20, cacheReadTokens: 60, cacheWriteTokens: 5 },
      }),
      event("assistant.message", {
        content: "Running.",
        reasoningText: "hm",
        model: "gpt-5",
        apiCallId: "a1",
        toolRequests: [request("c1"), request("c2"), request("c3")],
      }),
      event("tool.execution_start", { toolCallId: "c1", toolName: "bash", arguments: {} }),
      event("tool.execution_complete", { toolCallId: "c1", success: true, result: { content: "a.ts" } }),
      event("tool.execution_complete", { toolCallId: "c2", success: false, error: { message: "No", code: "denied" } }),
      event("tool.execution_complete", { toolCallId: "c3", success: false, error: { message: "exit code 1" } }),
      event("hook.start", { hookType: "postToolUse" }),
      event("hook.end", { hookType: "postToolUse" }),
    );
    const [session] = sessions;
    expect(skipped).toEqual([]);
    expect(session).toMatchObject({ id: "s1", meta: { cwd: "/repo", branch: "main", version: "1.0.102" } });
    expect(session?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "tool", "tool"]);
    expect(session?.messages[0]?.parts).toMatchObject([{ type: "text", text: "go" }]);
    expect(session?.messages[1]).toMatchObject({
      modelId: "gpt-5",
      usage: { input: 40, output: 20, cache: { read: 60, write: 5 } },
    });
    expect(session?.messages.slice(2).map(({ parts }) => parts[0])).toMatchObject([
      { toolCallId: "c1", toolName: "bash", output: { type: "text", value: "a.ts" } },
      { toolCallId: "c2", output: { type: "execution-denied", reason: "No" } },
      { toolCallId: "c3", output: { type: "error-text", value: "exit code 1" } },
    ]);
    expect(ignored).toMatchObject({ "hook.start": 1, "hook.end": 1, "session.usage_record": 1 });
  });

  it("treats no text of a skill, an agent or Copilot as user text", () => {
    const { sessions } = parse(
      event("user.message", { content: "go", source: "user" }),
      event("user.message", { content: "How to read a PDF", source: "skill-pdf" }),
      event("user.message", { content: "Continue", isAutopilotContinuation: true }),
      event("system.notification", { content: "The shell has ended", kind: { type: "shell_completed" } }),
    );
    const synthetic = sessions[0]?.messages.map(({ parts: [part] }) => part?.type === "text" && part.synthetic);
    expect(synthetic).toEqual([undefined, true, true, true]);
  });

  it("keeps sub-agents in separate sessions, and reads compactions and the title", () => {
    const { sessions } = parse(
      event("user.message", { content: "go" }),
      event("assistant.message", { content: "found", toolRequests: [] }, { agentId: "explore-1" }),
      event("session.compaction_complete", { success: false, error: "too long" }),
      event("session.compaction_complete", {
        success: true,
        summaryContent: "We went.",
        preCompactionTokens: 90_000,
        postCompactionTokens: 5_000,
        trigger: "auto",
      }),
      event("session.title_changed", { title: "Going" }),
    );
    expect(sessions.map(({ id, messages, meta }) => [id, messages.length, meta.parentId, meta.title])).toEqual([
      ["s1", 1, undefined, "Going"],
      ["s1/agent-explore-1", 1, "s1", undefined],
    ]);
    expect(sessions[0]?.compactions).toMatchObject([
      { at: 1, trigger: "auto", summary: "We went.", tokensBefore: 90_000, tokensAfter: 5_000 },
    ]);
  });

  it("skips and counts unreadable records, and ignores tools that the user ran", () => {
    const { sessions, skipped, ignored } = parse(
      event("user.message", { content: "go" }),
      { type: "user.message", id: "x" },
      event("tool.execution_complete", { success: true }),
      event("tool.execution_complete", { toolCallId: "u1", success: true, isUserRequested: true }),
      event("telepathy.start", {}),
    );
    expect(sessions[0]?.messages).toHaveLength(1);
    expect(skipped.map(({ line, kind }) => [line, kind])).toEqual([
      [3, "broken"],
      [4, "broken"],
      [6, "unknown"],
    ]);
    expect(ignored).toEqual({ "tool.execution_complete/user": 1 });
  });
});
