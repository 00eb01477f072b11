import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { ask, begin } from "../../../test/request.ts";
import { json, UNUSUAL_BODIES, upstreamProxies } from "./upstream-proxy.fixture.ts";

const start = upstreamProxies();
const said = { choices: [{ index: 0, message: { role: "assistant", content: "Hello." }, finish_reason: "stop" }] };
const saidByClaude = { type: "message", role: "assistant", content: [{ type: "text", text: "Hello." }] };

describe("a request that fits", () => {
  it.each(UNUSUAL_BODIES)("is forwarded to %s byte for byte", async (path, body) => {
    const { upstream, post } = await start(json({}));
    const answer = await post(`${path}?beta=true`, body);
    expect(upstream.seen.map(({ path: to, body: got }) => ({ to, got }))).toEqual([
      { to: `/v1/${path}?beta=true`, got: body },
    ]);
    expect(answer).toMatchObject({ status: 200, headers: { "x-throughline-compacted": "0" } });
    expect(answer.headers["x-throughline-receipt"]).toBe(`${answer.headers["x-throughline-session"]}/receipt-1`);
  });

  it.each([
    ["no JSON", "unreadable"],
    ["[1]", "unreadable"],
    ['{"messages":"Hi"}', "unreadable"],
    ['{"messages":[{"role":"function","name":"f","content":"1"}]}', "unreadable"],
    ['{"messages":[]}', undefined],
  ])("is forwarded unchanged if it cannot be read: %s", async (body, why) => {
    const { upstream, post, proxy } = await start(json({}));
    const answer = await post("chat/completions", body);
    expect(upstream.seen.map((seen) => seen.body)).toEqual([body]);
    expect(answer.headers["x-throughline-degraded"]).toBe(why);
    expect(answer.headers["x-throughline-session"]).toBeUndefined();
    expect(proxy.errors).toEqual([]);
  });

  it.each(["conversation", "prompt"])("is forwarded unchanged if the upstream stores the rest: %s", async (field) => {
    const { upstream, post } = await start(json({}));
    const body = JSON.stringify({ model: "gpt-4o", input: "Hi", [field]: { id: "x" } });
    const answer = await post("responses", body);
    expect(upstream.seen.map((seen) => seen.body)).toEqual([body]);
    expect(answer.headers["x-throughline-degraded"]).toBe(`${field}-held-upstream`);
  });

  it("of the Studio is forwarded and not stored, because the Studio stores its conversations itself", async () => {
    const { proxy, post } = await start(json(said));
    const body = JSON.stringify({ model: "gpt-4o", messages: [{ role: "user", content: "Hi" }] });
    const answer = await post("chat/completions", body, { origin: new URL(proxy.url).origin });
    expect(answer.headers["x-throughline-session"]).toBeUndefined();
    expect(await (await proxy.throughline()).sessions()).toEqual([]);
  });

  it("for token counts or models is forwarded", async () => {
    const { upstream, post, proxy } = await start(json({ input_tokens: 3 }));
    expect((await post("messages/count_tokens", '{ "messages": [] }')).json()).toEqual({ input_tokens: 3 });
    await ask(proxy.url, "/v1/models");
    await ask(proxy.url, "/v1/models?limit=5", { headers: { "anthropic-version": "2023-06-01" } });
    expect(upstream.seen.map(({ method, path, body }) => `${method} ${path} ${body}`.trim())).toEqual([
      'POST /v1/messages/count_tokens { "messages": [] }',
      "GET /v1/models",
      "GET /v1/models?limit=5",
    ]);
    expect(await (await proxy.throughline()).sessions()).toEqual([]);
  });
});

describe("a model by its id", () => {
  it.each([
    ["/v1/models/gpt-4o", {}],
    ["/v1/models/claude-sonnet-4-5?x=1", { "anthropic-version": "2023-06-01" }],
    ["/v1/models/meta%2Fllama-3", {}],
    ["/v1/models/meta/llama-3:free", {}],
  ])("is forwarded: %s", async (path, headers) => {
    const { upstream, proxy } = await start(json({ id: "m" }));
    const answer = await ask(proxy.url, path, { headers });
    expect({ status: answer.status, body: answer.json() }).toEqual({ status: 200, body: { id: "m" } });
    expect(upstream.seen.map((seen) => `${seen.method} ${seen.path}`)).toEqual([`GET ${path}`]);
  });

  it("is answered here if the server offers a single model", async () => {
    const { upstream, proxy } = await start(json({}), undefined, {
      model: { url: "http://127.0.0.1:1", model: "a/b" },
    });
    for (const path of ["/v1/models/a/b", "/v1/models/a%2Fb"]) {
      expect((await ask(proxy.url, path)).json()).toMatchObject({ id: "a/b", object: "model" });
    }
    const other = await ask(proxy.url, "/v1/models/c");
    expect(other.json()).toMatchObject({ status: 404, code: "model-not-offered" });
    expect(upstream.seen).toEqual([]);
  });

  it("never leads out of the list of models", async () => {
    const { upstream, proxy } = await start(json({}));
    for (const path of [
      "/v1/models/../x",
      "/v1/models/%2e%2e/x",
      "/v1/models/a/../../../x",
      "/v1/models/..%5cx",
      "/v1/models/..%2fx",
    ]) {
      await ask(proxy.url, path);
    }
    for (const { path } of upstream.seen) expect(path).toMatch(/^\/v1\/models\/[^.]/);
  });
});

describe("a WebSocket", () => {
  const headers = { connection: "Upgrade", "sec-websocket-version": "13", "sec-websocket-key": "eA==" };

  it("is rejected at once with 426, so that the client uses HTTP", async () => {
    const { upstream, proxy } = await start(json({}));
    const answer = await ask(proxy.url, "/v1/responses", { headers: { ...headers, upgrade: "websocket" } });
    expect(answer).toMatchObject({ status: 426, headers: { connection: "Upgrade", upgrade: "HTTP/1.1" } });
    expect(answer.json()).toMatchObject({ code: "websocket-unsupported", error: { type: "invalid_request_error" } });
    expect((await ask(proxy.url, "/v1/responses", {})).status).toBe(404);
    expect(upstream.seen).toEqual([]);
  });

  it("that was rejected leaves a connection for the next request", async () => {
    const { proxy } = await start(json({ id: "m" }));
    const { hostname, port } = new URL(proxy.url);
    const socket = connect(Number(port), hostname);
    const upgrade = Object.entries({ host: hostname, ...headers, upgrade: "websocket" });
    socket.write(
      `GET /v1/responses HTTP/1.1\r\n${upgrade.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`,
    );
    const [refusal] = await once(socket, "data");
    expect(String(refusal)).toMatch(/^HTTP\/1.1 426 Upgrade Required\r\n/);
    socket.write(`GET /v1/models/m HTTP/1.1\r\nhost: ${hostname}\r\nconnection: close\r\n\r\n`);
    expect(await text(socket)).toContain('{"id":"m"}');
  });
});

describe("an error", () => {
  it("has the provider's own format and that of a problem", async () => {
    const { post, proxy, stopUpstream } = await start(json({}));
    await stopUpstream();
    const [[path, body], [claude, asked]] = UNUSUAL_BODIES;
    const chat = await post(path, body);
    expect({ type: chat.headers["content-type"], ...(chat.json() as object) }).toMatchObject({
      type: "about:blank",
      status: 502,
      code: "model-failed",
      error: { type: "server_error", code: "model-failed", message: expect.stringContaining("is unreachable") },
    });
    expect((await post(claude, asked)).json()).toMatchObject({
      status: 502,
      type: "error",
      error: { type: "api_error", message: expect.stringContaining("is unreachable") },
    });
    expect(proxy.errors).toEqual([]);
  });

  it("is returned for an unknown model, an unknown path, a missing permission, or a body that is too large", async () => {
    const { proxy, upstream, post } = await start(json({}), undefined, { anthropic: undefined });
    const reader = await post("chat/completions", "{}", { "x-reader": "yes" });
    expect(reader.json()).toMatchObject({ status: 403, code: "forbidden", error: { code: "forbidden" } });
    const missing = await post("messages", "{}");
    expect(missing.json()).toMatchObject({ status: 404, code: "no-model", type: "error" });
    expect(missing.body.toString()).toContain("THROUGHLINE_ANTHROPIC_URL");
    expect((await post("embeddings", "{}")).json()).toMatchObject({ status: 404, code: "not-found" });
    const large = await post("responses", `{"input":"${"x".repeat(33 * 1024 * 1024)}"}`);
    expect(large.json()).toMatchObject({ status: 413, error: { type: "invalid_request_error" } });
    expect(upstream.seen).toEqual([]);
    expect(proxy.errors).toEqual([]);
  });

  it("in the middle of an answer interrupts it, and no part of it is stored", async () => {
    const half = 'data: {"choices":[{"index":0,"delta":{"content":"Hel"}}]}\n\n';
    const upstreamReply = Promise.withResolvers<void>();
    const { proxy } = await start(async ({ response }) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).write(half);
      await upstreamReply.promise;
      response.destroy();
    });
    const body = JSON.stringify({ model: "gpt-4o", stream: true, messages: [{ role: "user", content: "Hi" }] });
    const answer = await begin(proxy.url, "/v1/chat/completions", { method: "POST", body });
    const read = async () => {
      for await (const _ of answer) upstreamReply.resolve();
    };
    await expect(read()).rejects.toThrow("aborted");
    const session = String(answer.headers["x-throughline-session"]);
    expect(await (await proxy.throughline()).session(session).history()).toHaveLength(1);
  });

  it("caused by a disconnected client stops the upstream, before and during its answer", async () => {
    let gone = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    let streams = false;
    const { proxy } = await start((seen) => {
      seen.response.on("close", () => gone.resolve());
      if (streams) {
        seen.response.writeHead(200, { "content-type": "text/event-stream" });
        seen.response.write('data: {"choices":[]}\n\n');
      }
      asked.resolve();
    });
    const body = JSON.stringify({ model: "gpt-4o", stream: true, messages: [{ role: "user", content: "Hi" }] });
    const stop = new AbortController();
    const waiting = fetch(`${proxy.url}/chat/completions`, { method: "POST", body, signal: stop.signal });
    await asked.promise;
    stop.abort();
    await expect(waiting).rejects.toThrow();
    await gone.promise;
    streams = true;
    gone = Promise.withResolvers<void>();
    const answer = await begin(proxy.url, "/v1/chat/completions", { method: "POST", body });
    await once(answer, "data");
    answer.destroy();
    await gone.promise;
    expect(proxy.errors).toEqual([]);
    // The session is free again: a retry continues in the same session.
    expect(await (await proxy.throughline()).sessions()).toHaveLength(1);
  });
});

describe("a stream", () => {
  it("is forwarded byte for byte as it arrives, and stored in the session before its end", async () => {
    const chunk = (delta: object, finish_reason: string | null = null) =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
    const whole = `: comment\r\n\r\n${chunk({ content: "Grüße 👋" })}${chunk({}, "stop")}data: [DONE]\n\n`;
    const bytes = Buffer.from(whole);
    const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, i) => bytes.subarray(i * 7, i * 7 + 7));
    let next: () => void = () => undefined;
    const { proxy } = await start(async ({ response }) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const piece of pieces) {
        const taken = new Promise<void>((resolve) => {
          next = resolve;
        });
        response.write(piece);
        await taken;
      }
      response.end();
    });
    const body = JSON.stringify({ model: "gpt-4o", stream: true, messages: [{ role: "user", content: "Hi" }] });
    const answer = await begin(proxy.url, "/v1/chat/completions", { method: "POST", body });
    const session = (await proxy.throughline()).session(String(answer.headers["x-throughline-session"]));
    const got: Buffer[] = [];
    for await (const piece of answer) {
      got.push(piece as Buffer);
      if (Buffer.concat(got).includes("[DONE]\n\n")) expect(await session.history()).toHaveLength(2);
      next();
    }
    expect(got).toEqual(pieces);
    expect((await session.history()).at(-1)).toMatchObject({ role: "assistant", parts: [{ text: "Grüße 👋" }] });
  });

  it("of Anthropic, and a response without streaming, are stored with the same content", async () => {
    const { proxy, post } = await start(json(saidByClaude));
    const [, [path, body]] = UNUSUAL_BODIES;
    const session = String((await post(path, body)).headers["x-throughline-session"]);
    const history = await (await proxy.throughline()).session(session).history();
    expect(history.at(-1)).toMatchObject({ role: "assistant", parts: [{ type: "text", text: "Hello." }] });
  });
});
