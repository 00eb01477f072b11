import { describe, expect, it } from "vitest";
import type { Part } from "../../message/part.ts";
import { parseTranscript } from "../parse-transcript.ts";

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
    const { sessions, format, ignored } = parseTranscript(JSON.stringify(gemini, null, 2));
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
    expect(ignored).toEqual({ "message/info": 1 });
  });

  it("reads a session without messages as an empty session", () => {
    const quiet = { ...gemini, messages: [{ id: "1", timestamp: "t", type: "warning", content: "old" }] };
    expect(parseTranscript(JSON.stringify(quiet)).sessions).toMatchObject([{ id: "g1", messages: [] }]);
  });

  it("reads a list of messages, and loses only the broken one of a patch", () => {
    const said = (id: string) => ({ id, timestamp: "t", type: "user", content: id });
    const list = parseTranscript(JSON.stringify([said("1"), 5, said("2")]), "gemini-cli");
    expect(list.sessions[0]?.messages.map(({ id }) => id)).toEqual(["1", "2"]);
    expect(list.skipped).toHaveLength(1);
    const patch = { $set: { messages: [said("1"), null, { id: "x" }, { id: "y", type: "dance" }, said("2")] } };
    const patched = parseTranscript(
      [{ sessionId: "g", projectHash: "p" }, patch].map((one) => JSON.stringify(one)).join("\n"),
    );
    expect(patched.sessions[0]?.messages.map(({ id }) => id)).toEqual(["1", "2"]);
    expect(patched.skipped.map(({ kind }) => kind)).toEqual(["broken", "broken", "unknown"]);
  });

  it("applies later changes: replace, patch, rewind", () => {
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

  const call = (id: string | undefined, command: string) => ({
    functionCall: { ...(id ? { id } : {}), name: "run_shell_command", args: { command } },
  });
  const response = (id: string | undefined, output: string) => ({
    functionResponse: { ...(id ? { id } : {}), name: "run_shell_command", response: { output } },
  });
  const listed = (id: string, command: string, ...result: object[]) => ({
    id,
    name: "run_shell_command",
    args: { command },
    status: "success",
    ...(result.length === 0 ? {} : { result }),
  });
  const record = (id: string, type: string, content: unknown, more: object = {}) => ({
    id,
    timestamp: "2026-01-01T00:00:00Z",
    type,
    content,
    ...more,
  });
  const parseLines = (...records: object[]) =>
    parseTranscript([{ sessionId: "g1", projectHash: "abc" }, ...records].map((one) => JSON.stringify(one)).join("\n"));
  const told = (part: Part) => {
    if (part.type === "tool-call") return `call ${part.toolCallId}`;
    if (part.type === "tool-result") return `${part.toolCallId}: ${"value" in part.output ? part.output.value : ""}`;
    if (part.type === "text") return part.synthetic ? "(injected)" : part.text;
    return part.type;
  };
  const tell = (parsed: ReturnType<typeof parseTranscript>) =>
    parsed.sessions[0]?.messages.map(({ role, parts }) => `${role}: ${parts.map(told).join(", ")}`);

  it("reads calls and results in the content once", () => {
    const reply = record("2", "gemini", [{ text: "Running." }, call("c1", "ls"), call("c2", "pwd")], {
      toolCalls: [listed("c1", "ls", response("c1", "a"), response("c2", "/b")), listed("c2", "pwd")],
    });
    const parsed = parseLines(record("1", "user", [{ text: "go" }]), {
      $set: {
        messages: [
          record("1", "user", [{ text: "go" }]),
          reply,
          record("2_response", "user", [response("c1", "a"), response("c2", "/b")]),
          record("3", "user", [response("c1", "a"), response("c2", "/b")]),
          record("4", "gemini", [{ text: "hm", thought: true }, { text: "Done." }], {
            thoughts: [{ subject: "s", description: "d" }],
          }),
        ],
      },
    });
    expect(tell(parsed)).toEqual([
      "user: go",
      "assistant: Running., call c1, call c2",
      "tool: c1: a",
      "tool: c2: /b",
      "assistant: reasoning, Done.",
    ]);
    expect(parsed.ignored).toEqual({ "message/repeated-result": 1 });
    expect(parsed.skipped).toEqual([]);
  });

  it("does not treat a result outside a patch as user text, and keeps content beside it", () => {
    const parsed = parseLines(
      record("1", "user", [{ text: "go" }]),
      record("2", "gemini", "Running.", { toolCalls: [listed("c1", "ls")] }),
      record("3", "user", [response("c1", "a"), { text: "and mind the tests" }]),
      record("4", "user", [response("lost", "b")]),
    );
    expect(tell(parsed)).toEqual([
      "user: go",
      "assistant: Running., call c1",
      "tool: c1: a",
      "user: and mind the tests",
      "tool: lost: b",
    ]);
  });

  it("matches calls and results without ids", () => {
    const parsed = parseLines(
      record("1", "gemini", [call(undefined, "ls"), call(undefined, "pwd")], { toolCalls: [listed("c9", "pwd")] }),
      record("2", "user", [response(undefined, "a"), response("c9", "/b")]),
    );
    const [reply, results] = parsed.sessions[0]?.messages ?? [];
    const ids = [reply, results].map((message) =>
      message?.parts.map((part) => "toolCallId" in part && part.toolCallId),
    );
    expect(ids[0]).toEqual(ids[1]);
    expect(ids[0]?.[1]).toBe("c9");
  });

  it("recognizes text that Gemini CLI inserted into user messages, and reads the folder from it", () => {
    const context = "<session_context>\n- **Workspace Directories:**\n  - /home/ada/shop\n</session_context>";
    const parsed = parseLines(
      { $set: { messages: [record("0", "user", [{ text: context }])] } },
      record("1", "user", [
        { text: "Sum up @a.md" },
        { text: "\n--- Content from referenced files ---" },
        { text: "\nContent from @a.md:\n" },
        { text: "I prefer tabs.\n--- End of content ---" },
        { text: "\n--- End of content ---" },
      ]),
      record("2", "user", [{ text: "Shorter<hook_context>Lint passed</hook_context>" }]),
    );
    expect(tell(parsed)).toEqual([
      "user: (injected)",
      "user: Sum up @a.md, (injected), (injected), (injected), (injected)",
      "user: Shorter, (injected)",
    ]);
    expect(parsed.sessions[0]?.meta.cwd).toBe("/home/ada/shop");
  });

  it("keeps messages that a compaction removed, and does not repeat those it kept", () => {
    const snapshot = record("s", "user", [{ text: "<state_snapshot>We ran ls.</state_snapshot>" }]);
    const kept = [
      snapshot,
      record("k1", "user", [{ text: "And pwd?" }]),
      record("k2", "gemini", [{ text: "Running." }, call("c1", "pwd")]),
    ];
    const parsed = parseLines(
      record("1", "user", [{ text: "Run ls" }]),
      record("2", "gemini", "a"),
      record("3", "user", [{ text: "And pwd?" }]),
      record("4", "gemini", "Running.", { toolCalls: [listed("c1", "pwd", response("c1", "/b"))] }),
      { $set: { messages: kept } },
      record("5", "user", [{ text: "And pwd?" }]),
      { $set: { messages: [...kept, record("5", "user", [{ text: "And pwd?" }])] } },
    );
    expect(tell(parsed)).toEqual([
      "user: Run ls",
      "assistant: a",
      "user: And pwd?",
      "assistant: Running., call c1",
      "tool: c1: /b",
      "user: (injected)",
      "user: And pwd?",
    ]);
    expect(parsed.sessions[0]?.compactions).toMatchObject([{ at: 5, summaryMessageId: "s" }]);
    expect(parsed.sessions[0]?.messages[5]?.isSummary).toBe(true);
  });
});
