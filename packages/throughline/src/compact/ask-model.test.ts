import { afterEach, describe, expect, it, vi } from "vitest";
import { ModelError } from "../errors/model-errors.ts";
import type { Model, ModelCall } from "../ports/model.ts";
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
  it("sends the prompt with a signal, and returns the parsed reply", async () => {
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
    ["wants tools", async () => ({ text: "2", hasToolCalls: true }), {}, "unusable", /^the reply calls tools\.$/],
    ["writes nothing", async () => ({ text: " " }), {}, "unusable", /^the reply is empty\.$/],
    ["writes something else", async () => ({ text: "two" }), {}, "unusable", /^it was no number\.$/],
  ];
  it.each(cases)("returns an error and logs it if the model %s", async (_, generate, options, problem, message) => {
    const logged: string[] = [];
    const logger = { info: () => undefined, warn: (text: string) => void logged.push(text) };
    const answer = await askForNumber(generate, { ...options, logger });
    expect(answer).toMatchObject({ error: { problem, summary: expect.stringMatching(message) } });
    expect(logged).toEqual([expect.stringMatching(/^No sum from the model \(.+\); rules do the work\.$/)]);
    expect(logged.join()).not.toContain(key);
  });

  it.each([
    ["<think>1 + 1 is 3? No.</think>\n2", 2],
    ["<THINKING>\n1\n</THINKING>2", 2],
    ["1 + 1 is 2.</think> 2", 2],
    ["2", 2],
  ])("reads %j without the reasoning", async (text, value) => {
    expect(await askForNumber(async () => ({ text }))).toEqual({ value });
  });

  it("asks once more with room for reasoning if the reply was cut off, and from then on at once", async () => {
    const limits: number[] = [];
    const model: Model = {
      modelId: "m",
      generate: async ({ maxOutputTokens }) => {
        limits.push(maxOutputTokens);
        return maxOutputTokens > 4 ? { text: "<think>1 + 1</think>2" } : { text: "<think>1 +", isCut: true };
      },
    };
    const read = (reply: Parameters<typeof readText>[0]) => readText(reply, (text) => ({ value: text }));
    const ask = () => askModel(model, { ...REQUEST, task: "sum", read });
    expect([await ask(), await ask()]).toEqual([{ value: "2" }, { value: "2" }]);
    expect(limits).toEqual([4, 4_100, 4_100]);
  });

  it("keeps tags that the reply itself contains", async () => {
    const text = "The tag <think> is closed by </think>.";
    const question = { ...REQUEST, task: "text", read: ({ text: value }: { text: string }) => ({ value }) };
    expect(await askModel({ modelId: "m", generate: async () => ({ text }) }, question)).toEqual({ value: text });
  });

  describe("with a model that fails", () => {
    function failing(fail: () => Promise<{ text: string }>) {
      const calls: ModelCall[] = [];
      const asked: number[] = [];
      const model: Model = {
        modelId: "m",
        generate: async () => {
          asked.push(asked.length);
          return fail();
        },
        onCall: (call) => void calls.push(call),
      };
      const logged: string[] = [];
      const logger = { info: () => undefined, warn: (text: string) => void logged.push(text) };
      const question = {
        ...REQUEST,
        task: "sum",
        read: (reply: Parameters<typeof readText>[0]) => readText(reply, (text) => ({ value: text })),
      };
      return { calls, asked, logged, ask: () => askModel(model, question, { logger }) };
    }
    afterEach(() => void vi.useRealTimers());

    it("pauses after three failures in a row, with one warning and exponential backoff", async () => {
      vi.useFakeTimers({ now: 0, toFake: ["Date"] });
      const { ask, asked, logged, calls } = failing(() => Promise.reject(new Error("overloaded")));
      for (let at = 0; at < 5; at += 1) await ask();
      expect(asked).toHaveLength(3);
      expect(logged).toHaveLength(3);
      expect(logged[2]).toContain(
        "The model failed several times in a row; the next request is in 60 s at the earliest.",
      );
      expect(await ask()).toMatchObject({ error: { problem: "paused" } });
      expect(calls.map(({ outcome }) => outcome)).toEqual([
        "failed",
        "failed",
        "failed",
        "skipped",
        "skipped",
        "skipped",
      ]);
      vi.setSystemTime(60_001);
      await ask();
      expect(asked).toHaveLength(4);
      vi.setSystemTime(60_001 + 119_000);
      await ask();
      expect(asked).toHaveLength(4);
    });

    it("resets failures after an answer, and does not count unusable replies", async () => {
      let at = 0;
      const replies = ["", "!", "!", "2", "!", "!", "2", "", "", "", "", "2"];
      const { ask, asked } = failing(async () => {
        const text = replies[at++] ?? "2";
        if (text === "!") throw new Error("overloaded");
        return { text };
      });
      for (const _ of replies) await ask();
      expect(asked).toHaveLength(replies.length);
    });

    it("tolerates statistics that throw", async () => {
      const model: Model = {
        modelId: "m",
        generate: async () => ({ text: "2" }),
        onCall: () => {
          throw new Error("full disk");
        },
      };
      const read = () => ({ value: 2 });
      expect(await askModel(model, { ...REQUEST, task: "sum", read })).toEqual({ value: 2 });
    });
  });

  it("retries temporary failures of AI SDK models", async () => {
    vi.useFakeTimers();
    let tries = 0;
    const model = {
      modelId: "m",
      async doGenerate() {
        tries += 1;
        if (tries < 3) throw Object.assign(new Error("Too many requests"), { isRetryable: true });
        return { content: [{ type: "text", text: "2" }], finishReason: "stop" };
      },
    };
    const read = (reply: Parameters<typeof readText>[0]) => readText(reply, (text) => ({ value: text }));
    const answer = askModel(model, { ...REQUEST, task: "sum", read });
    await vi.runAllTimersAsync();
    vi.useRealTimers();
    expect(await answer).toEqual({ value: "2" });
    expect(tries).toBe(3);
  });
});
