// Is this window legal, and does it fit? Runs without a key and without a network.
import assert from "node:assert/strict";
import { getModelLimits, repairWindow, validateWindow } from "throughline";
import { convertModelToRich } from "throughline/messages";
import { countTotalTokens } from "throughline/tokens";

// An agent was stopped while a tool ran: the call has no result, and every provider refuses the next request.
const messages = convertModelToRich([
  { role: "user", content: "Why does the build fail?" },
  {
    role: "assistant",
    content: [{ type: "tool-call", toolCallId: "call_1", toolName: "bash", input: { command: "npm run build" } }],
  },
  { role: "user", content: "Never mind, what is in package.json?" },
]);

for (const { text } of validateWindow(messages, "anthropic")) console.log(text);
// message 1, part 0: call "call_1" has no result

const { messages: legal, repairs } = repairWindow(messages);
console.log(repairs.map((repair) => repair.text));
// [ 'call "call_1" had no result' ]

const modelId = "claude-sonnet-4-5";
const tokens = countTotalTokens(legal, { modelId });
console.log(`${tokens} of ${getModelLimits(modelId).contextLimit} tokens`);

assert.equal(validateWindow(messages, "anthropic").length, 1);
assert.deepEqual(validateWindow(legal, "anthropic"), []);
assert.ok(tokens > 0 && tokens < 200);
