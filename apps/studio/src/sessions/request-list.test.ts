import type { SessionReport } from "throughline/internal/inspect";
import { expect, test } from "vitest";
import { describeRequest } from "./request-list.tsx";

const called = { role: "assistant", text: 'Bash({"command":"git log"})', toolCalls: 1, isOnlyCalls: true };
const report = {
  messages: [
    { role: "user", text: "Find the cent." },
    called,
    { role: "tool", text: "Bash: 8d1f0b2" },
    { ...called, text: "I look. Read({})", toolCalls: 2, isOnlyCalls: undefined },
    { role: "tool", text: "Read: 1" },
    { role: "tool", text: "Read: 2" },
  ],
  calls: [
    { message: 1, tokens: 16_829, reported: 16_829 },
    { message: 3, tokens: 16_873, reported: 16_898, cache: { read: 16_829, written: 69, uncached: 0 } },
    { message: 6, tokens: 17_000 },
  ],
  compactions: [],
} as unknown as SessionReport;

test("a request has the size that the provider reported, and grew by what the cache wrote", () => {
  const { size, cache } = describeRequest(report, 1);
  expect(size).toBe("16,898 tokens reported (+69) · our count before the reply: 16,873");
  expect(cache).toBe("cache: 17k read, 69 written");
});

test("a request without reported usage has our count", () => {
  expect(describeRequest(report, 2).size).toBe("17,000 tokens (+127)");
});

test("a message of tool calls alone is no reply", () => {
  expect(describeRequest(report, 1).added).toBe("1 tool call, 1 tool result");
  expect(describeRequest(report, 2).added).toBe("2 tool calls, 1 reply, 2 tool results");
});
