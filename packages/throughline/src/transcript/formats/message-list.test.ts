import { describe, expect, it } from "vitest";
import { parseTranscript } from "../parse-transcript.ts";

const user = { role: "user", content: "hi" };
const rolesOf = (value: unknown) =>
  parseTranscript(JSON.stringify(value)).sessions.map(({ id, messages }) => [
    id,
    messages.map((message) => message.role).join(" "),
  ]);

describe("message lists", () => {
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

  it("are OpenAI's if their calls say so, as a list, in a request and as lines", () => {
    for (const text of [JSON.stringify(chat), JSON.stringify({ model: "gpt-4o", messages: chat }, null, 1)]) {
      const { format, sessions } = parseTranscript(text);
      expect(format).toBe("openai");
      expect(sessions[0]?.messages.map((message) => message.role)).toEqual(["system", "user", "assistant", "tool"]);
      expect(sessions[0]?.messages[3]?.parts[0]).toMatchObject({ toolName: "f" });
    }
    const lines = [{ messages: chat }, { messages: chat.slice(0, 2) }].map((one) => JSON.stringify(one)).join("\n");
    expect(parseTranscript(lines).sessions.map((session) => session.messages.length)).toEqual([4, 2]);
  });

  it("are found in files with many sessions", () => {
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

  it("are read if calls are written flat", () => {
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

  it("lose only a broken message", () => {
    const { sessions, skipped } = parseTranscript(JSON.stringify([...chat, { role: "wizard", content: "?" }, 5, null]));
    expect(sessions[0]?.messages).toHaveLength(4);
    expect(skipped.map(({ line, kind }) => [line, kind])).toEqual([
      [5, "broken"],
      [6, "broken"],
      [7, "broken"],
    ]);
    expect(skipped[0]?.text).toBe('unknown role "wizard"');
  });

  it("keep the records before the end of a truncated document", () => {
    const text = JSON.stringify(chat);
    const { sessions, skipped } = parseTranscript(text.slice(0, text.length - 20));
    expect(sessions[0]?.messages).toHaveLength(3);
    expect(skipped).toMatchObject([{ kind: "broken", line: 4 }]);
  });

  it("keep sessions with the same id separate", () => {
    const text = ["one", "two"].map((content) => JSON.stringify({ id: "a", messages: [{ role: "user", content }] }));
    const { sessions } = parseTranscript(text.join("\n"));
    expect(sessions.map(({ id, messages }) => [id, messages[0]?.sessionId, messages[0]?.parts])).toMatchObject([
      ["a", "a", [{ text: "one" }]],
      ["a~2", "a~2", [{ text: "two" }]],
    ]);
  });

  it("start with the system message wherever it is, and have their id", () => {
    expect(rolesOf({ messages: [user], system: "Be brief.", id: "x" })).toEqual([["x", "system user"]]);
    expect(rolesOf({ id: "x", system: "Be brief.", messages: [user] })).toEqual([["x", "system user"]]);
    expect(rolesOf([{ messages: [user], system: "Be brief.", id: "x" }])).toEqual([["x", "system user"]]);
  });

  it("read the instructions of a Responses request as a system message", () => {
    const request = { model: "gpt-5", input: [{ type: "message", ...user }], instructions: "Be brief." };
    expect(rolesOf(request)).toEqual([["session-1", "system user"]]);
    expect(rolesOf({ ...request, instructions: null })).toEqual([["session-1", "user"]]);
  });

  it("skip and count records of unknown types, and keep the known items", () => {
    const list = [
      user,
      { type: "banana", size: 3 },
      { type: "reasoning", summary: [] },
      { type: "mcp_approval_request", id: "m" },
      { type: "compaction", encrypted_content: "x" },
    ];
    const { sessions, skipped } = parseTranscript(JSON.stringify(list));
    expect(skipped).toEqual([{ line: 2, kind: "unknown", text: 'a record of type "banana"' }]);
    expect(sessions[0]?.messages.map((message) => message.parts.length)).toEqual([1, 3]);
  });

  it("of the AI SDK know from a call that its result came from the provider", () => {
    const call = { type: "tool-call", toolCallId: "t", toolName: "search", input: {}, providerExecuted: true };
    const result = { type: "tool-result", toolCallId: "t", toolName: "search", output: { type: "text", value: "x" } };
    const list = [user, { role: "assistant", content: [call] }, { role: "assistant", content: [result] }];
    const { sessions } = parseTranscript(JSON.stringify(list));
    expect(sessions[0]?.messages[2]?.parts[0]).toMatchObject({ type: "tool-result", providerExecuted: true });
  });
});
