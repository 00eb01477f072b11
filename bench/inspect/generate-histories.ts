import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";

/** One step of a generated session: a file that the agent reads, with its content. */
interface Step {
  readonly file: string;
  readonly output: string;
}

interface Generated {
  readonly number: number;
  readonly folder: string;
  readonly request: string;
  readonly steps: readonly Step[];
  /** Step before which the agent compacts; missing if it does not. */
  readonly compactedAt?: number;
}

/** A file to write, relative to the home folder. */
type GeneratedFile = readonly [file: string, content: string];

const TOPICS = ["cart", "invoice", "search", "login", "export", "calendar", "queue"];
const START = Date.UTC(2026, 3, 1, 8);
const MINUTE = 60_000;

/** The agents, each with the files of a session in its own format. */
const AGENTS: Readonly<Record<string, (session: Generated) => readonly GeneratedFile[]>> = {
  "claude-code": claudeCode,
  codex,
  opencode,
  "gemini-cli": geminiCli,
  cline,
};

/** Writes invented sessions of five agents to a home folder. The same number always gives the same sessions. */
export async function generateHistories(home: string, count: number): Promise<void> {
  const agents = Object.values(AGENTS);
  for (let number = 0; number < count; number += 1) {
    const write = agents[number % agents.length] ?? claudeCode;
    for (const [file, content] of write(generate(number))) {
      const target = path.join(home, file);
      await mkdir(path.dirname(target), { recursive: true });
      await writeFile(target, content);
    }
  }
}

/** One session of Claude Code with a compaction and about this many tokens. */
export function longHistory(tokens: number): readonly GeneratedFile[] {
  const output = "export function sum(value: number) {\n  return value * 2;\n}\n".repeat(60);
  const size = Math.ceil(tokens / 1_000);
  const steps = Array.from({ length: size }, (_, i) => ({ file: `src/part${i % (size / 2)}.ts`, output }));
  const request = "Repair all parts. Never push to main without asking me.";
  return claudeCode({ number: 0, folder: "/home/ada/parts", request, steps, compactedAt: Math.floor(size * 0.6) });
}

function generate(number: number): Generated {
  const topic = TOPICS[number % TOPICS.length] ?? "cart";
  const size = 6 + ((number * 7) % 40);
  const steps = Array.from({ length: size }, (_, i) => {
    // After the compaction the agent comes back to earlier files.
    const own = i < size * 0.6 ? i : i % Math.max(1, Math.floor(size * 0.3));
    const name = `${topic}Rule${number}_${own}`;
    return {
      file: `src/${topic}/${name}.ts`,
      output: `export function ${name}(value: number) {\n  return value * ${own + 2};\n}\n`.repeat(30),
    };
  });
  return {
    number,
    folder: `/home/ada/${topic}-${number % 20}`,
    request: `Repair the ${topic} of order ${number}. Never push to main without asking me.`,
    steps,
    ...(number % 10 < 4 && size > 12 && { compactedAt: Math.floor(size * 0.6) }),
  };
}

function at({ number }: Generated, step: number): string {
  return new Date(START + number * 60 * MINUTE + step * MINUTE).toISOString();
}

function lines(records: readonly object[]): string {
  return `${records.map((record) => JSON.stringify(record)).join("\n")}\n`;
}

function claudeCode(session: Generated): readonly GeneratedFile[] {
  const { number, folder, request, steps, compactedAt } = session;
  const sessionId = `generated-${number}`;
  const records: object[] = [];
  let window = 18_000;
  const add = (type: string, message: object, more: object = {}) => {
    const uuid = `${sessionId}-${records.length}`;
    const parentUuid = records.length === 0 ? null : `${sessionId}-${records.length - 1}`;
    const timestamp = at(session, records.length);
    records.push({ sessionId, isSidechain: false, cwd: folder, timestamp, type, uuid, parentUuid, message, ...more });
  };
  const usage = () => ({
    input_tokens: 4,
    cache_read_input_tokens: window - 1_004,
    cache_creation_input_tokens: 1_000,
    output_tokens: 40,
  });
  add("user", { role: "user", content: request });
  for (const [i, { file, output }] of steps.entries()) {
    if (i === compactedAt) {
      add("user", { role: "user", content: "The work so far was looked at." }, { isCompactSummary: true });
      window = 19_000;
    }
    const id = `toolu_${i}`;
    const content = [{ type: "tool_use", id, name: "Read", input: { file_path: `${folder}/${file}` } }];
    add("assistant", { id: `msg_${i}`, role: "assistant", model: "claude-sonnet-4-5", content, usage: usage() });
    add("user", { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: output }] });
    window += Math.round(output.length / 3.2);
  }
  return [[`.claude/projects/-home-ada-${number % 20}/${sessionId}.jsonl`, lines(records)]];
}

function codex(session: Generated): readonly GeneratedFile[] {
  const { number, folder, request, steps, compactedAt } = session;
  const records: object[] = [];
  const add = (type: string, payload: object) =>
    records.push({ timestamp: at(session, records.length), type, payload });
  add("session_meta", { id: `generated-${number}`, timestamp: at(session, 0), cwd: folder, cli_version: "0.166.0" });
  add("turn_context", { cwd: folder, model: "gpt-5-codex" });
  add("response_item", { type: "message", role: "user", content: [{ type: "input_text", text: request }] });
  for (const [i, { file, output }] of steps.entries()) {
    if (i === compactedAt) add("compacted", { message: "The work so far was looked at." });
    const call_id = `call_${i}`;
    add("response_item", {
      type: "function_call",
      name: "exec_command",
      arguments: JSON.stringify({ cmd: `cat ${file}` }),
      call_id,
    });
    add("response_item", { type: "function_call_output", call_id, output });
  }
  return [[`.codex/sessions/2026/04/01/rollout-generated-${number}.jsonl`, lines(records)]];
}

function opencode({ number, folder, request, steps }: Generated): readonly GeneratedFile[] {
  const id = `ses_generated${number}`;
  const root = ".local/share/opencode/storage";
  const created = START + number * 60 * MINUTE;
  const info = { id, title: request.slice(0, 60), directory: folder, version: "1.0.0", time: { created } };
  const files: GeneratedFile[] = [[`${root}/session/generated/${id}.json`, JSON.stringify(info)]];
  const message = (i: number, role: string, part: object) => {
    const name = `msg_${number}_${String(i).padStart(4, "0")}`;
    const about = { id: name, sessionID: id, role, modelID: "gpt-5", time: { created: created + i * MINUTE } };
    files.push([`${root}/message/${id}/${name}.json`, JSON.stringify(about)]);
    const own = { id: `prt_${name}`, messageID: name, sessionID: id, ...part };
    files.push([`${root}/part/${name}/prt_${name}.json`, JSON.stringify(own)]);
  };
  message(0, "user", { type: "text", text: request });
  for (const [i, { file, output }] of steps.entries()) {
    const state = { status: "completed", input: { filePath: file }, output };
    message(i + 1, "assistant", { type: "tool", callID: `call_${i}`, tool: "read", state });
  }
  return files;
}

function geminiCli(session: Generated): readonly GeneratedFile[] {
  const { number, request, steps } = session;
  const time = at(session, 0);
  const message = (id: string, type: string, content: unknown, more: object = {}) => {
    return { id, timestamp: time, type, content, ...more };
  };
  const replies = steps.map(({ file, output }, i) => {
    const response = { functionResponse: { id: `g${i}`, name: "read_file", response: { output } } };
    const call = { id: `g${i}`, name: "read_file", args: { absolute_path: file }, result: [response] };
    return message(`m${i + 1}`, "gemini", "", { toolCalls: [call], model: "gemini-2.5-pro" });
  });
  const head = { sessionId: `generated-${number}`, projectHash: "2e4f", startTime: time, lastUpdated: time };
  const document = { ...head, messages: [message("m0", "user", request), ...replies] };
  return [[`.gemini/tmp/generated/chats/session-${number}.json`, JSON.stringify(document)]];
}

function cline({ number, folder, request, steps }: Generated): readonly GeneratedFile[] {
  const text = (words: string) => ({ type: "text", text: words });
  const details = `<environment_details>\n# Current Working Directory (${folder}) Files\n</environment_details>`;
  const messages = [
    { role: "user", content: [text(`<task>\n${request}\n</task>`), text(details)], ts: START + number * 60 * MINUTE },
    ...steps.flatMap(({ file, output }) => [
      { role: "assistant", content: [text(`<read_file>\n<path>${file}</path>\n</read_file>`)] },
      { role: "user", content: [text(`[read_file for '${file}'] Result:`), text(output)] },
    ]),
  ];
  return [[`.cline/data/tasks/${START + number}/api_conversation_history.json`, JSON.stringify(messages)]];
}
