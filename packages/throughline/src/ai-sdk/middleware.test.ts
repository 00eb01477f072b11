import type * as v7 from "ai";
import type * as v6 from "ai-v6";
import { beforeAll, describe, expect, it } from "vitest";
import { middleware } from "./middleware.ts";
import { type Content, inShort, openSession, runAgent, SDKS } from "./sdks.fixture.ts";

beforeAll(() => {
  (globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;
});

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

describe.each(SDKS)("a wrapped model of AI SDK $name", (sdk) => {
  const wrap = async (model: unknown) => {
    const session = await openSession();
    return { session, wrapped: sdk.sdk.wrapLanguageModel({ model, middleware: middleware(session) }) };
  };

  it("streams on demand, forwards a cancel, and stores no incomplete answer", async () => {
    let made = 0;
    let isCanceled = false;
    const { model } = sdk.model(() => []);
    model.doStream = async () => ({
      stream: new ReadableStream(
        {
          pull(controller) {
            made += 1;
            controller.enqueue(
              made === 1 ? { type: "text-start", id: "0" } : { type: "text-delta", id: "0", delta: "word " },
            );
          },
          cancel() {
            isCanceled = true;
          },
        },
        { highWaterMark: 0 },
      ),
    });
    const { session, wrapped } = await wrap(model);
    const prompt = [{ role: "user", content: [{ type: "text", text: "Tell me all." }] }];
    const { stream } = await wrapped.doStream({ prompt });
    const reader = stream.getReader();
    for (let i = 0; i < 50; i += 1) await reader.read();
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(made).toBeLessThanOrEqual(51);
    await reader.cancel();
    expect(isCanceled).toBe(true);
    expect(inShort(await session.history())).toEqual(["user | Tell me all."]);
  });

  it("cancels a stream that was never read", async () => {
    let isCanceled = false;
    const { model } = sdk.model(() => []);
    model.doStream = async () => ({
      stream: new ReadableStream({
        pull(controller) {
          controller.enqueue({ type: "text-start", id: "0" });
        },
        cancel() {
          isCanceled = true;
        },
      }),
    });
    const { wrapped } = await wrap(model);
    const { stream } = await wrapped.doStream({ prompt: [{ role: "user", content: [{ type: "text", text: "Hi" }] }] });
    await stream.cancel();
    expect(isCanceled).toBe(true);
  });

  it("receives files as its specification requires, before and after a compaction", async () => {
    const session = await openSession({ contextLimit: 6_000 });
    const { model, prompts } = sdk.model(() => [{ type: "text", text: "I see a pixel. ".repeat(60) }]);
    const image = { type: "image", image: PNG, mediaType: "image/png" };
    const talk: unknown[] = [{ role: "user", content: "Look at each picture." }];
    for (let i = 0; i < 14; i += 1) {
      talk.push({ role: "user", content: [{ type: "text", text: `Picture ${i}` }, image] });
      const { responseMessages } = await runAgent(
        sdk,
        "generateText",
        session,
        { middleware: true },
        { model, messages: talk },
      );
      talk.push(...responseMessages);
    }
    expect((await session.compactions()).length).toBeGreaterThan(0);
    const { model: plain, prompts: asSent } = sdk.model(() => []);
    await runAgent(sdk, "generateText", session, {}, { model: plain, messages: talk.slice(0, 2) });
    const fileOf = (prompt: readonly { content: unknown }[] | undefined) =>
      (prompt ?? []).flatMap(({ content }) => content as Content[]).findLast(({ type }) => type === "file");
    expect(fileOf(asSent[0])).toBeDefined();
    for (const prompt of prompts) expect(fileOf(prompt)).toEqual(fileOf(asSent[0]));
  });

  it("calibrates with the reported tokens once per call", async () => {
    const session = await openSession({ modelId: "claude-sonnet-4-5", contextLimit: 32_000 });
    const reports: unknown[] = [];
    const observe = session.reportUsage.bind(session);
    session.reportUsage = (report) => {
      reports.push(report);
      return observe(report);
    };
    const { model } = sdk.model(() => [{ type: "text", text: "Noted." }]);
    const messages = [{ role: "user", content: "word ".repeat(2_000) }];
    const wiring = { prepareStep: true, persist: true, middleware: true };
    await runAgent(sdk, "generateText", session, wiring, { model, messages });
    expect(reports).toEqual([
      expect.objectContaining({ inputTokens: expect.any(Number), cacheReadTokens: expect.any(Number) }),
    ]);
    await runAgent(sdk, "streamText", session, wiring, {
      model,
      messages: [...messages, { role: "user", content: "And?" }],
    });
    expect(reports).toHaveLength(2);
  });
});

it("matches the middleware type of both versions", async () => {
  const session = await openSession();
  const to7: v7.LanguageModelMiddleware = middleware(session);
  const to6: v6.LanguageModelMiddleware = middleware(session);
  expect([to6, to7]).toHaveLength(2);
});
