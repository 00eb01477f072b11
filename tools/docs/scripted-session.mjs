// Messages of a coding agent that fixes a bug, for pictures. They are the same in every run.

const FILES = ["total.ts", "discount.ts", "tax.ts", "cart.ts", "receipt.ts", "money.ts", "shipping.ts", "coupon.ts"];
const STEPS = 40;
const LINES_PER_FILE = 60;
const TEST_EVERY = 6;

const NARRATION = [
  "The total is summed in floating point, and each line is rounded before the sum. Next I check how the discount is applied.",
  "The discount rounds each line and the tax rounds the sum. That explains the missing cent, so both must work in cents.",
  "I read the callers before I change the type: three of them format the result, one compares it with a string.",
  "cart.ts converts to a number twice. The second conversion loses the cents, so I remove it and keep the first one.",
];

/** @typedef {import("throughline").ForeignModelMessage} Message */

/**
 * Messages in the format of the AI SDK.
 *
 * @returns {Message[]}
 */
export function scriptedSession() {
  const steps = Array.from({ length: STEPS }, (_, step) => stepMessages(step));
  const half = STEPS / 2;
  return [
    user("Fix the rounding error in the checkout: totals are off by a cent. Run the tests. Never touch src/legacy."),
    ...steps.slice(0, half).flat(),
    user("Use integer cents everywhere, not Decimal."),
    ...steps.slice(half).flat(),
    user("Which tests does the discount need?"),
  ];
}

/** @param {number} step */
function stepMessages(step) {
  const file = FILES[step % FILES.length] ?? "";
  const reading = toolCall(`read_${step}`, step, "Read", { file_path: `src/checkout/${file}` }, sourceOf(file, step));
  if (step % TEST_EVERY !== TEST_EVERY - 1) return reading;
  return [...reading, ...toolCall(`test_${step}`, step, "Bash", { command: "npm test -- checkout" }, testOutput(step))];
}

/**
 * @param {string} content
 * @returns {Message}
 */
function user(content) {
  return { role: "user", content };
}

/**
 * @param {string} toolCallId
 * @param {number} step
 * @param {string} toolName
 * @param {Record<string, string>} input
 * @param {string} value
 * @returns {Message[]}
 */
function toolCall(toolCallId, step, toolName, input, value) {
  const text = NARRATION[step % NARRATION.length] ?? "";
  const call = { type: "tool-call", toolCallId, toolName, input };
  const result = { type: "tool-result", toolCallId, toolName, output: { type: "text", value } };
  return [
    { role: "assistant", content: [{ type: "text", text }, call] },
    { role: "tool", content: [result] },
  ];
}

/**
 * @param {string} file
 * @param {number} step
 */
function sourceOf(file, step) {
  const name = file.replace(".ts", "");
  const line = (/** @type {number} */ number) =>
    `export const ${name}${step}_${number} = round(${name}(lines, ${number}) * (1 - discount) * 100) / 100;`;
  return Array.from({ length: LINES_PER_FILE }, (_, number) => line(number)).join("\n");
}

/** @param {number} step */
function testOutput(step) {
  const failure = `FAIL src/checkout/total.test.ts\n  expected 29.97 to be 29.98 at total.ts:${step}`;
  const passed = Array.from({ length: 40 }, (_, number) => `PASS src/checkout/case-${number}.test.ts (12 tests)`);
  return [failure, ...passed, "Tests: 1 failed, 480 passed"].join("\n");
}
