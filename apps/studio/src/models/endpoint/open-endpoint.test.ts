import type { ServerResponse } from "node:http";
import { generateText } from "ai";
import { describe, expect, it } from "vitest";
import type { BrowserEnvironment } from "../create-model-manager.ts";
import { ModelError } from "../model-error.ts";
import { ask } from "../test/ask.ts";
import { bareModelManager } from "../test/bare-model-manager.fixture.ts";
import { memoryStorage } from "../test/memory-storage.ts";
import { type Behavior, begins, hangs, json, openAiServer, says, text } from "../test/openai-server.ts";

const KEY = "sk-test-0123456789abcdef";
const SHORT_TIMEOUTS: BrowserEnvironment["timeouts"] = {
  remote: { silenceMs: 150, wholeMs: 150 },
  local: { silenceMs: 150, wholeMs: 150 },
};

async function withEndpoint(
  baseUrl: string,
  given: Partial<BrowserEnvironment> = {},
  apiKey: string | undefined = KEY,
) {
  const manager = bareModelManager(given);
  const { id } = await manager.saveEndpoint({ label: "", baseUrl, modelId: "tiny", ...(apiKey && { apiKey }) });
  await manager.choose(`endpoint:${id}`);
  return { manager, id, model: manager.getSnapshot().current };
}

describe("an endpoint that answers", () => {
  it("streams the answer in pieces with its usage", async () => {
    await using server = await openAiServer();
    const { model } = await withEndpoint(server.baseUrl);
    const seen: string[] = [];
    const { text, inputTokens } = await ask(model, "Hi", { onText: (text) => seen.push(text) });
    expect(text).toBe("Hello there.");
    expect(seen).toEqual(["Hello", "Hello there", "Hello there."]);
    expect(inputTokens).toBe(12);
  });

  it("answers in one piece too", async () => {
    await using server = await openAiServer(says("Yes", "."));
    const { model } = await withEndpoint(server.baseUrl);
    const { text } = await generateText({ model: model?.languageModel ?? "none", prompt: "Is it?" });
    expect(text).toBe("Yes.");
  });

  it("gets no request before the first message", async () => {
    await using server = await openAiServer();
    const storage = memoryStorage();
    const { manager, model } = await withEndpoint(server.baseUrl, { storage });
    await manager.look();
    await bareModelManager({ storage }).look();
    expect(server.received).toEqual([]);
    await ask(model);
    expect(server.received.map(({ method, path }) => `${method} ${path}`)).toEqual(["POST /v1/chat/completions"]);
  });

  it("gets the key as a bearer token, and no header that needs a CORS preflight permission", async () => {
    await using server = await openAiServer();
    const { model } = await withEndpoint(server.baseUrl);
    await ask(model);
    expect(server.received[0]?.authorization).toBe(`Bearer ${KEY}`);
    expect(server.received[0]?.userAgent).not.toContain("ai-sdk");
  });

  it("gets no authorization if there is no key", async () => {
    await using server = await openAiServer();
    const { model } = await withEndpoint(server.baseUrl, {}, "");
    await ask(model);
    expect(server.received[0]?.authorization).toBeUndefined();
  });

  it("gets its request cancelled when the user stops", async () => {
    await using server = await openAiServer(begins("Once", () => undefined));
    const { model } = await withEndpoint(server.baseUrl);
    const stop = new AbortController();
    const { text, error } = await ask(model, "Tell", { signal: stop.signal, onText: () => stop.abort() });
    expect({ text, error }).toEqual({ text: "Once", error: undefined });
    await server.brokenOff;
  });
});

describe("an endpoint that fails", () => {
  const failures: readonly [name: string, behavior: Behavior, problem: string, words: RegExp][] = [
    ["401", json(401, { error: { message: `Bad key ${KEY}` } }), "refused-key", /rejected the API key.*enter the key/],
    ["403", text(403, "no"), "refused-key", /rejected the API key/],
    ["402", text(402, ""), "busy", /no credit left/],
    ["404", json(404, { error: { message: "no such model" } }), "no-such-model", /has no model "tiny".*\/v1/],
    ["429", text(429, "", { "retry-after": "7" }), "busy", /too many requests.*Wait 7 s/],
    ["429 without a time", text(429, ""), "busy", /Wait a moment/],
    ["500", text(500, "<h1>oops</h1>"), "failed", /returned an error \(500\)/],
    ["413", text(413, ""), "too-long", /too long for 127/],
    [
      "400 for length",
      json(400, { error: { message: "maximum context length is 4096 tokens" } }),
      "too-long",
      /too long for 127/,
    ],
    ["400", json(400, { error: { message: `bad ${KEY}` } }), "failed", /refused the request \(400\): bad … Your/],
    [
      "a page instead of an answer",
      text(200, "<!doctype html><p>Hi", { "content-type": "text/html" }),
      "broken-answer",
      /didn't return a valid response/,
    ],
    [
      "garbage in events",
      text(200, "data: {nonsense\n\n", { "content-type": "text/event-stream" }),
      "broken-answer",
      /didn't return a valid response/,
    ],
    ["nothing at all", text(200, ""), "broken-answer", /didn't return a valid response/],
    ["a cut before the first word", (response) => void response.destroy(), "unreachable", /can't be reached.*CORS/],
  ];

  it.each(failures)("is explained for %s", async (_, behavior, problem, words) => {
    await using server = await openAiServer(behavior);
    const { model } = await withEndpoint(server.baseUrl);
    const { error } = await ask(model);
    expect(error).toBeInstanceOf(ModelError);
    expect((error as ModelError).problem).toBe(problem);
    expect((error as ModelError).message).toMatch(words);
    expect((error as ModelError).message).toContain("Your conversation is unchanged.");
    expect((error as ModelError).message).not.toContain(KEY);
  });

  it("asks for a key if none was sent", async () => {
    await using server = await openAiServer(text(401, ""));
    const { model } = await withEndpoint(server.baseUrl, {}, "");
    expect((await ask(model)).error).toMatchObject({ message: expect.stringContaining("needs an API key") });
  });

  it("times out without an answer, and its request is aborted", async () => {
    await using server = await openAiServer(hangs);
    const { model } = await withEndpoint(server.baseUrl, { timeouts: SHORT_TIMEOUTS });
    const { error } = await ask(model);
    expect(error).toMatchObject({
      problem: "silent",
      message: expect.stringMatching(/didn't reply within 0 s\. Your conversation is unchanged\./),
    });
    await server.brokenOff;
  });

  it("times out in the middle of an answer, and its text stays", async () => {
    await using server = await openAiServer(begins("Once", () => undefined));
    // Long enough for the first word to arrive on a busy machine.
    const timeouts = { silenceMs: 2_000, wholeMs: 2_000 };
    const { model } = await withEndpoint(server.baseUrl, { timeouts: { remote: timeouts, local: timeouts } });
    const { text, error } = await ask(model);
    expect(text).toBe("Once");
    expect(error).toMatchObject({ problem: "silent", message: expect.stringContaining("The partial reply is saved") });
  });

  it.each([
    ["is cut", (response: ServerResponse) => response.socket?.end()],
    ["ends without an end", (response: ServerResponse) => response.end()],
  ])("explains an answer that %s in the middle, and its text stays", async (_, then) => {
    await using server = await openAiServer(begins("Once", then));
    const { model } = await withEndpoint(server.baseUrl);
    const { text, error } = await ask(model);
    expect(text).toBe("Once");
    expect(error).toMatchObject({ problem: "broken-answer", message: expect.stringContaining("connection to") });
  });

  it("cannot be reached if no server listens", async () => {
    const server = await openAiServer();
    await server[Symbol.asyncDispose]();
    const { model } = await withEndpoint(server.baseUrl);
    expect((await ask(model)).error).toMatchObject({ problem: "unreachable" });
  });

  it("does not get its request sent on to another server", async () => {
    await using other = await openAiServer();
    await using server = await openAiServer(text(307, "", { location: `${other.baseUrl}/chat/completions` }));
    const { model } = await withEndpoint(server.baseUrl);
    expect((await ask(model)).error).toMatchObject({
      problem: "unreachable",
      message: expect.stringContaining("which is blocked"),
    });
    expect(other.received).toEqual([]);
  });
});

describe("the models of an endpoint", () => {
  it("are listed by name, with the key that was entered", async () => {
    await using server = await openAiServer(json(200, { data: [{ id: "b" }, { id: "a" }, { name: "no id" }, 7] }));
    expect(await bareModelManager().listModels({ baseUrl: `${server.baseUrl}/`, apiKey: KEY })).toEqual(["a", "b"]);
    expect(server.received).toMatchObject([{ method: "GET", path: "/v1/models", authorization: `Bearer ${KEY}` }]);
  });

  it("are listed with the saved key of this server", async () => {
    await using server = await openAiServer();
    const { manager, id } = await withEndpoint(server.baseUrl);
    await manager.listModels({ baseUrl: `${server.origin}/other/v1`, id });
    expect(server.received[0]?.authorization).toBe(`Bearer ${KEY}`);
  });

  it("are listed without the saved key of another server", async () => {
    await using server = await openAiServer();
    await using other = await openAiServer();
    const { manager, id } = await withEndpoint(server.baseUrl);
    await manager.listModels({ baseUrl: other.baseUrl, id });
    expect(other.received[0]?.authorization).toBeUndefined();
  });

  it("come with their context limit, which is saved with the endpoint", async () => {
    await using server = await openAiServer(json(200, { data: [{ id: "tiny", context_length: 32_768 }] }));
    const storage = memoryStorage();
    const manager = bareModelManager({ storage });
    await manager.listModels({ baseUrl: server.baseUrl });
    const { id } = await manager.saveEndpoint({ label: "", baseUrl: server.baseUrl, modelId: "tiny" });
    const later = bareModelManager({ storage });
    await later.choose(`endpoint:${id}`);
    expect(later.getSnapshot().current?.contextLimit).toBe(32_768);
  });

  it.each([
    ["401", text(401, ""), /needs an API key/],
    ["404", text(404, ""), /no model list at this URL/],
    ["429", text(429, ""), /too many requests/],
    ["garbage", text(200, "<p>"), /didn't return a valid response/],
    ["another form", json(200, { models: [] }), /didn't return a valid response/],
  ])("cannot be listed for %s, and the error names the reason", async (_, behavior, words) => {
    await using server = await openAiServer(behavior);
    await expect(bareModelManager().listModels({ baseUrl: server.baseUrl })).rejects.toThrow(words);
  });

  it("cannot be listed if the endpoint does not reply, and the error names the reason", async () => {
    await using server = await openAiServer(hangs);
    const listing = bareModelManager({ timeouts: SHORT_TIMEOUTS }).listModels({ baseUrl: server.baseUrl });
    await expect(listing).rejects.toThrow(/didn't reply within 0 s/);
  });
});
