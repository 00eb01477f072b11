import { describe, expect, it } from "vitest";
import { parseTranscript } from "../parse-transcript.ts";

const opencode = {
  info: { id: "ses_1", title: "Fix", directory: "/repo", version: "1.17", time: { created: 1_760_000_000_000 } },
  messages: [
    {
      info: { id: "m1", role: "user", sessionID: "ses_1", summary: { diffs: [] } },
      parts: [{ type: "text", text: "go" }],
    },
    {
      info: {
        id: "m2",
        role: "assistant",
        modelID: "claude-sonnet-4-5",
        finish: "tool-calls",
        tokens: { input: 5, output: 6, cache: { read: 7, write: 8 } },
      },
      parts: [
        { type: "step-start", snapshot: "abc" },
        { type: "reasoning", text: "hm", metadata: { anthropic: { signature: "sig" } } },
        {
          type: "tool",
          callID: "c1",
          tool: "read",
          state: { status: "completed", input: { filePath: "a" }, output: "A" },
        },
        { type: "tool", callID: "c2", tool: "bash", state: { status: "error", input: {}, error: "no" } },
        { type: "tool", callID: "c3", tool: "bash", state: { status: "running", input: {} } },
        {
          type: "tool",
          callID: "c4",
          tool: "read",
          state: { status: "completed", input: {}, output: "old", time: { compacted: 1_760_000_000_500 } },
        },
        { type: "patch", hash: "h", files: ["a"] },
      ],
    },
    { info: { id: "m3", role: "user" }, parts: [{ type: "compaction", auto: true }] },
    { info: { id: "m4", role: "assistant", summary: true }, parts: [{ type: "text", text: "We fixed it." }] },
    {
      info: { id: "m5", role: "assistant", error: { name: "MessageAbortedError", data: { message: "stopped" } } },
      parts: [{ type: "text", text: "half", synthetic: true }],
    },
  ],
};

describe("OpenCode", () => {
  const { sessions, format } = parseTranscript(JSON.stringify(opencode, null, 2));
  const messages = sessions[0]?.messages ?? [];

  it("puts the results after their step, and leaves an unfinished call without one", () => {
    expect(format).toBe("opencode");
    expect(messages.slice(0, 3).map(({ role, parts }) => [role, parts.map((part) => part.type)])).toEqual([
      ["user", ["text"]],
      ["assistant", ["step-start", "reasoning", "tool-call", "tool-call", "tool-call", "tool-call", "opaque"]],
      ["tool", ["tool-result", "tool-result", "tool-result"]],
    ]);
    expect(messages[2]?.parts).toMatchObject([
      { output: { type: "text", value: "A" } },
      { output: { type: "error-text", value: "no" } },
      { compactedAt: 1_760_000_000_500 },
    ]);
  });

  it("treats only assistant messages as summaries", () => {
    expect(messages[0]?.isSummary).toBeUndefined();
    expect(sessions[0]?.compactions).toMatchObject([{ at: 4, summary: "We fixed it.", summaryMessageId: "m4" }]);
    expect(messages[3]?.isCompactionTrigger).toBe(true);
    expect(messages[4]?.isSummary).toBe(true);
  });

  it("reads model, usage, finish reason and error of a message", () => {
    expect(messages[1]).toMatchObject({
      modelId: "claude-sonnet-4-5",
      finishReason: "tool-calls",
      usage: { input: 5, output: 6, cache: { read: 7, write: 8 } },
    });
    expect(messages[5]?.error).toEqual({ name: "MessageAbortedError", message: "stopped", aborted: true });
  });

  it("keeps provider metadata, files in results, and reasoning tokens", () => {
    const metadata = { anthropic: { caller: { type: "direct" } } };
    const attachments = [
      { type: "file", mime: "image/png", url: "data:image/png;base64,AA==", filename: "a.png" },
      { type: "file", mime: "application/pdf", url: "https://example.com/a.pdf" },
    ];
    const state = { status: "completed", input: {}, output: "read", attachments };
    const parts = [
      { type: "text", text: "hi", metadata },
      { type: "text", text: "on", metadata: { note: 1 } },
      { type: "tool", callID: "c1", tool: "read", state, metadata },
    ];
    const info = { id: "m1", role: "assistant", tokens: { input: 1, output: 2, reasoning: 3 } };
    const read = parseTranscript(JSON.stringify({ info: { id: "s" }, messages: [{ info, parts }] })).sessions[0];
    expect(read?.messages[0]?.parts).toMatchObject([
      { providerOptions: metadata },
      { foreign: { fields: { metadata: { note: 1 } } } },
      { type: "tool-call", providerOptions: metadata },
    ]);
    expect(read?.messages[0]?.usage?.output).toBe(5);
    expect(read?.messages[1]?.parts).toMatchObject([
      {
        output: {
          type: "content",
          value: [
            { type: "text", text: "read" },
            { type: "image-data", data: "AA==", mediaType: "image/png" },
            { type: "file-url", url: "https://example.com/a.pdf" },
          ],
        },
      },
    ]);
  });

  it("counts parts that are not objects", () => {
    const messages = [{ info: { role: "user" }, parts: [5, { type: "text", text: "go" }, null] }];
    const read = parseTranscript(JSON.stringify({ info: { id: "s" }, messages }));
    expect(read.sessions[0]?.messages[0]?.parts).toHaveLength(1);
    expect(read.skipped.map(({ text }) => text)).toEqual(["part 0 is not an object", "part 2 is not an object"]);
  });

  it("has the session metadata, also if it comes last", () => {
    const { info, messages: list } = opencode;
    const late = parseTranscript(JSON.stringify({ messages: list, info }));
    expect(late.sessions[0]).toMatchObject({ id: "ses_1", meta: { title: "Fix", cwd: "/repo" } });
  });

  it("reads several exports, one per line, and messages in lines after their session", () => {
    const { info } = opencode;
    const said = (id: string, sessionID: string) => ({
      info: { id, role: "user", sessionID },
      parts: [{ type: "text", text: id }],
    });
    const lines = [
      { info, messages: [said("m1", "ses_1"), 5] },
      { info: { ...info, id: "ses_2", parentID: "ses_1" }, messages: [] },
      said("m2", "ses_2"),
      said("m3", "ses_1"),
      { info: null, parts: [] },
    ];
    const parsed = parseTranscript(lines.map((line) => JSON.stringify(line)).join("\n"));
    expect(parsed.format).toBe("opencode");
    expect(parsed.sessions.map(({ id, messages: all, meta }) => [id, all.map((one) => one.id), meta.parentId])).toEqual(
      [
        ["ses_1", ["m1", "m3"], undefined],
        ["ses_2", ["m2"], "ses_1"],
      ],
    );
    expect(parsed.skipped.map(({ line, kind }) => [line, kind])).toEqual([
      [1, "broken"],
      [5, "broken"],
    ]);
  });

  it.each([
    ['"Fix the \\"cart\\" page"', 'Fix the "cart" page'],
    ['"one" and "two"', '"one" and "two"'],
    ['"word"', '"word"'],
    ["plain words", "plain words"],
  ])("removes the quotes that `opencode run` adds to a prompt: %s", (written, typed) => {
    const messages = ["user", "assistant"].map((role) => ({
      info: { role },
      parts: [{ type: "text", text: written }],
    }));
    const read = parseTranscript(JSON.stringify({ info: { id: "s" }, messages })).sessions[0]?.messages;
    expect(read?.map(({ parts }) => parts[0])).toMatchObject([{ text: typed }, { text: written }]);
  });
});
