// A session of 200 steps in a window of 8,000 tokens: no model, no key, no network.
import assert from "node:assert/strict";
import { createThroughline, validateWindow } from "throughline";

const throughline = await createThroughline();
const session = throughline.session("demo", { modelId: "gpt-4o" });
await session.append([{ role: "user", content: "Rename getUser to fetchUser everywhere. Never touch src/legacy.ts." }]);

for (let step = 0; step < 200; step += 1) {
  const call = { toolCallId: `call_${step}`, toolName: "Read" };
  const input = { file_path: `src/module-${step}.ts` };
  const value = `export const id${step} = getUser(${step});\n`.repeat(40);
  await session.append([
    { role: "assistant", content: [{ type: "tool-call", ...call, input }] },
    { role: "tool", content: [{ type: "tool-result", ...call, output: { type: "text", value } }] },
  ]);
  // Before each call of the model:
  const turn = await session.prepare({ system: "You are a careful engineer.", budget: 8_000 });
  assert.ok(turn.tokens.final <= 8_000);
  assert.deepEqual(validateWindow(turn.messages, "anthropic"), []);
}

const turn = await session.prepare({ budget: 8_000 });
const [task, summary] = turn.messages;
console.log(`${turn.messages.length} messages, ${turn.tokens.final} tokens, first: ${JSON.stringify(task?.content)}`);
console.log(`${(await session.compactions()).length} compactions; the receipt has ${turn.receipt.items.length} items`);
assert.match(JSON.stringify(task), /Never touch src\/legacy\.ts/);
assert.match(JSON.stringify(summary), /Session Summary/);
assert.equal((await session.history()).length, 401);
