// A coding agent works 200 steps in a window of 16,000 tokens, on real files. No key, no network: its model is a
// script.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { APICallError, isStepCount, jsonSchema, ToolLoopAgent, tool, wrapLanguageModel } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { countTokens, validateWindow } from "throughline";
import { createThroughline, middleware } from "throughline/ai-sdk"; // ← Throughline

const LIMIT = 16_000;
const TASK = "Rename getUser to fetchUser in every file of src, and run every fourth one. Never touch legacy.mjs.";

// The folder: 88 files to change, and one that must stay.
const folder = mkdtempSync(join(tmpdir(), "coding-agent-"));
process.on("exit", () => rmSync(folder, { recursive: true }));
const at = (path: string) => join(folder, path);
mkdirSync(at("src"));
const calls = Array.from({ length: 40 }, (_, id) => `users.push(getUser(${id}));`).join("\n");
const names = Array.from({ length: 88 }, (_, i) => `file-${String(i).padStart(2, "0")}.mjs`);
const source = (name: string) => `// ${name}
const users = [];
const getUser = (id) => ({ id, from: "${name}" });
${calls}
console.log(users.length, "users in ${name}");
`;
for (const name of [...names, "legacy.mjs"]) writeFileSync(at(`src/${name}`), source(name));

// The tools work on the real folder.
const input = (...fields: string[]) =>
  jsonSchema<Record<string, string>>({
    type: "object",
    properties: Object.fromEntries(fields.map((field) => [field, { type: "string" as const }])),
    required: fields,
  });
const fileTools = {
  list: tool({ inputSchema: input("path"), execute: async ({ path = "" }) => readdirSync(at(path)).join("\n") }),
  read: tool({ inputSchema: input("path"), execute: async ({ path = "" }) => readFileSync(at(path), "utf8") }),
  write: tool({
    inputSchema: input("path", "text"),
    execute: async ({ path = "", text = "" }) => {
      writeFileSync(at(path), text);
      return `${text.length} characters are in ${path}`;
    },
  }),
  run: tool({
    inputSchema: input("command"),
    execute: async ({ command = "" }) =>
      execFileSync(process.execPath, command.split(" ").slice(1), { cwd: folder, encoding: "utf8" }),
  }),
};

// The model: it refuses illegal requests as a provider does, and acts on its window alone.
type Prompt = MockLanguageModelV4["doGenerateCalls"][number]["prompt"];
const requests: { readonly tokens: number; readonly text: string }[] = [];
const model = new MockLanguageModelV4({
  modelId: "gpt-4o",
  doGenerate: async ({ prompt, tools }) => {
    const text = JSON.stringify({ prompt, tools });
    const total = countTokens(text);
    requests.push({ tokens: total, text });
    if (total > LIMIT) throw refusal(`This model's maximum context length is ${LIMIT} tokens, you sent ${total}.`);
    const window = prompt.filter(({ role }) => role !== "system");
    const problems = (["openai", "anthropic", "gemini"] as const).flatMap((name) => validateWindow(window, name));
    if (problems[0] !== undefined) throw refusal(problems[0].text);
    const step = nextStep(window);
    const finish = step.type === "text" ? "stop" : "tool-calls";
    return {
      content: [step],
      finishReason: { unified: finish, raw: finish },
      usage: {
        inputTokens: { total, noCache: total, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 50, text: 50, reasoning: 0 },
      },
      warnings: [],
    };
  },
});

function refusal(message: string) {
  return new APICallError({ message, url: "", requestBodyValues: {}, statusCode: 400, isRetryable: false });
}

/** Lists the folder, reads and writes each file in turn, runs every fourth, and reports the end. */
function nextStep(window: Prompt) {
  const call = (toolName: string, args: Record<string, string>) => {
    const toolCallId = `call_${requests.length}`;
    return { type: "tool-call" as const, toolCallId, toolName, input: JSON.stringify(args) };
  };
  const last = window.at(-1);
  const result = last?.role === "tool" ? last.content[0] : undefined;
  if (result?.type !== "tool-result" || result.output.type !== "text") return call("list", { path: "src" });
  const { value } = result.output;
  const said = window.flatMap(({ role, content }) => (role === "assistant" ? content : []));
  const asked = JSON.stringify(said.findLast((part) => part.type === "tool-call")?.input);
  const index = result.toolName === "list" ? -1 : names.findIndex((name) => asked.includes(name));
  const path = `src/${names[index]}`;
  if (result.toolName === "read") return call("write", { path, text: value.replaceAll("getUser", "fetchUser") });
  if (result.toolName === "write" && index % 4 === 3) return call("run", { command: `node ${path}` });
  const next = names[index + 1];
  return next
    ? call("read", { path: `src/${next}` })
    : { type: "text" as const, text: `Renamed in ${index + 1} files.` };
}

// The agent. Without the marked lines its 36th call is refused. 2,000 tokens are left for the reply.
const session = (await createThroughline()).session("rename", { modelId: "gpt-4o", contextLimit: LIMIT }); // ← Throughline
const agent = new ToolLoopAgent({
  model: wrapLanguageModel({ model, middleware: middleware(session, { budget: 14_000 }) }), // ← Throughline
  instructions: "You are a careful engineer.",
  tools: fileTools,
  stopWhen: isStepCount(300),
  maxRetries: 0,
});
const { steps, text } = await agent.generate({ prompt: TASK });

const history = await session.history();
const compactions = await session.compactions();
const largest = Math.max(...requests.map(({ tokens }) => tokens));
const said = countTokens(JSON.stringify(history.map(({ parts }) => parts)));
console.log(`${text} ${steps.length} steps; ${said} tokens were said, the largest request had ${largest} of ${LIMIT}.`);
for (const { round, tokensBefore, tokensAfter, compactedMessageIds } of compactions)
  console.log(`  compaction ${round}: ${compactedMessageIds.length} messages, ${tokensBefore} → ${tokensAfter} tokens`);

// 200 steps, none refused, each with the task in its window.
assert.equal(steps.length, 200);
assert.equal(requests.length, 200);
assert.ok(largest <= LIMIT && said > 4 * LIMIT && compactions.length > 3);
for (const request of requests) assert.ok(request.text.includes(TASK));
// The files are changed, and nothing else.
for (const name of names) assert.doesNotMatch(readFileSync(at(`src/${name}`), "utf8"), /getUser/);
assert.match(readFileSync(at("src/legacy.mjs"), "utf8"), /getUser/);
// Nothing is lost: the history has the task, 200 answers and 199 results, and masked outputs can be expanded.
assert.equal(history.length, 400);
const handle = requests
  .map(({ text }) => /Output of read masked.*?Recall it as (part:[^\]]+)\]/.exec(text)?.[1])
  .find(Boolean);
const { messages } = await session.recall(handle ?? "");
const recalled = names.find((name) => JSON.stringify(messages).includes(JSON.stringify(source(name))));
console.log(`  masked and recalled, as it was read: ${recalled} (${handle})`);
assert.ok(recalled);
