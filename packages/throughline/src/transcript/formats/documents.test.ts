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

  it("puts the results of a step behind it, and leaves a call that never ended without one", () => {
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

  it("takes only an assistant's message for a summary", () => {
    expect(messages[0]?.isSummary).toBeUndefined();
    expect(sessions[0]?.compactions).toMatchObject([{ at: 4, summary: "We fixed it.", summaryMessageId: "m4" }]);
    expect(messages[3]?.isCompactionTrigger).toBe(true);
    expect(messages[4]?.isSummary).toBe(true);
  });

  it("knows model, usage, end and error of a message", () => {
    expect(messages[1]).toMatchObject({
      modelId: "claude-sonnet-4-5",
      finishReason: "tool-calls",
      usage: { input: 5, output: 6, cache: { read: 7, write: 8 } },
    });
    expect(messages[5]?.error).toEqual({ name: "MessageAbortedError", message: "stopped", aborted: true });
  });

  it("has the facts of the session, also when they come last", () => {
    const { info, messages: list } = opencode;
    const late = parseTranscript(JSON.stringify({ messages: list, info }));
    expect(late.sessions[0]).toMatchObject({ id: "ses_1", meta: { title: "Fix", cwd: "/repo" } });
  });
});

const geminiMessages = [
  { id: "1", timestamp: "2026-01-01T00:00:00Z", type: "user", content: "hello" },
  {
    id: "2",
    timestamp: "2026-01-01T00:00:01Z",
    type: "gemini",
    content: "",
    model: "gemini-2.5-pro",
    thoughts: [{ subject: "Plan", description: "read it" }],
    tokens: { input: 100, output: 5, cached: 60, thoughts: 2, tool: 0, total: 107 },
    toolCalls: [
      {
        id: "read_file-1-a",
        name: "read_file",
        args: { path: "a" },
        status: "success",
        result: [{ functionResponse: { id: "x", name: "read_file", response: { output: "A" } } }],
      },
      {
        id: "shell-1-b",
        name: "run_shell_command",
        args: {},
        status: "cancelled",
        result: [{ functionResponse: { response: { error: "cancelled" } } }],
      },
    ],
  },
  { id: "3", timestamp: "2026-01-01T00:00:02Z", type: "info", content: "update available" },
  { id: "4", timestamp: "2026-01-01T00:00:03Z", type: "user", content: [{ text: "and" }, { text: "on" }] },
];
const gemini = { sessionId: "g1", projectHash: "abc", startTime: "2026-01-01T00:00:00Z", messages: geminiMessages };

describe("Gemini CLI", () => {
  it("reads thoughts, calls and results of a document", () => {
    const { sessions, format, passedOver } = parseTranscript(JSON.stringify(gemini, null, 2));
    expect(format).toBe("gemini-cli");
    expect(sessions[0]?.id).toBe("g1");
    expect(sessions[0]?.messages.map(({ role, parts }) => [role, parts.map((part) => part.type)])).toEqual([
      ["user", ["text"]],
      ["assistant", ["reasoning", "tool-call", "tool-call"]],
      ["tool", ["tool-result", "tool-result"]],
      ["user", ["text", "text"]],
    ]);
    expect(sessions[0]?.messages[1]?.usage).toEqual({ input: 40, output: 7, cache: { read: 60, write: 0 } });
    expect(sessions[0]?.messages[2]?.parts).toMatchObject([
      { output: { type: "text", value: "A" } },
      { output: { type: "error-text", value: "cancelled" } },
    ]);
    expect(passedOver).toEqual({ "message/info": 1 });
  });

  it("takes a session in which nobody spoke for an empty session", () => {
    const quiet = { ...gemini, messages: [{ id: "1", timestamp: "t", type: "warning", content: "old" }] };
    expect(parseTranscript(JSON.stringify(quiet)).sessions).toMatchObject([{ id: "g1", messages: [] }]);
  });

  it("applies what later lines change: replace, patch, rewind", () => {
    const { messages: _, ...head } = gemini;
    const [hello, reply, , on] = geminiMessages;
    const lines = [
      head,
      hello,
      { ...reply, content: "first try" },
      { ...reply, content: "second try" },
      on,
      { $set: { summary: "A title" } },
      { $rewindTo: "4" },
      { ...on, id: "5", content: "instead" },
    ];
    const { sessions } = parseTranscript(lines.map((one) => JSON.stringify(one)).join("\n"));
    const texts = sessions[0]?.messages.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === "text" ? [part.text] : [])),
    );
    expect(texts).toEqual(["hello", "second try", "instead"]);
    expect(sessions[0]?.meta.title).toBe("A title");
  });
});

describe("lists of messages", () => {
  const chat = [
    { role: "system", content: "Be brief." },
    { role: "user", content: "hi" },
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "c1", type: "function", function: { name: "f", arguments: "{}" } }],
    },
    { role: "tool", tool_call_id: "c1", content: "42" },
  ];

  it("are OpenAI's where calls say so, as a list, in a request and as lines", () => {
    for (const text of [JSON.stringify(chat), JSON.stringify({ model: "gpt-4o", messages: chat }, null, 1)]) {
      const { format, sessions } = parseTranscript(text);
      expect(format).toBe("openai");
      expect(sessions[0]?.messages.map((message) => message.role)).toEqual(["system", "user", "assistant", "tool"]);
      expect(sessions[0]?.messages[3]?.parts[0]).toMatchObject({ toolName: "f" });
    }
    const lines = [{ messages: chat }, { messages: chat.slice(0, 2) }].map((one) => JSON.stringify(one)).join("\n");
    expect(parseTranscript(lines).sessions.map((session) => session.messages.length)).toEqual([4, 2]);
  });

  it("are found in files of many sessions", () => {
    const trajectories = [
      { task_id: 7, trial: 0, traj: chat, info: { task: { actions: ["secret"] } } },
      { task_id: 7, trial: 1, traj: chat.slice(0, 2) },
    ];
    const { sessions } = parseTranscript(JSON.stringify(trajectories));
    expect(sessions.map((session) => [session.id, session.messages.length])).toEqual([
      ["7-0", 4],
      ["7-1", 2],
    ]);
    expect(JSON.stringify(sessions)).not.toContain("secret");
    const simulations = { info: { policy: "p" }, tasks: [{ id: "t" }], simulations: [{ id: "sim", messages: chat }] };
    expect(parseTranscript(JSON.stringify(simulations)).sessions).toMatchObject([{ id: "sim" }]);
  });

  it("are read where calls are written flat", () => {
    const flat = [
      { role: "assistant", content: "Hello", tool_calls: null },
      { role: "user", content: "hi", tool_calls: null },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "c1", name: "f", arguments: { a: 1 }, requestor: "assistant" }],
      },
      { role: "tool", id: "c1", content: "42", error: false },
    ];
    const { sessions, skipped } = parseTranscript(JSON.stringify({ simulations: [{ id: "s", messages: flat }] }));
    expect(skipped).toEqual([]);
    expect(sessions[0]?.messages[2]?.parts[0]).toMatchObject({ type: "tool-call", toolCallId: "c1", input: { a: 1 } });
    expect(sessions[0]?.messages[3]?.parts[0]).toMatchObject({ type: "tool-result", toolCallId: "c1", toolName: "f" });
  });

  it("are Anthropic's, the AI SDK's or OpenAI's Responses by their blocks", () => {
    const anthropic = {
      system: "Be brief.",
      messages: [
        { role: "user", content: "hi" },
        { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "f", input: {} }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "42" }] },
      ],
    };
    const sdk = [
      { role: "user", content: "hi" },
      { role: "assistant", content: [{ type: "tool-call", toolCallId: "t1", toolName: "f", input: {} }] },
    ];
    const ui = [{ id: "1", role: "user", parts: [{ type: "text", text: "hi" }] }];
    const items = [
      { type: "message", role: "user", content: "hi" },
      { type: "function_call", call_id: "t1", name: "f", arguments: "{}" },
      { type: "function_call_output", call_id: "t1", output: "42" },
    ];
    const read = (value: unknown) => {
      const { format, sessions } = parseTranscript(JSON.stringify(value));
      return [format, sessions[0]?.messages.map((message) => message.role).join(" ")];
    };
    expect(read(anthropic)).toEqual(["anthropic", "system user assistant tool"]);
    expect(read(sdk)).toEqual(["ai-sdk", "user assistant"]);
    expect(read(ui)).toEqual(["ai-sdk", "user"]);
    expect(read(items)).toEqual(["openai", "user assistant tool"]);
  });

  it("lose only the message that is broken", () => {
    const { sessions, skipped } = parseTranscript(JSON.stringify([...chat, { role: "wizard", content: "?" }, 5, null]));
    expect(sessions[0]?.messages).toHaveLength(4);
    expect(skipped.map(({ line, kind }) => [line, kind])).toEqual([
      [5, "broken"],
      [6, "broken"],
      [7, "broken"],
    ]);
    expect(skipped[0]?.text).toBe('unknown role "wizard"');
  });

  it("keep what came before the place where a document breaks off", () => {
    const text = JSON.stringify(chat);
    const { sessions, skipped } = parseTranscript(text.slice(0, text.length - 20));
    expect(sessions[0]?.messages).toHaveLength(3);
    expect(skipped).toMatchObject([{ kind: "broken", line: 4 }]);
  });
});
