// A support chat: tools, a refund that waits for approval while its session is compacted, and memory across sessions.
// The example replays a tape, without a key and without a network; `--record` records the tape again.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isStepCount, jsonSchema, simulateReadableStream, streamText, tool } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { createThroughline, type Session } from "throughline";
import { type RunTurnOptions, runTurn } from "throughline/ai-sdk";
import { sqliteStore } from "throughline/sqlite";
import { createTape, recordingModel, replayingModel } from "throughline/test";

const tapeFile = new URL("support-chat.tape.json", import.meta.url);
const isRecording = process.argv.includes("--record");
const tape = isRecording ? createTape() : JSON.parse(readFileSync(tapeFile, "utf8"));
const model = isRecording ? recordingModel(scriptedModel(), tape) : replayingModel(tape);

// The shop.
const refunded: string[] = [];
const inputSchema = jsonSchema<{ order: string }>({
  type: "object",
  properties: { order: { type: "string" } },
  required: ["order"],
});
const tools = {
  lookUpOrder: tool({
    description: "What is known of an order.",
    inputSchema,
    execute: async ({ order }) => ({
      order,
      item: "steel watch",
      price: "89 EUR",
      log: "scanned at a depot; ".repeat(60),
    }),
  }),
  refund: tool({
    description: "Pays an order back. A person has to approve it.",
    inputSchema,
    needsApproval: true,
    execute: async ({ order }) => {
      refunded.push(order);
      return `${order} is paid back`;
    },
  }),
};

/** Runs and prints one turn of the chat. Returns its messages and the pending approvals. */
async function turn(session: Session, message: RunTurnOptions["message"]) {
  if (typeof message === "string") console.log(`  customer: ${message}`);
  let reply = "";
  let approvalId = "";
  const system = "You are the support of a watch shop. Be brief.";
  const settings = { stopWhen: isStepCount(5) };
  for await (const event of runTurn(session, { streamText, model, system, tools, settings, message, memory: true })) {
    if (event.type === "text-delta") reply += event.data.text;
    if (event.type === "tool-call") console.log(`    ${event.data.toolName} ${JSON.stringify(event.data.input)}`);
    if (event.type === "tool-approval-request") approvalId = event.data.approvalId;
    if (event.type === "error") throw new Error(event.data.message);
  }
  if (reply !== "") console.log(`  support:  ${reply}`);
  return { reply, approvalId };
}

const folder = mkdtempSync(join(tmpdir(), "support-chat-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
/** Simulates a restart: only the file has the state. The clock is fixed, so that the tape always matches. */
const open = () =>
  createThroughline({
    store: sqliteStore(join(folder, "support.db")),
    clock: { now: () => Date.parse("2026-05-04T09:00:00Z") },
    userId: "ada",
  });

console.log("Monday");
const monday = await open();
const complaint = monday.session("monday", { modelId: "gpt-4o", remember: true });
await turn(complaint, "Hi, I'm Ada and I live in Lisbon. I'm allergic to nickel. My order A-1042 gave me a rash.");
const { approvalId } = await turn(complaint, "Please refund it.");
assert.notEqual(approvalId, "");
assert.deepEqual(refunded, []);

// While a person decides about the refund, the session is compacted.
const compaction = await complaint.compact({ keepTokens: 0 });
console.log(`    the refund waits; compacted from ${compaction?.tokensBefore} to ${compaction?.tokensAfter} tokens`);
assert.ok(compaction && compaction.tokensAfter < compaction.tokensBefore);
const approval = { type: "tool-approval-response", approvalId, approved: true };
const paid = await turn(complaint, [{ role: "tool", content: [approval] }]);
assert.deepEqual(refunded, ["A-1042"]);
assert.match(paid.reply, /A-1042/);
await monday.close();

console.log("Tuesday");
const tuesday = await open();
const question = tuesday.session("tuesday", { modelId: "gpt-4o", remember: true });
const { reply } = await turn(question, "Which watch can I wear with my allergy?");
const [receipt] = await question.receipts(1);
for (const { rule, tokens, reasons } of receipt?.items ?? [])
  console.log(`    ${rule}: ${tokens} tokens ${reasons ? JSON.stringify(Object.values(reasons)) : ""}`);
assert.match(reply, /nickel/);
assert.ok(receipt?.items.some(({ rule }) => rule === "memory"));
await tuesday.close();

if (isRecording) writeFileSync(tapeFile, `${JSON.stringify(tape, null, 2)}\n`);

/** The model that is recorded. Use a model of your provider here: `openai("gpt-4o")`. */
function scriptedModel() {
  const call = (toolName: string) => {
    return { type: "tool-call" as const, toolCallId: `call_${toolName}`, toolName, input: '{"order":"A-1042"}' };
  };
  const text = (delta: string) => [
    { type: "text-start" as const, id: "0" },
    { type: "text-delta" as const, id: "0", delta },
    { type: "text-end" as const, id: "0" },
  ];
  const answer = (prompt: string) => {
    if (prompt.includes("is paid back")) return text("Order A-1042 is paid back: 89 EUR.");
    if (prompt.includes("Please refund it.")) return [call("refund")];
    if (prompt.includes("steel watch"))
      return text("I am sorry. That watch has nickel in it. Would you like a refund?");
    if (prompt.includes("A-1042 gave")) return [call("lookUpOrder")];
    return text(prompt.includes("allergic to nickel") ? "The titanium one: it has no nickel." : "Any of them.");
  };
  return new MockLanguageModelV4({
    modelId: "gpt-4o",
    doStream: async ({ prompt }) => {
      const parts = answer(JSON.stringify(prompt));
      const unified = parts.some(({ type }) => type === "tool-call") ? ("tool-calls" as const) : ("stop" as const);
      const usage = {
        inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
        outputTokens: { total: undefined, text: undefined, reasoning: undefined },
      };
      const finish = { type: "finish" as const, finishReason: { unified, raw: unified }, usage };
      return { stream: simulateReadableStream({ chunks: [...parts, finish] }) };
    },
  });
}
