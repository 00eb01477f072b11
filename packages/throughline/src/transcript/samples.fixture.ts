import type { TranscriptFormat } from "./transcript.ts";

/** A short session in the format of one program: a request, a call, its result and an answer. */
export interface TranscriptSample {
  readonly name: string;
  readonly format: TranscriptFormat;
  readonly text: string;
}

const ASKED = "Never touch src/legacy. Which tests fail?";
const ANSWERED = "One test fails: cart.test.ts.";
const COMMAND = "npm test";
const OUTPUT = "1 failed | 20 passed";
const AT = "2026-05-04T09:00:00.000Z";
const FOLDER = "/home/ada/shop";

const lines = (...records: object[]) => `${records.map((record) => JSON.stringify(record)).join("\n")}\n`;
const pretty = (document: object) => JSON.stringify(document, null, 2);

function claudeCode(): string {
  const session = { sessionId: "c1a0de00-0000-4000-8000-000000000001" };
  const line = (type: string, uuid: string, parentUuid: string | null, more: object) => ({
    parentUuid,
    isSidechain: false,
    type,
    uuid,
    timestamp: AT,
    cwd: FOLDER,
    ...session,
    version: "2.1.325",
    gitBranch: "main",
    ...more,
  });
  const reply = (content: object[]) => ({
    message: { id: "msg_1", type: "message", role: "assistant", model: "claude-sonnet-4-5", content },
  });
  return lines(
    { type: "queue-operation", operation: "enqueue", timestamp: AT, ...session, content: ASKED },
    { type: "queue-operation", operation: "dequeue", timestamp: AT, ...session },
    line("user", "u1", null, { message: { role: "user", content: ASKED } }),
    line("attachment", "t1", "u1", { attachment: { type: "date", date: "2026-05-04" } }),
    { type: "atis-latch", atis: "", ...session },
    { type: "api-request", ...session, id: "r1", params: { model: "claude-sonnet-4-5" } },
    line(
      "assistant",
      "a1",
      "t1",
      reply([{ type: "tool_use", id: "toolu_1", name: "Bash", input: { command: COMMAND } }]),
    ),
    line("user", "u2", "a1", {
      message: { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: OUTPUT }] },
    }),
    line("assistant", "a2", "u2", { message: { ...reply([{ type: "text", text: ANSWERED }]).message, id: "msg_2" } }),
    { type: "cost-state", ...session, totalCostUSD: 0.01 },
  );
}

function codex(): string {
  const record = (type: string, payload: object) => ({ timestamp: AT, type, payload });
  const message = (role: string, text: string) =>
    record("response_item", {
      type: "message",
      role,
      content: [{ type: role === "assistant" ? "output_text" : "input_text", text }],
    });
  return lines(
    record("session_meta", { id: "0de0", timestamp: AT, cwd: FOLDER, cli_version: "0.166.0", git: { branch: "main" } }),
    record("turn_context", { cwd: FOLDER, model: "gpt-5-codex" }),
    message("user", `<environment_context>\n  <cwd>${FOLDER}</cwd>\n</environment_context>`),
    message("user", ASKED),
    record("response_item", {
      type: "function_call",
      name: "exec_command",
      arguments: JSON.stringify({ cmd: COMMAND }),
      call_id: "call_1",
    }),
    record("token_usage_record", { response_id: "resp_1", usage: { input_tokens: 100, output_tokens: 20 } }),
    record("response_item", { type: "function_call_output", call_id: "call_1", output: OUTPUT }),
    message("assistant", ANSWERED),
  );
}

const openCodeDocument = {
  info: { id: "ses_1", title: "Tests", directory: FOLDER, version: "1.18.33", time: { created: 1_777_885_200_000 } },
  messages: [
    {
      info: { id: "msg_1", sessionID: "ses_1", role: "user", time: { created: 1_777_885_200_000 } },
      parts: [{ id: "prt_1", type: "text", text: ASKED }],
    },
    {
      info: { id: "msg_2", sessionID: "ses_1", role: "assistant", modelID: "m", time: { created: 1_777_885_201_000 } },
      parts: [
        {
          id: "prt_2",
          type: "tool",
          callID: "call_1",
          tool: "bash",
          state: { status: "completed", input: { command: COMMAND }, output: OUTPUT },
        },
      ],
    },
    {
      info: { id: "msg_3", sessionID: "ses_1", role: "assistant", modelID: "m", time: { created: 1_777_885_202_000 } },
      parts: [{ id: "prt_3", type: "text", text: ANSWERED }],
    },
  ],
};

const geminiResponse = { functionResponse: { id: "g1", name: "run_shell_command", response: { output: OUTPUT } } };
const geminiCall = { id: "g1", name: "run_shell_command", args: { command: COMMAND }, result: [geminiResponse] };
const geminiHead = { sessionId: "f833f8a0", projectHash: "2e4f", startTime: AT, lastUpdated: AT, kind: "main" };
const geminiMessage = (id: string, type: string, content: unknown, more: object = {}) => ({
  id,
  timestamp: AT,
  type,
  content,
  ...more,
});

function geminiLines(): string {
  const context = `<session_context>\n- **Workspace Directories:**\n  - ${FOLDER}\n</session_context>`;
  return lines(
    geminiHead,
    { $set: { messages: [geminiMessage("m0", "user", [{ text: context }])], lastUpdated: AT } },
    geminiMessage("m1", "user", [{ text: ASKED }]),
    geminiMessage("m2", "gemini", "", { toolCalls: [geminiCall], model: "gemini-2.5-pro" }),
    geminiMessage("m3", "user", [geminiResponse]),
    { $set: { lastUpdated: AT } },
    geminiMessage("m4", "gemini", ANSWERED, { model: "gemini-2.5-pro" }),
  );
}

const geminiDocument = {
  ...geminiHead,
  messages: [
    geminiMessage("m1", "user", ASKED),
    geminiMessage("m2", "gemini", "", { toolCalls: [geminiCall] }),
    geminiMessage("m4", "gemini", ANSWERED),
  ],
};

const clineDetails = `<environment_details>\n# Current Working Directory (${FOLDER}) Files\npackage.json\n</environment_details>`;

/** History of a task: calls are text, results are in user messages. */
const clineTask = [
  {
    role: "user",
    content: [
      { type: "text", text: `<task>\n${ASKED}\n</task>` },
      { type: "text", text: clineDetails },
    ],
    ts: 1_777_885_200_000,
  },
  {
    role: "assistant",
    content: [
      {
        type: "text",
        text: `I run the tests.\n\n<execute_command>\n<command>${COMMAND}</command>\n<requires_approval>false</requires_approval>\n</execute_command>`,
      },
    ],
  },
  {
    role: "user",
    content: [
      { type: "text", text: `[execute_command for '${COMMAND}'] Result:` },
      { type: "text", text: `Command executed.\nOutput:\n${OUTPUT}` },
      { type: "text", text: clineDetails },
    ],
  },
  { role: "assistant", content: [{ type: "text", text: ANSWERED }] },
];

/** CLI session: calls and results are blocks. */
const clineSession = {
  version: 1,
  updated_at: AT,
  agent: "lead",
  sessionId: "1777885200000_abcde",
  origin: { source: "cli", mode: "user", sessionId: "1777885200000_abcde", version: "3.0.65" },
  messages: [
    {
      id: "m1",
      role: "user",
      content: [{ type: "text", text: `<user_input mode="act">${ASKED}</user_input>` }],
      ts: 1_777_885_200_000,
    },
    {
      id: "m2",
      role: "assistant",
      content: [
        { type: "text", text: "I run the tests." },
        { type: "tool_use", id: "call_1", name: "run_commands", input: { commands: [COMMAND] } },
      ],
      ts: 1_777_885_201_000,
      modelInfo: { id: "claude-sonnet-4-5", provider: "anthropic" },
      metrics: { inputTokens: 100, outputTokens: 20, cacheReadTokens: 60, cacheWriteTokens: 5 },
    },
    {
      id: "m3",
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: "call_1",
          name: "run_commands",
          content: [{ query: COMMAND, result: OUTPUT, success: true }],
        },
      ],
      ts: 1_777_885_202_000,
    },
    {
      id: "m4",
      role: "assistant",
      content: [{ type: "text", text: ANSWERED }],
      ts: 1_777_885_203_000,
      modelInfo: { id: "claude-sonnet-4-5", provider: "anthropic" },
    },
  ],
  system_prompt: `You are Cline.\n<env>\n4. Working Directory: ${FOLDER}\n</env>`,
};

function pi(): string {
  const entry = (type: string, id: string, parentId: string | null, more: object) => ({
    type,
    id,
    parentId,
    timestamp: AT,
    ...more,
  });
  const reply = (...content: object[]) => ({
    message: { role: "assistant", content, provider: "anthropic", model: "claude-sonnet-4-5", stopReason: "stop" },
  });
  return lines(
    { type: "session", version: 3, id: "01a1e3a1-73d3", timestamp: AT, cwd: FOLDER },
    entry("model_change", "e0", null, { provider: "anthropic", modelId: "claude-sonnet-4-5" }),
    entry("message", "e1", "e0", { message: { role: "user", content: [{ type: "text", text: ASKED }] } }),
    entry(
      "message",
      "e2",
      "e1",
      reply({ type: "toolCall", id: "call_1", name: "bash", arguments: { command: COMMAND } }),
    ),
    entry("message", "e3", "e2", {
      message: {
        role: "toolResult",
        toolCallId: "call_1",
        toolName: "bash",
        content: [{ type: "text", text: OUTPUT }],
        isError: false,
      },
    }),
    entry("message", "e4", "e3", reply({ type: "text", text: ANSWERED })),
  );
}

function copilot(): string {
  let count = 0;
  const event = (type: string, data: object) => {
    count += 1;
    return { type, data, id: `e${count}`, timestamp: AT, parentId: count === 1 ? null : `e${count - 1}` };
  };
  const call = { toolCallId: "call_1", name: "bash", arguments: { command: COMMAND }, type: "function" };
  return lines(
    event("session.start", {
      sessionId: "c0ef6a5e",
      version: 1,
      producer: "copilot-agent",
      copilotVersion: "1.0.102",
      startTime: AT,
      context: { cwd: FOLDER, branch: "main" },
    }),
    event("user.message", {
      content: ASKED,
      transformedContent: `<current_datetime>${AT}</current_datetime>\n${ASKED}`,
    }),
    event("system.message", { role: "system", content: "You are the GitHub Copilot CLI." }),
    event("assistant.turn_start", { turnId: "0" }),
    event("session.usage_record", {
      usage: { apiCallId: "a1", inputTokens: 100, outputTokens: 20, cacheReadTokens: 60 },
    }),
    event("assistant.message", { messageId: "m1", model: "gpt-5", content: "", toolRequests: [call], apiCallId: "a1" }),
    event("tool.execution_start", { toolCallId: "call_1", toolName: "bash", arguments: { command: COMMAND } }),
    event("hook.start", { hookInvocationId: "h1", hookType: "postToolUse" }),
    event("tool.execution_complete", { toolCallId: "call_1", success: true, result: { content: OUTPUT } }),
    event("assistant.message", { messageId: "m2", model: "gpt-5", content: ANSWERED, toolRequests: [] }),
  );
}

const openAi = [
  { role: "system", content: "Be brief." },
  { role: "user", content: ASKED },
  {
    role: "assistant",
    content: null,
    tool_calls: [
      { id: "call_1", type: "function", function: { name: "bash", arguments: JSON.stringify({ command: COMMAND }) } },
    ],
  },
  { role: "tool", tool_call_id: "call_1", content: OUTPUT },
  { role: "assistant", content: ANSWERED },
];

const anthropic = {
  model: "claude-sonnet-4-5",
  max_tokens: 1_000,
  system: "Be brief.",
  messages: [
    { role: "user", content: [{ type: "text", text: ASKED, cache_control: { type: "ephemeral" } }] },
    { role: "assistant", content: [{ type: "tool_use", id: "toolu_1", name: "bash", input: { command: COMMAND } }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: OUTPUT }] },
    { role: "assistant", content: [{ type: "text", text: ANSWERED }] },
  ],
};

const aiSdk = [
  { role: "user", content: [{ type: "text", text: ASKED, providerOptions: {} }] },
  {
    role: "assistant",
    content: [{ type: "tool-call", toolCallId: "call_1", toolName: "bash", input: { command: COMMAND } }],
  },
  {
    role: "tool",
    content: [{ type: "tool-result", toolCallId: "call_1", toolName: "bash", output: { type: "text", value: OUTPUT } }],
  },
  { role: "assistant", content: [{ type: "text", text: ANSWERED }] },
];

/** One session of every format, in every layout that its program writes. */
export const TRANSCRIPT_SAMPLES: readonly TranscriptSample[] = [
  { name: "Claude Code", format: "claude-code", text: claudeCode() },
  { name: "Codex", format: "codex", text: codex() },
  { name: "an export of OpenCode", format: "opencode", text: pretty(openCodeDocument) },
  { name: "Gemini CLI in lines", format: "gemini-cli", text: geminiLines() },
  { name: "Gemini CLI in one document", format: "gemini-cli", text: pretty(geminiDocument) },
  { name: "a task of Cline", format: "cline", text: JSON.stringify(clineTask) },
  { name: "a session of the Cline CLI", format: "cline", text: pretty(clineSession) },
  { name: "pi", format: "pi", text: pi() },
  { name: "Copilot CLI", format: "copilot", text: copilot() },
  { name: "messages of OpenAI", format: "openai", text: pretty(openAi) },
  { name: "messages of OpenAI in lines", format: "openai", text: lines(...openAi) },
  { name: "a request to Anthropic", format: "anthropic", text: pretty(anthropic) },
  { name: "messages of the AI SDK", format: "ai-sdk", text: pretty(aiSdk) },
];

/** Content of every sample. */
export const SAMPLE_CONTENT = { asked: ASKED, answered: ANSWERED, output: OUTPUT, folder: FOLDER };
