import { describe, expect, it } from "vitest";
import { type Seen, startUpstream } from "../../../test/upstream.ts";
import { limitsAfterRefusal } from "../sessions/session-settings.ts";
import { longChat, longItems, longMessages, post, proxiedProvider, words } from "./long-runs.fixture.ts";

const at = proxiedProvider();

const PROMPT = `You are an agent. ${words(900)}`;

/** A request of each API with a long agent run, a typical agent prompt and a long reply reserve. */
const WIRES: [path: string, body: (reply: number, prompt?: string) => object][] = [
  [
    "chat/completions",
    (reply, content = PROMPT) => ({
      max_tokens: reply,
      messages: [{ role: "system", content }, ...longChat().slice(1)],
    }),
  ],
  ["messages", (reply, system = PROMPT) => ({ max_tokens: reply, system, messages: longMessages() })],
  ["responses", (reply, instructions = PROMPT) => ({ max_output_tokens: reply, instructions, input: longItems() })],
];

/** A server that counts with `sum`, refuses above its limit, and reports no usage. */
async function counting(limit: number, sum: (input: number, reply: number) => string | undefined) {
  const refusals: string[] = [];
  const upstream = await startUpstream(({ method, body, response }: Seen) => {
    if (method === "GET") {
      response.writeHead(404).end();
      return;
    }
    const { max_tokens = 0, max_output_tokens = max_tokens } = JSON.parse(body);
    // Average characters per token of this request.
    const refusal = sum(Math.ceil(body.length / 4.3), max_output_tokens);
    if (refusal !== undefined) refusals.push(refusal);
    const message = `This model's maximum context length is ${limit} tokens. However, ${refusal}`;
    const error = { message, code: "context_length_exceeded" };
    response.writeHead(refusal === undefined ? 200 : 400, { "content-type": "application/json" });
    response.end(JSON.stringify(refusal === undefined ? {} : { type: "error", error }));
  });
  return { upstream, refusals };
}

const inputAlone = (limit: number) =>
  counting(limit, (input) => (input > limit ? `your messages resulted in ${input} tokens.` : undefined));
const withReply = (limit: number) =>
  counting(limit, (input, reply) =>
    input + reply > limit
      ? `you requested ${input + reply} tokens (${input} in the messages, ${reply} in the completion).`
      : undefined,
  );

describe.each(WIRES)("a reply reserve of most of the window, at %s", (path, body) => {
  it.each([
    ["a model that nobody knows, in 12k", 12_000, 32_000, {}],
    ["a model that is said to take 12k", 12_000, 32_000, { local: 12_000 }],
    ["a model that is said to take 12k, and a reply of 64k", 12_000, 64_000, { local: 12_000 }],
    ["a model that is said to take more than it does", 12_000, 64_000, { local: 200_000 }],
  ])("leaves space for the messages if the server does not count it: %s", async (_, limit, reply, contextLimits) => {
    const { upstream, refusals } = await inputAlone(limit);
    await at.withProxy({ url: upstream.url, contextLimits }, async (proxy) => {
      const sent = { model: "local", ...body(reply) };
      for (let request = 0; request < 2; request += 1) {
        const answer = await post(proxy, path, JSON.stringify(sent));
        expect({ status: answer.status, why: answer.header("degraded") }).toEqual({ status: 200, why: null });
        expect(Number(answer.header("compacted"))).toBeGreaterThan(0);
      }
      expect(refusals.length).toBeLessThanOrEqual(1);
      const last = JSON.parse(upstream.seen.at(-1)?.body ?? "");
      expect(last.max_tokens ?? last.max_output_tokens).toBe(reply);
      // The reply reserve was not subtracted.
      expect(upstream.seen.at(-1)?.body.length).toBeGreaterThan(limit * 0.35 * 4.3);
    });
    await upstream.close();
  });

  it("is subtracted if the server counts it", async () => {
    const { upstream, refusals } = await withReply(40_000);
    await at.withProxy({ url: upstream.url, contextLimits: { local: 40_000 } }, async (proxy) => {
      const sent = JSON.stringify({ model: "local", ...body(32_000) });
      expect((await post(proxy, path, sent)).status).toBe(200);
      expect((await post(proxy, path, sent)).status).toBe(200);
      expect(refusals).toHaveLength(1);
    });
    await upstream.close();
  });

  it("is subtracted if the server counts it only in its second refusal", async () => {
    const { upstream, refusals } = await counting(8_000, (input, reply) => {
      if (input > 8_000) return `your messages resulted in ${input} tokens.`;
      return input + reply > 8_000 ? `you requested ${input} in the messages, ${reply} in the completion.` : undefined;
    });
    await at.withProxy({ url: upstream.url, contextLimits: { local: 200_000 } }, async (proxy) => {
      expect((await post(proxy, path, JSON.stringify({ model: "local", ...body(6_500, "Be careful.") }))).status).toBe(
        200,
      );
      expect(refusals).toHaveLength(2);
    });
    await upstream.close();
  });
});

it.each([
  ["64k of 200k are reserved for a model that is known", 64_000, 0],
  ["32k of 200k are reserved for a model that is known", 32_000, 0],
])("of a long reply in a large window changes nothing: %s", async (_, reply, compacted) => {
  const { upstream } = await withReply(200_000);
  await at.withProxy({ url: upstream.url }, async (proxy) => {
    const body = {
      model: "claude-sonnet-4-5",
      max_tokens: reply,
      messages: [{ role: "user", content: words(20_000) }],
    };
    expect((await post(proxy, "messages", JSON.stringify(body))).header("compacted")).toBe(String(compacted));
    const more = { ...body, messages: [{ role: "user", content: words(30_000) }] };
    const answer = await post(proxy, "messages", JSON.stringify(more));
    expect([answer.status, answer.header("compacted")]).toEqual([200, reply === 64_000 ? "1" : "0"]);
  });
  await upstream.close();
});

describe("the limits after a refusal", () => {
  it.each([
    ["the limit, where only the input is counted", { inputTokens: 40_179 }, 32_000, 40_000],
    [
      "the limit without the reply, where both are counted",
      { inputTokens: 20_000, outputTokens: 32_000 },
      32_000,
      8_000,
    ],
    ["the limit without the reply, where the input alone would fit", { inputTokens: 20_000 }, 32_000, 8_000],
    ["half of the limit, where nothing is said of a long reply", {}, 64_000, 20_000],
    ["the limit without a short reply, in any case", { inputTokens: 40_179 }, 4_000, 36_000],
    ["none, where the reply alone is too long and counted", { inputTokens: 1, outputTokens: 64_000 }, 64_000, -24_000],
  ])("are %s", (_, refusal, reply, input) => {
    expect(limitsAfterRefusal({ contextLimit: 40_000, ...refusal }, reply)?.input).toBe(input);
  });
});
