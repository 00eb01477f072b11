import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, it } from "vitest";
import { inProcessStore } from "../../../throughline/src/store/in-process.ts";
import { ask, begin } from "../../test/request.ts";
import { type Seen, startUpstream } from "../../test/upstream.ts";
import { startProxy } from "./proxy.fixture.ts";
import type { ProxyOptions } from "./proxy-options.ts";

const KEY = "sk-never-to-be-seen-42";
const opened: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

/** A proxy in front of an upstream that answers so, in either form. */
async function start(answer: (seen: Seen) => unknown, key?: string, options: ProxyOptions = {}) {
  const upstream = await startUpstream(answer);
  const at = { url: upstream.url, ...(key !== undefined && { key }) };
  const proxy = await startProxy({ store: inProcessStore(), model: at, anthropic: at, ...options });
  opened.push(upstream, proxy);
  const post = (path: string, body: string, headers: Record<string, string> = {}) =>
    ask(proxy.url, `/v1/${path}`, { method: "POST", body, headers });
  return { upstream, proxy, post };
}

const json = (answer: object) => (seen: Seen) =>
  seen.response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
const said = { choices: [{ index: 0, message: { role: "assistant", content: "Hello." }, finish_reason: "stop" }] };
const saidByClaude = { type: "message", role: "assistant", content: [{ type: "text", text: "Hello." }] };

/** Requests in every form, written as no program would write them again. */
const ODD = [
  [
    "chat/completions",
    '{ "messages" : [ {"role":"user", "content":"H\\u0069 \\/"} ],\n\t"seed": 12345678901234567890, "x":1.0 }',
  ],
  [
    "messages",
    '{"max_tokens":1e2,"messages":[{"content":"Hi","role":"user"}] , "model":"claude-sonnet-4-5","top_p":0.50}',
  ],
  ["responses", '\n{"input":"Hi","metadata":{"a":"\\ud83d\\ude00"},"model":"gpt-4o" }\n'],
] as const;

describe("a request that needs nothing", () => {
  it.each(ODD)("goes to %s byte for byte", async (path, body) => {
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
  ])("goes as it came where it is nothing that we can read: %s", async (body, why) => {
    const { upstream, post, proxy } = await start(json({}));
    const answer = await post("chat/completions", body);
    expect(upstream.seen.map((seen) => seen.body)).toEqual([body]);
    expect(answer.headers["x-throughline-degraded"]).toBe(why);
    expect(answer.headers["x-throughline-session"]).toBeUndefined();
    expect(proxy.errors).toEqual([]);
  });

  it.each(["conversation", "prompt"])("goes as it came where the upstream holds the rest: %s", async (field) => {
    const { upstream, post } = await start(json({}));
    const body = JSON.stringify({ model: "gpt-4o", input: "Hi", [field]: { id: "x" } });
    const answer = await post("responses", body);
    expect(upstream.seen.map((seen) => seen.body)).toEqual([body]);
    expect(answer.headers["x-throughline-degraded"]).toBe(`${field}-held-upstream`);
  });

  it("of a page of this server is passed on and not kept: such a page keeps its conversations itself", async () => {
    const { proxy, post } = await start(json(said));
    const body = JSON.stringify({ model: "gpt-4o", messages: [{ role: "user", content: "Hi" }] });
    const answer = await post("chat/completions", body, { origin: new URL(proxy.url).origin });
    expect(answer.headers["x-throughline-session"]).toBeUndefined();
    expect(await (await proxy.throughline()).sessions()).toEqual([]);
  });

  it("to count tokens, or for models, is passed through", async () => {
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
  ])("is passed through: %s", async (path, headers) => {
    const { upstream, proxy } = await start(json({ id: "m" }));
    const answer = await ask(proxy.url, path, { headers });
    expect({ status: answer.status, body: answer.json() }).toEqual({ status: 200, body: { id: "m" } });
    expect(upstream.seen.map((seen) => `${seen.method} ${seen.path}`)).toEqual([`GET ${path}`]);
  });

  it("is answered here where the server offers one model alone", async () => {
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

  it("is refused at once with 426, so that the client uses HTTP", async () => {
    const { upstream, proxy } = await start(json({}));
    const answer = await ask(proxy.url, "/v1/responses", { headers: { ...headers, upgrade: "websocket" } });
    expect(answer).toMatchObject({ status: 426, headers: { connection: "Upgrade", upgrade: "HTTP/1.1" } });
    expect(answer.json()).toMatchObject({ code: "websocket-unsupported", error: { type: "invalid_request_error" } });
    expect((await ask(proxy.url, "/v1/responses", {})).status).toBe(404);
    expect(upstream.seen).toEqual([]);
  });

  it("that was refused leaves a connection that takes the next request", async () => {
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

describe("a key", () => {
  const sent = { authorization: "Bearer of-the-client", "x-api-key": "also-the-client's", cookie: "a=1" };
  const about = { "anthropic-version": "2099-01-01", "anthropic-beta": "b", "openai-organization": "org" };

  it("of the server's goes along, and none of the client's", async () => {
    const { upstream, post } = await start(json({}), KEY);
    for (const [path, body] of ODD) await post(path, body, { ...sent, ...about });
    const [chat, messages] = upstream.seen.map(({ headers }) => headers);
    expect(chat).toMatchObject({ authorization: `Bearer ${KEY}`, "openai-organization": "org" });
    expect(messages).toMatchObject({ "x-api-key": KEY, "anthropic-version": "2099-01-01", "anthropic-beta": "b" });
    expect([chat?.["x-api-key"], messages?.authorization, chat?.cookie, messages?.cookie]).toEqual(Array(4));
  });

  it("of the client's goes along where the server has none, but for tokens of this server", async () => {
    const { upstream, post } = await start(json({}));
    const [[path, body]] = ODD;
    await post(path, body, sent);
    await post(path, body, { ...sent, authorization: "Bearer tl_0123456789abcdef_x" });
    await post("messages", '{"messages":[]}', { "x-api-key": "tl_0123456789abcdef_x" });
    const [first, second, third] = upstream.seen.map(({ headers }) => headers);
    expect(first).toMatchObject({ authorization: sent.authorization, "x-api-key": sent["x-api-key"] });
    expect(second?.authorization).toBeUndefined();
    expect(third?.["x-api-key"]).toBeUndefined();
    expect(third?.["anthropic-version"]).toBe("2023-06-01");
  });

  it.each([
    ["the server's", KEY, {}],
    ["the client's", undefined, { authorization: `Bearer ${KEY}` }],
    ["the client's in another place", undefined, { "x-api-key": KEY }],
  ])("is in no answer, though the upstream repeats it: %s", async (_whose, key, headers) => {
    const { post, proxy } = await start((seen) => {
      const told = seen.headers.authorization ?? seen.headers["x-api-key"];
      seen.response
        .writeHead(400, { "x-key": String(told) })
        .end(JSON.stringify({ error: { message: `No: ${told}` } }));
    }, key);
    for (const [path, body] of ODD) {
      const answer = await post(path, body, headers);
      expect(answer.status).toBe(400);
      expect(answer.body.toString()).toContain("[key]");
      expect(JSON.stringify([answer.headers, answer.body.toString(), proxy.errors])).not.toContain(KEY);
    }
  });

  it("that the upstream refuses is who set it to look after", async () => {
    const refuse = ({ response }: Seen) => response.writeHead(401).end('{"error":{"message":"bad key"}}');
    const ours = await start(refuse, KEY);
    const [[path, body], [claude, asked]] = ODD;
    expect((await ours.post(path, body)).json()).toMatchObject({ status: 502, code: "model-failed" });
    expect((await ours.post(claude, asked)).body.toString()).toContain("THROUGHLINE_ANTHROPIC_KEY");
    const theirs = await start(refuse);
    const answer = await theirs.post(path, body, sent);
    expect({ status: answer.status, body: answer.json() }).toEqual({
      status: 401,
      body: { error: { message: "bad key" } },
    });
  });
});

describe("a header", () => {
  const ofTheClient = {
    "user-agent": "claude-cli/2.1",
    "x-app": "cli",
    "x-claude-code-session-id": "s1",
    session_id: "s2",
    conversation_id: "s3",
    originator: "codex_cli_rs",
    "x-client-request-id": "r1",
    "x-stainless-lang": "js",
    "openai-organization": "o1",
    "anthropic-beta": "context-1m",
    "x-goog-user-project": "p1",
    "idempotency-key": "i1",
    "x-goog-api-client": "genai",
    "http-referer": "https://app.example",
    traceparent: "00-1-2-01",
    "cf-aig-metadata": "m",
  };
  const ofTheWayHere = {
    cookie: "a=1",
    te: "trailers",
    "proxy-authorization": "Basic x",
    "x-hop": "1",
    connection: "close, x-hop",
    referer: "http://127.0.0.1/chat",
    "sec-fetch-mode": "cors",
    "x-forwarded-for": "10.0.0.9",
    "x-forwarded-user": "ada",
    "x-real-ip": "10.0.0.9",
    forwarded: "for=10.0.0.9",
    via: "1.1 gateway",
    "cf-connecting-ip": "10.0.0.9",
    "cf-access-jwt-assertion": "jwt",
    "x-auth-request-email": "ada@example.org",
    "x-amzn-oidc-data": "jwt",
    "x-ms-client-principal": "ada",
    "tailscale-user-login": "ada",
    "x-access-token": "secret",
    "x-jwt-payload": "jwt",
    "x-userinfo": "ada",
    "x-consumer-username": "ada",
    "x-credential-identifier": "ada",
    "x-user-id": "ada",
    "x-email": "ada@example.org",
    "x-shared-secret": "secret",
    "x-throughline-session": "trip",
    "x-throughline-project": "p",
    "x-custom": "tl_0123456789abcdef_x",
    "api-key": "tl_0123456789abcdef_x",
  };

  it.each([undefined, KEY])(
    "of the client reaches the provider, none about the way here does; server key %s",
    async (key) => {
      const { upstream, post } = await start(json({}), key);
      const keys = { "helicone-auth": "Bearer h", "cf-aig-authorization": "Bearer c", "x-gateway-key": "g" };
      for (const [path, body] of ODD) await post(path, body, { ...ofTheClient, ...ofTheWayHere, ...keys });
      for (const { headers } of upstream.seen) {
        expect(headers).toMatchObject(ofTheClient);
        const sent = Object.keys(keys).filter((name) => name in headers);
        expect(sent).toEqual(key === undefined ? Object.keys(keys) : []);
        // `fetch` says this of itself, whoever asked.
        for (const name of Object.keys(ofTheWayHere)) {
          const own = { connection: "keep-alive", "sec-fetch-mode": "cors" }[name];
          expect({ name, value: headers[name] }).toEqual({ name, value: own });
        }
      }
      expect(upstream.seen).toHaveLength(3);
    },
  );
});

describe("what goes wrong", () => {
  it("is told as the provider's own errors are, and as a problem", async () => {
    const { post, proxy } = await start(json({}));
    await opened.shift()?.close();
    const [[path, body], [claude, asked]] = ODD;
    const chat = await post(path, body);
    expect({ type: chat.headers["content-type"], ...(chat.json() as object) }).toMatchObject({
      type: "about:blank",
      status: 502,
      code: "model-failed",
      error: { type: "server_error", code: "model-failed", message: expect.stringContaining("cannot be reached") },
    });
    expect((await post(claude, asked)).json()).toMatchObject({
      status: 502,
      type: "error",
      error: { type: "api_error", message: expect.stringContaining("cannot be reached") },
    });
    expect(proxy.errors).toEqual([]);
  });

  it("is told where there is no such model, no such address, no right, or too much", async () => {
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

  it("in the middle of an answer breaks it off, and no half of it is kept", async () => {
    const half = 'data: {"choices":[{"index":0,"delta":{"content":"Hel"}}]}\n\n';
    const heard = Promise.withResolvers<void>();
    const { proxy } = await start(async ({ response }) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).write(half);
      await heard.promise;
      response.destroy();
    });
    const body = JSON.stringify({ model: "gpt-4o", stream: true, messages: [{ role: "user", content: "Hi" }] });
    const answer = await begin(proxy.url, "/v1/chat/completions", { method: "POST", body });
    const read = async () => {
      for await (const _ of answer) heard.resolve();
    };
    await expect(read()).rejects.toThrow("aborted");
    const session = String(answer.headers["x-throughline-session"]);
    expect(await (await proxy.throughline()).session(session).history()).toHaveLength(1);
  });

  it("because nobody waits any more ends the upstream's work, before and within its answer", async () => {
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
    // Nobody holds it any more: who asks again goes on in the same session.
    expect(await (await proxy.throughline()).sessions()).toHaveLength(1);
  });
});

describe("a stream", () => {
  it("comes byte for byte, each piece when it comes, and what it said is in the session before its end is told", async () => {
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

  it("of Anthropic's, or an answer at once, is kept in the same words", async () => {
    const { proxy, post } = await start(json(saidByClaude));
    const [, [path, body]] = ODD;
    const session = String((await post(path, body)).headers["x-throughline-session"]);
    const history = await (await proxy.throughline()).session(session).history();
    expect(history.at(-1)).toMatchObject({ role: "assistant", parts: [{ type: "text", text: "Hello." }] });
  });
});
