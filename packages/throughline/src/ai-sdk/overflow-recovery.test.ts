import { APICallError } from "ai";
import { beforeAll, describe, expect, it } from "vitest";
import { countTokens } from "../tokens/count-tokens.ts";
import { openSession, type Prompted, runAgent, SDKS, SESSION_SDKS } from "./sdks.fixture.ts";
import { withOverflowRecovery } from "./stream-turn.ts";

const TASK = "Sum up the log. Never name a person.";
const talk = [
  { role: "user", content: TASK },
  ...Array.from({ length: 40 }, (_, i) => [
    { role: "assistant", content: `Part ${i}: ${"noted and filed ".repeat(60)}` },
    { role: "user", content: `Go on with part ${i + 1}.` },
  ]).flat(),
];

function refusal(message: string): APICallError {
  return new APICallError({ message, statusCode: 400, url: "https://example.com", requestBodyValues: {} });
}

const sizeOf = (prompt: readonly Prompted[]) => countTokens(JSON.stringify(prompt));
const asAnthropic = (limit: number) => (prompt: readonly Prompted[]) =>
  sizeOf(prompt) > limit ? refusal(`prompt is too long: ${sizeOf(prompt)} tokens > ${limit} maximum`) : undefined;
const wordless = (limit: number) => (prompt: readonly Prompted[]) =>
  sizeOf(prompt) > limit ? refusal("Your input exceeds the context window of this model.") : undefined;

beforeAll(() => {
  (globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;
});

const cases = SESSION_SDKS.flatMap((sdk) =>
  (["generateText", "streamText"] as const).map((use) => ({ sdk, use, name: sdk.name })),
);

describe.each(cases)("a window that the provider refuses, with $use of AI SDK $name", ({ sdk, use }) => {
  it.each([
    ["says its limit", asAnthropic(5_000)],
    ["says nothing of it", wordless(7_000)],
  ])("is retried once with a smaller window if it %s", async (_, refuse) => {
    for (const wiring of [{ middleware: true }, { middleware: true, prepareStep: true, persist: true }]) {
      const session = await openSession({ contextLimit: 64_000 });
      const { model, prompts } = sdk.model((prompt) => {
        const error = refuse(prompt);
        if (error !== undefined) throw error;
        return [{ type: "text", text: "Summed up." }];
      });
      const { text } = await runAgent(sdk, use, session, wiring, { model, messages: talk });
      expect(text).toBe("Summed up.");
      expect(prompts).toHaveLength(2);
      expect(sizeOf(prompts[1] ?? [])).toBeLessThan(sizeOf(prompts[0] ?? []));
      expect(JSON.stringify(prompts[1])).toContain(TASK);
      // The learned limit persists: the next call succeeds at once.
      const more = [...talk, { role: "assistant", content: "Summed up." }, { role: "user", content: "Shorter." }];
      await runAgent(sdk, use, session, wiring, { model, messages: more });
      expect(prompts).toHaveLength(3);
      expect((await session.history()).filter(({ role }) => role === "assistant")).toHaveLength(42);
    }
  });

  it("is not sent a third time: the second refusal is thrown unchanged", async () => {
    const session = await openSession({ contextLimit: 64_000 });
    const thrown: APICallError[] = [];
    const { model, prompts } = sdk.model(() => {
      const error = refusal(`prompt is too long: 9000 tokens > ${8_000 - thrown.length} maximum`);
      thrown.push(error);
      throw error;
    });
    const run = runAgent(sdk, use, session, { middleware: true }, { model, messages: talk });
    const error = await run.catch((reason: unknown) => reason);
    // A stream reports its error as a part and ends without text.
    if (use === "generateText") expect(error).toBe(thrown[1]);
    else expect(error).toBeInstanceOf(Error);
    expect(prompts).toHaveLength(2);
    expect(thrown).toHaveLength(2);
  });

  it("fails with the provider's own error if nothing can shrink", async () => {
    const session = await openSession({ contextLimit: 64_000 });
    const error = refusal("prompt is too long: 9000 tokens > 20 maximum");
    const { model, prompts } = sdk.model(() => {
      throw error;
    });
    const messages = [{ role: "user", content: TASK }];
    const run = runAgent(
      sdk,
      use,
      session,
      { middleware: true },
      { model, messages, system: "Be careful. ".repeat(50) },
    );
    if (use === "generateText") await expect(run).rejects.toBe(error);
    else await expect(run).rejects.toThrow();
    expect(prompts).toHaveLength(1);
  });

  it("is not confused with other errors, which are not retried", async () => {
    const session = await openSession();
    const { model, prompts } = sdk.model(() => {
      throw refusal("tool_use ids were found without tool_result blocks");
    });
    await expect(runAgent(sdk, use, session, { middleware: true }, { model, messages: talk })).rejects.toThrow();
    expect(prompts).toHaveLength(1);
  });
});

describe("a refusal inside a stream", () => {
  it.each(SDKS)("is detected before the first content and retried, with AI SDK $name", async (sdk) => {
    const session = await openSession({ contextLimit: 64_000 });
    let calls = 0;
    const { model } = sdk.model(() => [{ type: "text", text: "Summed up." }]);
    const stream = model.doStream.bind(model);
    model.doStream = async (options: unknown) => {
      calls += 1;
      if (calls > 1) return stream(options);
      const error = { type: "error", error: { message: "context_length_exceeded", code: "context_length_exceeded" } };
      const chunks = [{ type: "stream-start", warnings: [] }, error];
      return { stream: sdk.sdk.simulateReadableStream({ chunks }) };
    };
    const { text } = await runAgent(sdk, "streamText", session, { middleware: true }, { model, messages: talk });
    expect(text).toBe("Summed up.");
    expect(calls).toBe(2);
  });
});

describe("withOverflowRecovery", () => {
  it("prepares and calls once more, and learns from a second refusal too", async () => {
    const session = await openSession({ contextLimit: 64_000 });
    await session.append(talk);
    const sizes: number[] = [];
    const call = (limit: number) =>
      withOverflowRecovery(session, async () => {
        const { messages, tokens } = await session.prepare();
        sizes.push(tokens.final);
        if (tokens.final > limit) throw wordless(0)(messages as unknown as Prompted[]);
        return "ok";
      });
    await expect(call(100)).rejects.toThrow("exceeds the context window");
    expect(sizes).toHaveLength(2);
    expect(await call(5_000)).toBe("ok");
    for (const [index, size] of sizes.entries())
      expect(size).toBeLessThan(sizes[index - 1] ?? Number.POSITIVE_INFINITY);
  });

  it("rethrows other errors", async () => {
    const session = await openSession();
    let calls = 0;
    const call = withOverflowRecovery(session, async () => {
      calls += 1;
      throw new TypeError("fetch failed");
    });
    await expect(call).rejects.toThrow("fetch failed");
    expect(calls).toBe(1);
  });
});
