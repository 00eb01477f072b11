import { afterEach, describe, expect, it } from "vitest";
import { InvalidOptionError } from "../errors/input-errors.ts";
import { ModelError } from "../errors/model-errors.ts";
import { type Answering, type ChatServer, chatServer, sendError, sendJson, sendText } from "./chat-server.fixture.ts";
import { type OpenAiCompatibleOptions, openAiCompatibleModel } from "./openai-compatible-model.ts";

const KEY = "k3y-of-nobody-0123456789";
const REQUEST = { system: "Be brief.", prompt: "Hello", maxOutputTokens: 50, temperature: 0.3 };

let server: ChatServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** A model behind a server with the given answers. */
async function open(answer: Answering, options: Partial<OpenAiCompatibleOptions> = {}) {
  server = await chatServer(answer);
  const { baseUrl, asked } = server;
  return { asked, model: openAiCompatibleModel({ baseUrl, model: "m-1", apiKey: KEY, retryDelay: 1, ...options }) };
}

async function failure(work: Promise<unknown>): Promise<ModelError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ModelError);
  return error as ModelError;
}

describe("openAiCompatibleModel", () => {
  it("requests a chat completion and returns its text", async () => {
    const { model, asked } = await open((response) => sendText(response, "Hi."));
    expect(await model.generate(REQUEST)).toEqual({ text: "Hi.", hasToolCalls: false });
    const messages = [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Hello" },
    ];
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({
      path: "/v1/chat/completions",
      headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json" },
      body: { model: "m-1", messages, max_tokens: 50, temperature: 0.3, stream: false },
    });
  });

  it("keeps its name and limit, and has no limit if none is given", async () => {
    const { model } = await open((response) => sendText(response, ""), { contextLimit: 8_192 });
    expect(model).toMatchObject({ modelId: "m-1", contextLimit: 8_192 });
    expect("contextLimit" in openAiCompatibleModel({ baseUrl: "http://127.0.0.1/v1", model: "m" })).toBe(false);
  });

  it("reads text in parts and reports tool calls", async () => {
    const parts = [{ type: "text", text: "a" }, { type: "image" }, { type: "text", text: "b" }];
    const message = { role: "assistant", content: parts, tool_calls: [{ id: "c", type: "function" }] };
    const { model } = await open((response) => sendJson(response, 200, { choices: [{ message }] }));
    expect(await model.generate(REQUEST)).toEqual({ text: "ab", hasToolCalls: true });
  });

  it("sends custom headers, which take precedence, and keeps a query string", async () => {
    const { model, asked } = await open((response) => sendText(response, "ok"));
    expect(model.modelId).toBe("m-1");
    const baseUrl = `${server?.baseUrl}/?api-version=2026-01-01`;
    const own = openAiCompatibleModel({ baseUrl, model: "m", apiKey: KEY, headers: { Authorization: "Basic abc" } });
    await own.generate({ ...REQUEST, system: "" });
    expect(asked[0]).toMatchObject({
      path: "/v1/chat/completions?api-version=2026-01-01",
      headers: { authorization: "Basic abc" },
      body: { messages: [{ role: "user", content: "Hello" }] },
    });
  });

  it("learns which parameters a server does not accept", async () => {
    const { model, asked } = await open((response, { body }) => {
      if ("max_tokens" in body) {
        return sendError(response, 400, "'max_tokens' is not supported. Use 'max_completion_tokens' instead.");
      }
      if ("temperature" in body) return sendError(response, 400, "'temperature' does not support 0.3.");
      return sendText(response, "ok");
    });
    expect((await model.generate(REQUEST)).text).toBe("ok");
    expect((await model.generate(REQUEST)).text).toBe("ok");
    expect(asked).toHaveLength(4);
    expect(asked[3]?.body).toMatchObject({ max_completion_tokens: 50 });
    expect(asked[3]?.body).not.toHaveProperty("temperature");
  });
});

describe("a temporary failure", () => {
  it.each([408, 429, 500, 503, 529])("with status %i is retried", async (status) => {
    const { model, asked } = await open((response, _, index) =>
      index < 2 ? sendError(response, status, "Later.") : sendText(response, "ok"),
    );
    expect((await model.generate(REQUEST)).text).toBe("ok");
    expect(asked).toHaveLength(3);
  });

  it("is retried as configured and then reported with the server's text", async () => {
    const { model, asked } = await open((response) => sendError(response, 503, "No room."), { maxRetries: 1 });
    const error = await failure(model.generate(REQUEST));
    expect(asked).toHaveLength(2);
    expect(error).toMatchObject({ problem: "overloaded", status: 503, code: "model" });
    expect(error.summary).toMatch(/^The model at 127\.0\.0\.1:\d+ is overloaded or failing \(503\): No room\.$/);
  });

  it("waits as long as the server asks", async () => {
    const { model, asked } = await open(
      (response, _, index) =>
        index === 0 ? sendError(response, 429, "Slow down.", { "retry-after": "0" }) : sendText(response, "ok"),
      // Without the header the delay would exceed the time limit.
      { retryDelay: 1_000_000 },
    );
    expect((await model.generate(REQUEST)).text).toBe("ok");
    expect(asked).toHaveLength(2);
  });

  it.each([
    ["seconds", { "retry-after": "3600" }],
    ["milliseconds", { "retry-after-ms": "3600000" }],
    ["a date", { "retry-after": new Date(Date.now() + 3_600_000).toUTCString() }],
  ])("is not waited for beyond the time limit, given in %s", async (_, headers) => {
    const { model, asked } = await open((response) => sendError(response, 429, "Slow down.", headers));
    const error = await failure(model.generate(REQUEST));
    expect(asked).toHaveLength(1);
    // The time since the date was written is taken off.
    expect(error.summary).toMatch(/\(429\): Slow down\. Retry after 3[456]\d\d s\.$/);
  });

  it("may be a broken connection", async () => {
    const { model } = await open((response, _, index) => (index === 0 ? response.destroy() : sendText(response, "ok")));
    expect((await model.generate(REQUEST)).text).toBe("ok");
  });

  it("may be a truncated answer", async () => {
    const { model } = await open((response, _, index) => {
      if (index > 0) return sendText(response, "ok");
      response.writeHead(200, { "content-length": "1000" });
      response.write('{"choices":', () => response.destroy());
    });
    expect((await model.generate(REQUEST)).text).toBe("ok");
  });
});

describe("a permanent failure", () => {
  const cases: [what: string, answer: Answering, problem: string, says: RegExp][] = [
    ["a bad key", (r) => sendError(r, 401, `Incorrect key: ${KEY}`), "key-refused", /rejected the API key \(401\)/],
    [
      "a bad request",
      (r) => sendError(r, 400, "No such model."),
      "refused",
      /rejected the request \(400\): No such mo/,
    ],
    ["an error under 200", (r) => sendError(r, 200, "Upstream."), "refused", /\(400\): Upstream\./],
    ["a page", (r) => r.writeHead(404).end("<html>Not here</html>"), "refused", /rejected the request \(404\)\.$/],
    [
      "another address",
      (r) => r.writeHead(307, { location: "/v2" }).end(),
      "redirected",
      /redirects the request to another address/,
    ],
    ["no JSON", (r) => r.writeHead(200).end("hello"), "wrong-answer", /did not return JSON/],
    ["no message", (r) => sendJson(r, 200, { choices: [] }), "wrong-answer", /returned a reply without a message/],
  ];
  it.each(cases)("is reported at once: %s", async (_, answer, problem, says) => {
    const { model, asked } = await open(answer);
    const error = await failure(model.generate(REQUEST));
    expect(error.problem).toBe(problem);
    expect(error.summary).toMatch(says);
    expect(error.hint).not.toBe("");
    expect(asked).toHaveLength(1);
  });

  it("is an endless answer, of which at most 8 MiB are read", async () => {
    const piece = "x".repeat(1024 * 1024);
    const { model } = await open((response) => {
      const go = () => {
        while (!response.destroyed && response.write(piece));
      };
      response.on("drain", go);
      go();
    });
    expect((await failure(model.generate(REQUEST))).problem).toBe("too-large");
  });

  it("is an unreachable server", async () => {
    const { model } = await open((response) => sendText(response, "ok"));
    await server?.close();
    const error = await failure(model.generate(REQUEST));
    expect(error.problem).toBe("unreachable");
    expect(error.message).toMatch(/is unreachable: .*ECONNREFUSED/);
  });
});

describe("the time limit", () => {
  it("includes all attempts", async () => {
    const { model } = await open(() => undefined, { timeLimit: 30 });
    const error = await failure(model.generate(REQUEST));
    expect(error.problem).toBe("timed-out");
    expect(error.summary).toMatch(/^The model at .* did not answer in 0\.03 s\.$/);
  });

  it("ends when the caller aborts a request, which is cancelled", async () => {
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
    const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
    const { model } = await open((response) => {
      response.on("close", stop);
      arrive();
    });
    const controller = new AbortController();
    const asking = model.generate({ ...REQUEST, signal: controller.signal });
    await arrived;
    const reason = new Error("enough");
    controller.abort(reason);
    await expect(asking).rejects.toBe(reason);
    await stopped;
  });

  it("ends when the caller aborts a wait", async () => {
    const { promise: refused, resolve } = Promise.withResolvers<void>();
    const { model, asked } = await open(
      (response) => {
        response.on("finish", resolve);
        sendError(response, 503, "Later.");
      },
      { retryDelay: 50_000 },
    );
    const controller = new AbortController();
    const asking = model.generate({ ...REQUEST, signal: controller.signal });
    await refused;
    controller.abort("enough");
    await expect(asking).rejects.toBe("enough");
    expect(asked).toHaveLength(1);
  });
});

describe("an API key", () => {
  const texts = (error: ModelError) => `${error.message} ${error.hint} ${JSON.stringify(error)} ${error.stack}`;

  it("is redacted if the server repeats it", async () => {
    const headers = { "x-api-key": "hidden-value-1", "x-title": "My app" };
    const { model } = await open(
      (response) => sendError(response, 400, `You sent ${KEY}, hidden-value-1, q-secret and My app.`),
      { headers },
    );
    expect(model.modelId).toBe("m-1");
    const baseUrl = `${server?.baseUrl}?key=q-secret`;
    const asking = openAiCompatibleModel({ baseUrl, model: "m", apiKey: KEY, headers }).generate(REQUEST);
    const said = texts(await failure(asking));
    expect(said).toContain("My app");
    for (const secret of [KEY, "hidden-value-1", "q-secret"]) expect(said).not.toContain(secret);
  });

  it("is redacted in errors of fetch", async () => {
    const thrown = Object.assign(new Error(`bad header Bearer ${KEY}`), { cause: { code: KEY } });
    const { model } = await open((response) => sendText(response, ""), {
      maxRetries: 0,
      fetch: () => Promise.reject(thrown),
    });
    const error = await failure(model.generate(REQUEST));
    expect(texts(error)).not.toContain(KEY);
    expect(error.cause).toBeUndefined();
  });

  it("is redacted in errors about options", () => {
    const wrong: Partial<OpenAiCompatibleOptions>[] = [
      { apiKey: "two words" },
      { headers: { authorization: "line\nbreak" } },
      { headers: { "not a name": "x" } },
      { baseUrl: "https://user:pass@example.com/v1" },
      { baseUrl: "ftp://example.com" },
      { baseUrl: "example.com/v1" },
      { model: "" },
      { contextLimit: 0 },
      { timeLimit: 0 },
      { maxRetries: -1 },
      { retryDelay: Number.NaN },
    ];
    for (const options of wrong) {
      const make = () => openAiCompatibleModel({ baseUrl: "https://example.com/v1", model: "m", ...options });
      expect(make).toThrow(InvalidOptionError);
      expect(make).not.toThrow(/pass@|two words|line/);
    }
  });

  describe("without a model name", () => {
    const listing =
      (...names: readonly string[]): Answering =>
      (response, { path, body }) =>
        path === "/v1/models"
          ? sendJson(response, 200, { object: "list", data: names.map((id) => ({ id, object: "model" })) })
          : sendText(response, String(body.model));

    it("asks once for the first listed model that writes text", async () => {
      server = await chatServer(listing("nomic-embed-text", "qwen3:8b", "llama3.2"));
      const { baseUrl, asked } = server;
      const model = openAiCompatibleModel({ baseUrl, apiKey: KEY });
      expect(model.modelId).toBe("unknown");
      expect(await model.generate(REQUEST)).toMatchObject({ text: "qwen3:8b" });
      await model.generate(REQUEST);
      expect(model.modelId).toBe("qwen3:8b");
      expect(asked.map(({ path }) => path)).toEqual(["/v1/models", "/v1/chat/completions", "/v1/chat/completions"]);
      expect(asked[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    });

    it("retries if the list could not be loaded", async () => {
      const names = listing("m-2");
      server = await chatServer((response, asked, index) =>
        index === 0 ? sendError(response, 404, "starting") : names(response, asked, index),
      );
      const model = openAiCompatibleModel({ baseUrl: server.baseUrl });
      expect(await failure(model.generate(REQUEST))).toMatchObject({ problem: "refused" });
      expect(await model.generate(REQUEST)).toMatchObject({ text: "m-2" });
    });

    it("reports that there is no model", async () => {
      server = await chatServer(listing("nomic-embed-text"));
      const model = openAiCompatibleModel({ baseUrl: server.baseUrl });
      expect((await failure(model.generate(REQUEST))).message).toMatch(/lists no chat model/);
    });
  });

  it("reports a reply that was cut off", async () => {
    const choices = [{ message: { content: "Half" }, finish_reason: "length" }];
    const { model } = await open((response) => sendJson(response, 200, { choices }));
    expect(await model.generate(REQUEST)).toEqual({ text: "Half", hasToolCalls: false, isCut: true });
  });
});
