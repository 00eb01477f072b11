import { jsonSchema, tool } from "ai";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Reply } from "../../../server/test/provider/provider.ts";
import { type ProviderServer, startProviderServer } from "../../../server/test/provider/provider-server.ts";
import { cases, SOAK } from "../../test/cases.ts";
import type { ForeignModelMessage } from "../message/convert/ai-sdk.ts";
import { inShort, openSession, runAgent, SDKS, type Wiring } from "./sdks.fixture.ts";
import { type Wire, wireModel } from "./wire-models.fixture.ts";

const TASK = "Tidy up the project in app. Never touch app/legacy.";

let server: ProviderServer;
beforeAll(async () => {
  (globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;
  server = await startProviderServer();
});
afterAll(() => server.close());

const sized = jsonSchema<{ size: number }>({ type: "object", properties: { size: { type: "number" } } });
/** One user turn: how much the agent reads, which tools it calls, and if it is aborted. */
const turn = fc.record({
  steps: fc.array(fc.array(fc.integer({ min: 1, max: 240 }), { minLength: 1, maxLength: 3 }), { maxLength: 12 }),
  removes: fc.constantFrom(undefined, undefined, "approve", "deny"),
  /** Number of model calls after which the turn is aborted. */
  stopAt: fc.constantFrom(undefined, undefined, undefined, 1, 3),
  says: fc.boolean(),
});
const run = fc.record({
  sdk: fc.constantFrom(...SDKS),
  wire: fc.constantFrom<Wire>("openai", "anthropic"),
  use: fc.constantFrom("generateText" as const, "streamText" as const),
  wiring: fc.constantFrom<Wiring>({ middleware: true }, { middleware: true, prepareStep: true, persist: true }),
  modelId: fc.constantFrom("gpt-4o", "claude-sonnet-4-5"),
  believed: fc.constantFrom(7_000, 16_000, 64_000),
  real: fc.constantFrom(6_000, 9_000, 14_000),
  bias: fc.constantFrom(0.9, 1, 1.15, 1.3),
  turns: fc.array(turn, { minLength: 2, maxLength: 5 }),
});
type Run = typeof run extends fc.Arbitrary<infer T> ? T : never;

let ids = 0;

/** Runs a conversation of several turns. The server refuses illegal requests, so reaching the end proves legality. */
async function converse({ sdk, wire, use, wiring, modelId, believed, real, bias, turns }: Run) {
  const session = await openSession({ modelId, contextLimit: believed, outputReserve: 600 });
  const from = server.log.length;
  server.provider.limit = real;
  server.provider.bias = bias;
  const model = wireModel(server.url, wire, sdk.name);
  const talk: ForeignModelMessage[] = [];
  const asked: string[] = [];
  /** User messages that are missing in a request, including the task. */
  const missing: string[] = [];
  for (const [index, { steps, removes, stopAt, says }] of turns.entries()) {
    const request = index === 0 ? TASK : `Request ${index}: look at chapter ${index} and tell me what is new.`;
    asked.push(request);
    talk.push({ role: "user", content: request });
    const stop = new AbortController();
    let answered = 0;
    // Aborting after an approval would need a result for the call: the SDK requires one.
    let isAllowed = false;
    const script: Reply[] = [
      ...steps.map(
        (sizes): Reply => ({
          ...(says ? { text: "Let me look." } : {}),
          calls: sizes.map((size) => ({ id: `call_${ids++}`, name: "read", input: { size } })),
        }),
      ),
      ...(removes ? [{ calls: [{ id: `call_${ids++}`, name: "remove", input: { size: 1 } }] }] : []),
      { text: `Done with ${index}.` },
    ];
    server.provider.answer = (body) => {
      missing.push(...asked.filter((wanted) => !body.includes(JSON.stringify(wanted).slice(1, -1))));
      answered += 1;
      if (answered === stopAt && !isAllowed) stop.abort();
      return script[answered - 1] ?? { text: "Nothing more." };
    };
    const tools = {
      read: tool({ inputSchema: sized, execute: async ({ size }) => "a line of what was read\n".repeat(size) }),
      remove: tool({ inputSchema: sized, needsApproval: true, execute: async () => "removed" }),
    };
    const go = () =>
      runAgent(sdk, use, session, wiring, {
        model,
        tools,
        messages: talk,
        system: "You are careful.",
        maxOutputTokens: 400,
        abortSignal: stop.signal,
      }).catch((error: unknown) => {
        if (stop.signal.aborted) return undefined;
        throw error;
      });
    const first = await go();
    talk.push(...(first?.responseMessages ?? []));
    const content = talk.at(-1)?.content;
    const parts = Array.isArray(content) ? (content as { type: string; approvalId: string }[]) : [];
    const pending = parts.find(({ type }) => type === "tool-approval-request");
    if (pending === undefined) continue;
    await session.compact({ keepTokens: 0 });
    const { approvalId } = pending;
    isAllowed = true;
    talk.push({
      role: "tool",
      content: [{ type: "tool-approval-response", approvalId, approved: removes === "approve" }],
    });
    talk.push(...((await go())?.responseMessages ?? []));
  }
  const said = inShort(await session.history()).filter((one) => one.startsWith("user"));
  expect(said).toEqual(asked.map((request) => `user | ${request.slice(0, 24)}`));
  expect(missing).toEqual([]);
  return server.log.slice(from);
}

describe("random agents against a provider with the rules of the real ones", () => {
  it("are refused only for length, which is then corrected, lose no request, and name the task in every call", async () => {
    let calls = 0;
    let refused = 0;
    let compacted = 0;
    await fc.assert(
      fc.asyncProperty(run, async (one) => {
        const log = await converse(one);
        calls += log.length;
        for (const [index, { refusal, isOverflow, body }] of log.entries()) {
          if (body.includes("## Session Summary")) compacted += 1;
          if (refusal === undefined) continue;
          refused += 1;
          expect(isOverflow, refusal).toBe(true);
          // The retry is the same call with a smaller window, and it succeeds.
          expect(log[index + 1]?.refusal).toBeUndefined();
        }
      }),
      { numRuns: cases(30) },
    );
    expect(calls).toBeGreaterThan(cases(30));
    // Few cases may all fit.
    if (SOAK > 1) expect(Math.min(compacted, refused)).toBeGreaterThan(0);
  });

  it("are refused for illegal windows: the server detects them", async () => {
    const orphan = { role: "tool", tool_call_id: "x", content: "late" };
    const post = async (path: string, body: object) =>
      (await fetch(`${server.url}/${path}`, { method: "POST", body: JSON.stringify(body) })).status;
    server.provider.limit = 5_000;
    server.provider.answer = () => ({ text: "ok" });
    const user = { role: "user", content: "hi" };
    expect(await post("chat/completions", { messages: [user] })).toBe(200);
    expect(await post("chat/completions", { messages: [user, orphan] })).toBe(400);
    expect(await post("chat/completions", { messages: [{ role: "user", content: "word ".repeat(9_000) }] })).toBe(400);
    const text = (words: string) => [{ type: "text", text: words }];
    const use = { role: "assistant", content: [{ type: "tool_use", id: "x", name: "read", input: {} }] };
    const ask = { role: "user", content: text("hi") };
    expect(await post("messages", { max_tokens: 10, messages: [ask] })).toBe(200);
    expect(await post("messages", { max_tokens: 10, messages: [ask, use, ask] })).toBe(400);
    expect(await post("messages", { max_tokens: 10, messages: [ask, ask] })).toBe(400);
    expect(await post("messages", { max_tokens: 4_999, messages: [ask] })).toBe(400);
  });
});
