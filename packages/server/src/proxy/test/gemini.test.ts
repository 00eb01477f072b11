import { afterEach, describe, expect, it } from "vitest";
import { inProcessStore } from "../../../../throughline/src/store/in-process.ts";
import { ask } from "../../../test/request.ts";
import { type Seen, startUpstream } from "../../../test/upstream.ts";
import type { ProxyTurn } from "../proxy-turn.ts";
import { teeResponse } from "../upstream/forward.ts";
import { geminiAnswerReader } from "../wire/gemini-wire.ts";
import type { Answer } from "../wire/wire.ts";
import { post as postAt, proxiedProvider, words } from "./long-runs.fixture.ts";
import { type ProxyTestOptions, type RunningProxy, startProxy } from "./proxy.fixture.ts";

const KEY = "AIza-never-to-be-seen-42";
const TOKEN = "tl_0123456789abcdef_x";
const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

const json =
  (answer: object, status = 200) =>
  (seen: Seen) =>
    seen.response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer));
const said = { candidates: [{ content: { role: "model", parts: [{ text: "Hello." }] }, finishReason: "STOP" }] };
const GENERATE = "/v1beta/models/gemini-2.5-pro:generateContent";
/** Unusual spacing and escapes that a JSON round trip would change. */
const ODD = '{ "contents" : [ {"parts":[{"text":"H\\u0069"}], "role":"user"} ],\n\t"seed": 12345678901234567890 }';

async function start(answer: (seen: Seen) => unknown, key?: string, options: ProxyTestOptions = {}) {
  const upstream = await startUpstream(answer);
  const url = upstream.url.replace(/\/v1$/, "");
  const gemini = { url, ...(key !== undefined && { key }) };
  const proxy = await startProxy({ store: inProcessStore(), gemini, ...options });
  opened.push(upstream, proxy);
  const post = (path: string, body = ODD, headers: Record<string, string> = {}) =>
    ask(proxy.url, path, { method: "POST", body, headers });
  return { upstream, proxy, post };
}

describe("a request in Gemini's format", () => {
  it("is forwarded byte for byte if it fits, and stored in a session with its answer", async () => {
    const { upstream, proxy, post } = await start(json(said));
    const answer = await post(GENERATE);
    expect(answer).toMatchObject({ status: 200, headers: { "x-throughline-compacted": "0" } });
    expect(answer.json()).toEqual(said);
    expect(upstream.seen.map(({ path, body }) => ({ path, body }))).toEqual([{ path: GENERATE, body: ODD }]);
    const session = (await proxy.throughline()).session(String(answer.headers["x-throughline-session"]));
    expect(await session.history()).toMatchObject([
      { role: "user", parts: [{ text: "Hi" }] },
      { role: "assistant", parts: [{ text: "Hello." }] },
    ]);
  });

  it("streams as events, or as the items of a list", async () => {
    const events = `data: ${JSON.stringify(said)}\r\n\r\n`;
    const { proxy, post } = await start(({ path, response }) =>
      path?.endsWith("alt=sse")
        ? response.writeHead(200, { "content-type": "text/event-stream" }).end(events)
        : response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify([said])),
    );
    for (const [query, text] of [
      ["?alt=sse", events],
      ["", JSON.stringify([said])],
    ]) {
      const answer = await post(`/v1beta/models/gemini-2.5-pro:streamGenerateContent${query}`);
      expect(answer.body.toString()).toBe(text);
      const session = (await proxy.throughline()).session(String(answer.headers["x-throughline-session"]));
      expect((await session.history()).at(-1)).toMatchObject({ role: "assistant", parts: [{ text: "Hello." }] });
    }
  });

  it("is stored in full if every chunk of the answer has a finish reason", async () => {
    const taken: Answer[] = [];
    const turn = { takeIn: async (answer: Answer) => taken.push(answer), leave: () => undefined };
    const listener = teeResponse(turn as unknown as ProxyTurn, geminiAnswerReader(0), true, (error) => {
      throw error;
    });
    for (const text of ["Hel", "lo."]) {
      const candidates = [{ content: { parts: [{ text }] }, finishReason: "STOP" }];
      await listener.read(Buffer.from(`data: ${JSON.stringify({ candidates })}\n\n`));
    }
    await listener.end();
    expect(taken.map(({ messages }) => messages)).toMatchObject([[{ parts: [{ text: "Hello." }] }]]);
  });

  it("for token counts or models is forwarded", async () => {
    const { upstream, proxy, post } = await start(json({ totalTokens: 3 }));
    expect((await post("/v1beta/models/gemini-2.5-pro:countTokens")).json()).toEqual({ totalTokens: 3 });
    await ask(proxy.url, "/v1beta/models?pageSize=5");
    await ask(proxy.url, "/v1beta/models/gemini-2.5-pro");
    expect(upstream.seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /v1beta/models/gemini-2.5-pro:countTokens",
      "GET /v1beta/models?pageSize=5",
      "GET /v1beta/models/gemini-2.5-pro",
    ]);
    expect(await (await proxy.throughline()).sessions()).toEqual([]);
  });

  it.each([
    ['{"contents":[{"role":"model","parts":[{"function_call":{"name":"f"}}]}]}', "unreadable"],
    ['{"contents":"Hi"}', "unreadable"],
    ["no JSON", "unreadable"],
    ['{"contents":[{"parts":[{"text":"Hi"}]}],"cachedContent":"cachedContents/1"}', "conversation-held-upstream"],
  ])("is forwarded unchanged if it cannot be read: %s", async (body, why) => {
    const { upstream, post } = await start(json(said));
    expect((await post(GENERATE, body)).headers["x-throughline-degraded"]).toBe(why);
    expect(upstream.seen.map((seen) => seen.body)).toEqual([body]);
  });

  it("is forwarded unchanged if one text is longer than 8,000,000 characters", async () => {
    const { upstream, post } = await start(json(said));
    const body = JSON.stringify({ contents: [{ parts: [{ text: "a".repeat(8_000_001) }] }] });
    expect((await post(GENERATE, body)).headers["x-throughline-degraded"]).toBe("text-too-long");
    expect(upstream.seen.map((seen) => seen.body === body)).toEqual([true]);
  });

  it("is forwarded unchanged if it has more than 10,000 messages", async () => {
    const { upstream, post } = await start(json(said));
    const body = JSON.stringify({ contents: Array(10_001).fill({ role: "user", parts: [{ text: "Hi" }] }) });
    expect((await post(GENERATE, body)).headers["x-throughline-degraded"]).toBe("too-many-messages");
    expect(upstream.seen.map((seen) => seen.body === body)).toEqual([true]);
  });

  it("gets errors in Gemini's format", async () => {
    const { upstream, proxy, post } = await start(json({}));
    for (const path of [
      "/v1beta/models/x:embedContent",
      "/v1beta/files",
      "/v1beta/models/..%2f..%2fx:generateContent",
    ]) {
      expect((await post(path)).json()).toMatchObject({ error: { code: 404, status: "NOT_FOUND" } });
    }
    const reader = await post(GENERATE, ODD, { "x-reader": "yes" });
    expect(reader.json()).toMatchObject({ error: { code: 403, status: "PERMISSION_DENIED" } });
    expect(upstream.seen).toEqual([]);
    const none = await startProxy({ store: inProcessStore(), model: { url: proxy.url } });
    opened.push(none);
    const missing = await ask(none.url, GENERATE, { method: "POST", body: ODD });
    expect(missing.json()).toMatchObject({ code: "no-model", error: { status: "NOT_FOUND" } });
    expect(missing.body.toString()).toContain("THROUGHLINE_GEMINI_URL");
  });

  it("is limited to the offered model, if there is one", async () => {
    const upstream = await startUpstream(json(said));
    opened.push(upstream);
    const gemini = { url: upstream.url.replace(/\/v1$/, ""), model: "gemini-2.5-pro" };
    const { proxy, post } = await start(json({}), undefined, { gemini });
    expect((await post(GENERATE)).status).toBe(200);
    expect(upstream.seen[0]?.body).toBe(ODD);
    expect((await post("/v1beta/models/other:generateContent")).json()).toMatchObject({ code: "model-not-offered" });
    expect((await ask(proxy.url, "/v1beta/models")).json()).toMatchObject({
      models: [{ name: "models/gemini-2.5-pro" }],
    });
    expect((await ask(proxy.url, "/v1beta/models/gemini-2.5-pro")).json()).toMatchObject({
      name: "models/gemini-2.5-pro",
    });
  });
});

describe("a Gemini key", () => {
  const SENT: [query: string, headers: Record<string, string>][] = [
    ["", { "x-goog-api-key": "of-the-client" }],
    ["?alt=sse&key=of-the-client", {}],
    ["", { authorization: "Bearer of-the-client" }],
  ];

  it.each(SENT)("of the client is forwarded if the server has none: %s %j", async (query, headers) => {
    const { upstream, post } = await start(json(said));
    await post(`${GENERATE}${query}`, ODD, headers);
    expect(upstream.seen[0]?.path).toBe(`${GENERATE}${query}`);
    expect(upstream.seen[0]?.headers).toMatchObject(headers);
  });

  it.each(SENT)("of the server replaces it: %s %j", async (query, headers) => {
    const { upstream, post } = await start(json(said), KEY);
    await post(`${GENERATE}${query}`, ODD, headers);
    const [seen] = upstream.seen;
    expect(seen?.headers["x-goog-api-key"]).toBe(KEY);
    expect(JSON.stringify([seen?.path, seen?.headers])).not.toContain("of-the-client");
    expect(seen?.path).toBe(`${GENERATE}${query.includes("alt") ? "?alt=sse" : ""}`);
  });

  it("that is a Throughline token is never forwarded", async () => {
    const { upstream, post } = await start(json(said));
    for (const query of [`?key=${TOKEN}`, `?k%65y=${TOKEN}&alt=sse`, `?x=1&other=${TOKEN}`])
      await post(`${GENERATE}${query}`);
    await post(GENERATE, ODD, { "x-goog-api-key": TOKEN, authorization: `Bearer ${TOKEN}` });
    expect(upstream.seen.map(({ path }) => path)).toEqual([
      GENERATE,
      `${GENERATE}?alt=sse`,
      `${GENERATE}?x=1`,
      GENERATE,
    ]);
    expect(JSON.stringify(upstream.seen.map(({ path, headers }) => [path, headers]))).not.toContain("tl_");
  });

  it.each([
    ["the server's", KEY, ""],
    ["the client's", undefined, `?key=${KEY}`],
  ])("is removed from responses and errors, even if the upstream repeats it: %s", async (_, key, query) => {
    const repeat = (seen: Seen) =>
      json({ error: { message: `Bad: ${seen.headers["x-goog-api-key"]} ${seen.path}` } }, 400)(seen);
    const { proxy, post } = await start(repeat, key);
    const answer = await post(`${GENERATE}${query}`);
    expect(answer.body.toString()).toContain("[key]");
    expect(JSON.stringify([answer.headers, answer.body.toString(), proxy.errors])).not.toContain(KEY);
  });
});

const at = proxiedProvider();
/** A long agent run. */
function longContents(): object[] {
  const steps = Array.from({ length: 12 }, (_, index) => [
    { role: "model", parts: [{ functionCall: { name: "read", args: { n: index } } }] },
    { role: "user", parts: [{ functionResponse: { name: "read", response: { output: words(150) } } }] },
  ]).flat();
  return [
    { role: "user", parts: [{ text: "Find the leak. Never restart the server." }] },
    ...steps,
    { role: "model", parts: [{ text: "Well." }] },
    { role: "user", parts: [{ text: "And?" }] },
  ];
}
const post = (proxy: RunningProxy, body: object, model = "local") =>
  postAt(proxy, `../v1beta/models/${model}:generateContent`, JSON.stringify(body), {});

describe("a conversation in Gemini's format that does not fit", () => {
  const withGemini = <T>(options: ProxyTestOptions, work: (proxy: RunningProxy) => Promise<T>) =>
    at.withProxy({ gemini: { url: at.upstream.url }, ...options }, work);

  it.each([
    [4_000, "[Output of read masked"],
    [1_500, "## Session Summary"],
  ])("is compacted to %i tokens in its own format, with all other fields unchanged", async (local, sign) => {
    await withGemini({ contextLimits: { local } }, async (proxy) => {
      const systemInstruction = { parts: [{ text: "Be careful." }] };
      const generationConfig = { maxOutputTokens: 65_536, thinkingConfig: { includeThoughts: true } };
      const answer = await post(proxy, { contents: longContents(), systemInstruction, generationConfig });
      expect({ status: answer.status, why: answer.header("degraded") }, answer.text).toEqual({
        status: 200,
        why: null,
      });
      expect(Number(answer.header("compacted"))).toBeGreaterThan(10);
      const sent = JSON.parse(at.upstream.log.at(-1)?.body ?? "");
      expect(Object.keys(sent)).toEqual(["contents", "systemInstruction", "generationConfig"]);
      expect(sent).toMatchObject({ systemInstruction, generationConfig });
      expect([sent.contents[0].parts[0], sent.contents.at(-1)]).toEqual([
        { text: "Find the leak. Never restart the server." },
        { role: "user", parts: [{ text: "And?" }] },
      ]);
      expect(JSON.stringify(sent)).toContain(sign);
    });
  });

  it("learns the limit from a refusal, which the client does not see", async () => {
    await withGemini({}, async (proxy) => {
      at.upstream.provider.limit = 4_000;
      const from = at.upstream.log.length;
      const contents = longContents();
      expect((await post(proxy, { contents }, "gemini-2.5-pro")).status).toBe(200);
      expect(at.upstream.log[from]?.refusal).toMatch(/^The input token count \(\d+\) exceeds the maximum number/);
      contents.push({ role: "model", parts: [{ text: "Hello." }] }, { role: "user", parts: [{ text: "More." }] });
      expect((await post(proxy, { contents }, "gemini-2.5-pro")).status).toBe(200);
      expect(at.upstream.log.slice(from).map(({ isOverflow }) => isOverflow)).toEqual([true, false, false]);
    });
  });

  it("of an unknown model uses the limit in the list of models, requested with the client's key", async () => {
    const models = { models: [{ name: "models/my-gemini", inputTokenLimit: 64_000 }] };
    const { upstream, post: send } = await start((seen) => json(seen.method === "GET" ? models : said)(seen));
    const body = JSON.stringify({ contents: [{ parts: [{ text: words(8_000) }] }] });
    const answer = await send("/v1beta/models/my-gemini:generateContent?key=k", body);
    expect(answer.headers["x-throughline-compacted"]).toBe("0");
    expect(upstream.seen.map(({ path }) => path)).toEqual([
      "/v1beta/models?pageSize=1000&key=k",
      "/v1beta/models/my-gemini:generateContent?key=k",
    ]);
  });

  it.each(["systemInstruction", "system_instruction"])("gets memories after its system prompt: %s", async (field) => {
    await withGemini({ memory: true }, async (proxy) => {
      const { memory } = await proxy.throughline();
      await memory.remember({ text: "The invoices database is PostgreSQL 16." });
      const contents = [{ role: "user", parts: [{ text: "Which database holds the invoices?" }] }];
      const answer = await post(proxy, { contents, [field]: { role: "user", parts: [{ text: "Be brief." }] } });
      expect(answer.header("degraded")).toBeNull();
      const sent = JSON.parse(at.upstream.log.at(-1)?.body ?? "");
      expect(sent.contents).toEqual(contents);
      expect(sent[field].parts).toEqual([{ text: "Be brief." }, { text: expect.stringContaining("PostgreSQL 16") }]);
    });
  });
});
