import * as v7 from "ai";
import { jsonSchema, tool } from "ai";
import * as v6 from "ai-v6";
import { beforeAll, describe, expect, expectTypeOf, it } from "vitest";
import { InvalidOptionError } from "../errors/input-errors.ts";
import type { Model } from "../ports/model.ts";
import { inProcessStore } from "../store/in-process.ts";
import { createThroughline } from "../throughline.ts";
import { runTurn } from "./run-turn.ts";
import { type Content, inShort, openSession, SDKS, SMALL } from "./sdks.fixture.ts";
import type { StreamSetting } from "./stream-settings.ts";
import type { TurnEvent } from "./stream-turn.ts";

const path = jsonSchema<{ path: string }>({ type: "object", properties: { path: { type: "string" } } });
const tools = {
  read: tool({ inputSchema: path, execute: async () => "a line of output\n".repeat(200) }),
  remove: tool({ inputSchema: path, needsApproval: true, execute: async (input) => `removed ${input.path}` }),
};
const call = (toolName: string, id: string): Content => ({
  type: "tool-call",
  toolCallId: id,
  toolName,
  input: `{"path":"/src/${id}.ts"}`,
});

beforeAll(() => {
  (globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;
});

async function all(events: AsyncIterable<TurnEvent>): Promise<TurnEvent[]> {
  const found: TurnEvent[] = [];
  for await (const event of events) found.push(event);
  return found;
}
const typesOf = (events: readonly TurnEvent[]) => [...new Set(events.map(({ type }) => type))];
const textOf = (events: readonly TurnEvent[]) =>
  events.map((event) => (event.type === "text-delta" ? event.data.text : "")).join("");

describe.each(SDKS)("runTurn with AI SDK $name", (sdk) => {
  const { streamText } = sdk.sdk;
  const settings = { stopWhen: sdk.sdk.stepCountIs?.(50) ?? sdk.sdk.isStepCount(50), onError: () => undefined };

  it("passes settings of streamText on, and calls the caller's step functions beside its own", async () => {
    const session = await openSession(SMALL);
    const { model, prompts } = sdk.model((_, index) => [call("read", `r${index}`)]);
    const prepared: number[] = [];
    const finished: unknown[] = [];
    const turn = runTurn(session, {
      streamText,
      model,
      tools,
      message: "Read on.",
      stopWhen: sdk.sdk.stepCountIs?.(3) ?? sdk.sdk.isStepCount(3),
      prepareStep: ({ stepNumber }: { stepNumber: number }) => {
        prepared.push(stepNumber);
        return { messages: [{ role: "user", content: "Something else." }] };
      },
      onStepFinish: (step: unknown) => void finished.push(step),
    });
    await all(turn);
    expect(prompts).toHaveLength(3);
    expect(prepared).toEqual([0, 1, 2]);
    expect(finished).toHaveLength(3);
    expect(JSON.stringify(prompts)).toContain("Read on.");
    expect(JSON.stringify(prompts)).not.toContain("Something else.");
    expect(await session.history()).toHaveLength(7);
  });

  it("stops at the abort signal of the settings, too", async () => {
    const session = await openSession(SMALL);
    const stop = new AbortController();
    const { model, prompts } = sdk.model((_, index) => {
      if (index === 1) stop.abort();
      return [call("read", `r${index}`)];
    });
    const options = { streamText, model, tools, ...settings, message: "Read on.", abortSignal: stop.signal };
    await all(runTurn(session, options));
    expect(prompts.length).toBeLessThanOrEqual(2);
  });

  it("streams text, tools and session events, and prunes at the end", async () => {
    const session = await openSession(SMALL);
    const { model, prompts } = sdk.model((_, index) =>
      index < 14 ? [call("read", `r${index}`)] : [{ type: "text", text: "All read." }],
    );
    const turn = runTurn(session, {
      streamText,
      model,
      tools,
      settings,
      system: "Be brief.",
      message: "Read all of it.",
    });
    const events = await all(turn);
    expect(typesOf(events)).toEqual(
      expect.arrayContaining([
        "tool-call",
        "tool-result",
        "compaction:start",
        "compaction:complete",
        "text-delta",
        "done",
      ]),
    );
    expect(textOf(events)).toBe("All read.");
    expect(events.at(-1)).toEqual({ type: "done", data: { finishReason: "stop" } });
    expect(prompts).toHaveLength(15);
    for (const prompt of prompts) expect(prompt[0]).toMatchObject({ role: "system", content: "Be brief." });
    expect(await session.history()).toHaveLength(30);
    // One receipt per call.
    expect(await session.receipts()).toHaveLength(15);
    const starts = events.filter(({ type }) => type === "compaction:start").length;
    expect(events.filter(({ type }) => type === "compaction:complete")).toHaveLength(starts);
  });

  it("can be read as server-sent events", async () => {
    const session = await openSession();
    const { model } = sdk.model(() => [{ type: "text", text: "One\nline." }]);
    const stream = runTurn(session, { streamText, model, settings, message: "Hi" }).toSse();
    const sse = await new Response(stream as unknown as ReadableStream<Uint8Array>).text();
    expect(sse.split("\n\n").filter((one) => one !== "")).toEqual([
      'event: text-delta\ndata: {"text":"One\\n"}',
      'event: text-delta\ndata: {"text":"line."}',
      'event: done\ndata: {"finishReason":"stop"}',
    ]);
  });

  it("reports an error of the model and prunes anyway", async () => {
    const session = await openSession();
    let pruned = 0;
    const prune = session.prune.bind(session);
    session.prune = () => {
      pruned += 1;
      return prune();
    };
    const { model } = sdk.model(() => {
      throw new Error("the model is down");
    });
    const events = await all(
      runTurn(session, { streamText, model, settings: { ...settings, maxRetries: 0 }, message: "Hi" }),
    );
    expect(events[0]).toEqual({ type: "error", data: { message: "the model is down", code: "model" } });
    expect(events.at(-1)?.type).toBe("done");
    expect(pruned).toBe(1);
  });

  it("continues after a refusal in the middle and runs no tool twice", async () => {
    const session = await openSession({ contextLimit: 64_000 });
    let refusals = 0;
    const { model } = sdk.model((prompt) => {
      const results = prompt.filter(({ role }) => role === "tool").length;
      if (results > 5 && refusals === 0) {
        refusals += 1;
        throw new Error("prompt is too long: 5200 tokens > 4000 maximum");
      }
      return refusals === 0 ? [call("read", `r${results}`)] : [{ type: "text", text: "Enough." }];
    });
    const events = await all(
      runTurn(session, { streamText, model, tools, settings: { ...settings, maxRetries: 0 }, message: "Read on." }),
    );
    expect(typesOf(events)).not.toContain("error");
    expect(textOf(events)).toBe("Enough.");
    expect(events.filter(({ type }) => type === "tool-result")).toHaveLength(6);
    const said = inShort(await session.history());
    expect(said).toHaveLength(14);
    expect(new Set(said).size).toBe(14);
  });

  it("asks for approval and continues after the answer, with a compaction in between", async () => {
    const session = await openSession(SMALL);
    const script = [...Array.from({ length: 8 }, (_, i) => [call("read", `r${i}`)]), [call("remove", "x")]];
    const { model } = sdk.model((_, index) => (script[index] as Content[]) ?? [{ type: "text", text: "Gone." }]);
    const shared = { streamText, model, tools, settings };
    const asked = await all(runTurn(session, { ...shared, message: "Clean up." }));
    const request = asked.find(({ type }) => type === "tool-approval-request");
    const approvalId = request?.type === "tool-approval-request" ? request.data.approvalId : "";
    await session.compact({ keepTokens: 0 });
    const message = [{ role: "tool", content: [{ type: "tool-approval-response", approvalId, approved: true }] }];
    const done = await all(runTurn(session, { ...shared, message }));
    expect(textOf(done)).toBe("Gone.");
    const said = inShort(await session.history()).slice(-4);
    expect(said).toEqual([
      "assistant | call x | tool-approval-request",
      "tool | tool-approval-response",
      "tool | result x",
      "assistant | Gone.",
    ]);
  });

  it("refuses or waits while another process compacts", async () => {
    const store = inProcessStore();
    const asked = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const slow: Model = {
      modelId: "gpt-4o",
      generate: async () => {
        asked.resolve();
        await release.promise;
        return { text: "Slow summary of all that was said so far." };
      },
    };
    const other = (await createThroughline({ store, model: slow })).session("s", SMALL);
    await other.append([
      { role: "user", content: "Begin." },
      ...Array.from({ length: 20 }, (_, i) => ({ role: "assistant", content: `Line ${i} ${"of many ".repeat(80)}` })),
    ]);
    const compacting = other.compact();
    await asked.promise;
    const session = (await createThroughline({ store })).session("s", SMALL);
    const { model } = sdk.model(() => [{ type: "text", text: "Hello." }]);
    const shared = { streamText, model, settings, message: "Hi" };
    const refused = await all(runTurn(session, shared));
    expect(refused[0]).toMatchObject({ type: "error", data: { code: "session-busy" } });
    const waiting = all(runTurn(session, { ...shared, whileCompacting: "wait" }));
    release.resolve();
    await compacting;
    expect(textOf(await waiting)).toBe("Hello.");
    expect(inShort(await session.history()).filter((one) => one === "user | Hi")).toHaveLength(1);
  });

  it("can be stopped during a compaction, which is then not done, and continued later", async () => {
    const stop = new AbortController();
    const slow: Model = {
      modelId: "gpt-4o",
      generate: ({ signal }) =>
        new Promise((_, reject) => {
          signal?.addEventListener("abort", () => reject(new Error("stopped")), { once: true });
          stop.abort();
        }),
    };
    const session = await openSession({ ...SMALL, model: slow, summaryTimeLimit: 50 });
    const long = Array.from({ length: 20 }, (_, i) => [
      { role: "user", content: `Part ${i}` },
      { role: "assistant", content: `Line ${i} ${"of many ".repeat(100)}` },
    ]).flat();
    await session.append(long);
    const { model, prompts } = sdk.model(() => [{ type: "text", text: "Hello." }]);
    const shared = { streamText, model, settings, message: "Hi" };
    const events = await all(runTurn(session, { ...shared, signal: stop.signal, waitForModel: true }));
    expect(typesOf(events)).toEqual(["compaction:start", "compaction:complete", "error", "done"]);
    expect(prompts).toHaveLength(0);
    expect(await session.compactions()).toHaveLength(0);
    expect((await session.status()).isCompacting).toBe(false);
    // The message is stored, and the next turn may compact.
    expect(inShort(await session.history()).at(-1)).toBe("user | Hi");
    const patient = new AbortController();
    const again = all(runTurn(session, { ...shared, message: "Still there?", signal: patient.signal }));
    expect(textOf(await again)).toBe("Hello.");
  });

  it("runs no faster than it is read, and stops when the reader stops", async () => {
    const session = await openSession();
    let made = 0;
    const { model } = sdk.model(() => []);
    // Endless until aborted, like a provider.
    model.doStream = async ({ abortSignal }: { abortSignal: AbortSignal }) => ({
      stream: new ReadableStream(
        {
          async pull(controller) {
            made += 1;
            await new Promise((resolve) => setImmediate(resolve));
            if (abortSignal.aborted) return controller.error(abortSignal.reason);
            const first = [
              { type: "stream-start", warnings: [] },
              { type: "text-start", id: "0" },
            ];
            controller.enqueue(first[made - 1] ?? { type: "text-delta", id: "0", delta: `word${made} ` });
          },
        },
        { highWaterMark: 0 },
      ),
    });
    let heard = 0;
    for await (const event of runTurn(session, { streamText, model, settings, message: "Tell me all." })) {
      if (event.type !== "text-delta") continue;
      heard += 1;
      // Enough time for an eager reader to read far ahead.
      await new Promise((resolve) => setTimeout(resolve, 2));
      // AI SDK 6 reads eagerly, independent of its reader.
      if (sdk.name !== "6") expect(made).toBeLessThan(heard + 60);
      if (heard === 100) break;
    }
    expect(heard).toBe(100);
    const madeThen = made;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(made - madeThen).toBeLessThan(3);
    // An incomplete reply is not appended.
    expect(inShort(await session.history())).toEqual(["user | Tell me all."]);
  });
});

it("accepts streamText of both versions by type", async () => {
  const session = await openSession();
  const turns = [v7.streamText, v6.streamText].map((_, index) =>
    index === 0
      ? runTurn(session, { streamText: v7.streamText, model: "none", message: "Hi" })
      : runTurn(session, { streamText: v6.streamText, model: "none", message: "Hi" }),
  );
  expect(turns).toHaveLength(2);
});

describe("settings of streamText", () => {
  type NamesOf<T> = T extends unknown ? keyof T : never;
  type Setting = NamesOf<Parameters<typeof v7.streamText>[0]> | NamesOf<Parameters<typeof v6.streamText>[0]>;
  type Own = "model" | "tools" | "system" | "instructions" | "messages" | "prompt" | "_internal";

  it("are those of both versions, by type", () => {
    expectTypeOf<StreamSetting>().toEqualTypeOf<Exclude<Setting, Own>>();
  });

  const given = { streamText: v7.streamText, model: "none", message: "Hi" };

  it.each<[object, string]>([
    [
      { stopwhen: [] },
      'Invalid option of runTurn: "stopwhen". Expected one of message, streamText, model, system, tools, settings, memory, signal, waitForModel, whileCompacting, waitLimit, abortSignal, or a setting of streamText; pass one of a newer AI SDK in `settings` (did you mean stopWhen?).',
    ],
    [{ messages: [] }, 'Invalid option of runTurn: "messages". Expected none: messages come from the session.'],
    [{ prompt: "Hi" }, 'Invalid option of runTurn: "prompt". Expected none: messages come from the session.'],
    [
      { instructions: "Be brief." },
      'Invalid option of runTurn: "instructions". Expected the option system, which AI SDK 7 gets as its instructions.',
    ],
    [
      { settings: { messages: [] } },
      'Invalid option of runTurn: "messages". Expected none: messages come from the session.',
    ],
    [{ settings: { tools: {} } }, 'Invalid settings of runTurn: "tools". Expected runTurn({ tools }), not settings.'],
    [{ message: 7 }, "Invalid message of runTurn: 7. Expected a text, or a list of AI SDK messages."],
    [{ streamText: "gpt" }, 'Invalid streamText of runTurn: "gpt". Expected a function.'],
    [{ whileCompacting: "stop" }, 'Invalid whileCompacting of runTurn: "stop". Expected "refuse", "wait".'],
  ])("are refused if the session sets them or no version has them: %j", async (options, message) => {
    const session = await openSession();
    expect(() => runTurn(session, { ...given, ...options } as never)).toThrow(InvalidOptionError);
    expect(() => runTurn(session, { ...given, ...options } as never)).toThrow(message);
  });

  it("of a newer version are passed on in `settings`", async () => {
    const seen: unknown[] = [];
    async function* answer() {
      yield { type: "finish", finishReason: "stop" };
    }
    const streamText = (settings: unknown) => {
      seen.push(settings);
      return { fullStream: answer() };
    };
    const options = { streamText, model: "none", message: "Hi", settings: { brandNew: 1 }, topK: 5 };
    await all(runTurn(await openSession(), options));
    expect(seen).toMatchObject([{ brandNew: 1, topK: 5, model: "none" }]);
  });
});
