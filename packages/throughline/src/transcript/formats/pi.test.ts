import { describe, expect, it } from "vitest";
import { parseTranscript } from "../parse-transcript.ts";

const header = { type: "session", version: 3, id: "p1", timestamp: "2026-05-04T09:00:00.000Z", cwd: "/repo" };
let count = 0;
const entry = (type: string, more: object) => {
  count += 1;
  return { type, id: `e${count}`, parentId: `e${count - 1}`, timestamp: "2026-05-04T09:00:01.000Z", ...more };
};
const message = (role: string, more: object) => entry("message", { message: { role, ...more } });
const parse = (...records: object[]) =>
  parseTranscript([header, ...records].map((record) => JSON.stringify(record)).join("\n"));

describe("pi", () => {
  it("reads thinking, images, usage, failed results and errors", () => {
    const image = { type: "image", data: "AA==", mimeType: "image/png" };
    const { sessions, skipped } = parse(
      message("user", { content: [{ type: "text", text: "Look" }, image] }),
      message("assistant", {
        content: [
          { type: "thinking", thinking: "hm" },
          { type: "toolCall", id: "c1", name: "read", arguments: { path: "a.png" } },
          { type: "toolCall", id: "c2", name: "bash", arguments: { command: "false" } },
        ],
        model: "claude-sonnet-4-5",
        usage: { input: 10, output: 5, cacheRead: 3, cacheWrite: 2 },
        stopReason: "toolUse",
      }),
      message("toolResult", {
        toolCallId: "c1",
        toolName: "read",
        content: [{ type: "text", text: "An image" }, image],
      }),
      message("toolResult", {
        toolCallId: "c2",
        toolName: "bash",
        content: [{ type: "text", text: "exit code 1" }],
        isError: true,
      }),
      message("assistant", { content: [], stopReason: "aborted", errorMessage: "stopped" }),
    );
    const messages = sessions[0]?.messages ?? [];
    expect(skipped).toEqual([]);
    expect(messages.map(({ role, parts }) => `${role}: ${parts.map(({ type }) => type).join(" ")}`)).toEqual([
      "user: text file",
      "assistant: reasoning tool-call tool-call",
      "tool: tool-result",
      "tool: tool-result",
      "assistant: ",
    ]);
    expect(messages[1]).toMatchObject({
      modelId: "claude-sonnet-4-5",
      usage: { input: 10, output: 5, cache: { read: 3, write: 2 } },
    });
    expect(messages[2]?.parts).toMatchObject([
      { output: { type: "content", value: [{ type: "text" }, { data: "AA==" }] } },
    ]);
    expect(messages[3]?.parts).toMatchObject([{ output: { type: "error-text", value: "exit code 1" } }]);
    expect(messages[4]?.error).toEqual({ name: "AbortError", message: "stopped", aborted: true });
  });

  it("reads compactions, and treats no text of pi as user text", () => {
    const { sessions } = parse(
      message("user", { content: "go" }),
      entry("compaction", { summary: "We went.", firstKeptEntryId: "e1", tokensBefore: 50_000 }),
      entry("branch_summary", { fromId: "e1", summary: "Tried A." }),
      entry("custom_message", { customType: "lint", content: "Lint passed", display: true }),
      message("bashExecution", { command: "ls", output: "a.ts", exitCode: 0 }),
      message("custom", { customType: "lint", content: [{ type: "text", text: "Always lint" }] }),
      message("user", { content: "on" }),
    );
    const [session] = sessions;
    expect(session?.compactions).toMatchObject([{ at: 1, summary: "We went.", tokensBefore: 50_000 }]);
    expect(session?.messages[1]).toMatchObject({ isSummary: true, parts: [{ synthetic: true }] });
    const said = session?.messages.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === "text" && !part.synthetic ? [part.text] : [])),
    );
    expect(said).toEqual(["go", "on"]);
  });

  it("has the session metadata and the user's title", () => {
    const { sessions, ignored } = parse(
      message("user", { content: "go" }),
      entry("session_info", { name: "Refactor auth" }),
      entry("label", { targetId: "e1", label: "checkpoint" }),
    );
    expect(sessions[0]).toMatchObject({ id: "p1", meta: { cwd: "/repo", title: "Refactor auth" } });
    expect(ignored).toEqual({ session_info: 1, label: 1 });
  });

  it("skips and counts unreadable records", () => {
    const { sessions, skipped } = parse(
      message("user", { content: "go" }),
      message("wizard", { content: "?" }),
      entry("message", {}),
      message("user", { content: 5 }),
      entry("hologram", {}),
    );
    expect(sessions[0]?.messages).toHaveLength(1);
    expect(skipped.map(({ line, kind }) => [line, kind])).toEqual([
      [3, "broken"],
      [4, "broken"],
      [5, "broken"],
      [6, "unknown"],
    ]);
  });
});
