import { describe, expect, it } from "vitest";
import { ModelError } from "../errors/model-error.ts";
import type { Model } from "../ports/model.ts";
import { type AskOptions, askModel, readText } from "./ask-model.ts";

const REQUEST = { system: "Answer with a number.", prompt: "1 + 1", maxOutputTokens: 4 };

function askForNumber(generate: Model["generate"], options?: AskOptions) {
  const question = {
    ...REQUEST,
    task: "sum",
    read: (reply: Parameters<typeof readText>[0]) =>
      readText(reply, (text) => (/^\d+$/.test(text) ? { value: Number(text) } : { failure: "it was no number" })),
  };
  return askModel({ modelId: "m", generate }, question, options);
}

describe("askModel", () => {
  it("sends the prompt with a signal, and gives what is read from the reply", async () => {
    const requests: unknown[] = [];
    const answer = await askForNumber(async ({ signal, ...request }) => {
      requests.push(request, signal instanceof AbortSignal);
      return { text: "2" };
    });
    expect(answer).toEqual({ value: 2 });
    expect(requests).toEqual([REQUEST, true]);
  });

  const key = ["sk-", "proj-aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3"].join("");
  const hangs = () => new Promise<never>(() => undefined);
  const cases: [string, Model["generate"], AskOptions, string, RegExp][] = [
    ["throws", () => Promise.reject(new Error("overloaded")), {}, "failed", /^overloaded\.$/],
    ["repeats a key", () => Promise.reject(new Error(`Wrong key ${key}.`)), {}, "failed", /^Wrong key \*+\.$/],
    ["refuses", () => Promise.reject(new ModelError("key-refused", "No.", 401)), {}, "key-refused", /^No\.$/],
    ["hangs", hangs, { timeLimit: 5 }, "timed-out", /^the model did not answer in 0\.005 s\.$/],
    ["is stopped", hangs, { signal: AbortSignal.abort() }, "stopped", /^the model was stopped\.$/],
    ["wants tools", async () => ({ text: "2", hasToolCalls: true }), {}, "unusable", /^it asked for tools\.$/],
    ["writes nothing", async () => ({ text: " " }), {}, "unusable", /^it wrote nothing\.$/],
    ["writes something else", async () => ({ text: "two" }), {}, "unusable", /^it was no number\.$/],
  ];
  it.each(cases)("gives an error and logs it if the model %s", async (_, generate, options, problem, message) => {
    const logged: string[] = [];
    const logger = { info: () => undefined, warn: (text: string) => void logged.push(text) };
    const answer = await askForNumber(generate, { ...options, logger });
    expect(answer).toMatchObject({ error: { problem, summary: expect.stringMatching(message) } });
    expect(logged).toEqual([expect.stringMatching(/^No sum from the model \(.+\); using the rules instead\.$/)]);
    expect(logged.join()).not.toContain(key);
  });
});
