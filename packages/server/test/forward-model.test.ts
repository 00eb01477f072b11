import { once } from "node:events";
import { setTimeout as later } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { createServer, type UpstreamModel } from "../src/server.ts";
import { ask, begin } from "./request.ts";
import { studioFolder } from "./studio-folder.ts";
import { type Seen, startUpstream } from "./upstream.ts";

const studio = studioFolder();
const KEY = "sk-never-to-be-seen-42";
const QUESTION = JSON.stringify({ model: "tiny", stream: true, messages: [{ role: "user", content: "Hi" }] });
const opened: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

/** A server in front of an upstream with the given response. */
async function start(answer: (seen: Seen) => unknown, model: Partial<UpstreamModel> = {}) {
  const upstream = await startUpstream(answer);
  opened.push(upstream);
  const errors: unknown[] = [];
  const server = await createServer({
    port: 0,
    studio: studio.path,
    upstreams: { openai: { url: upstream.url, key: KEY, ...model } },
    onError: (error) => errors.push(error),
  });
  opened.push(server);
  const chat = (body = QUESTION, headers: Record<string, string> = {}) =>
    ask(server.url, "/v1/chat/completions", { method: "POST", body, headers });
  return { server, upstream, errors, chat };
}

const stream = ({ response }: Seen) => response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });

describe("the server's model", () => {
  it("gets the server's key, and nothing of the browser", async () => {
    const { upstream, chat } = await start(({ response }) => response.end("{}"));
    await chat(QUESTION, {
      authorization: "Bearer of-the-browser",
      cookie: "session=1",
      "x-forwarded-for": "10.0.0.9",
    });
    const [{ method, path, headers, body } = {} as Seen] = upstream.seen;
    expect({ method, path, body }).toEqual({ method: "POST", path: "/v1/chat/completions", body: QUESTION });
    expect(headers).toMatchObject({ authorization: `Bearer ${KEY}`, "content-type": "application/json" });
    for (const name of ["cookie", "origin", "x-forwarded-for"]) expect(headers[name]).toBeUndefined();
  });

  it("lists the upstream's models", async () => {
    const list = { object: "list", data: [{ id: "tiny", object: "model", context_length: 8192 }] };
    const { server, upstream } = await start(({ response }) => {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(list));
    });
    const answer = await ask(server.url, "/v1/models");
    expect(answer).toMatchObject({
      status: 200,
      headers: { "content-type": "application/json", "cache-control": "no-store" },
    });
    expect(answer.json()).toEqual(list);
    expect(upstream.seen.map(({ method, path }) => `${method} ${path}`)).toEqual(["GET /v1/models"]);
  });

  it("streams byte for byte as it arrives", async () => {
    const pieces = ['data: {"a":"Grüße', ' 👋"}\r\n', "\n: comment\n\n", "data: [DONE]\n\n"];
    let next = () => undefined as unknown;
    const { server } = await start(async (seen) => {
      stream(seen);
      for (const piece of pieces) {
        const taken = new Promise<void>((resolve) => {
          next = resolve as () => undefined;
        });
        seen.response.write(piece);
        await taken;
      }
      seen.response.end();
    });
    const answer = await begin(server.url, "/v1/chat/completions", { method: "POST", body: QUESTION });
    expect(answer.headers).toMatchObject({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    });
    const got: string[] = [];
    // The upstream sends the next chunk only after the previous one arrived, so buffering would hang.
    for await (const piece of answer) {
      got.push(String(piece));
      next();
    }
    expect(got).toEqual(pieces);
  });

  it("does not read ahead of a slow client", async () => {
    const piece = Buffer.alloc(64 * 1024, "x");
    let written = 0;
    const stuck = Promise.withResolvers<void>();
    const { server } = await start(async (seen) => {
      stream(seen);
      const { response } = seen;
      for (let index = 0; index < 2_000 && !response.destroyed; index += 1) {
        written += piece.length;
        if (response.write(piece)) continue;
        const drained = await Promise.race([once(response, "drain").then(() => true), later(300, false)]);
        if (!drained) break;
      }
      stuck.resolve();
    });
    const answer = await begin(server.url, "/v1/chat/completions", { method: "POST", body: QUESTION });
    await stuck.promise;
    // The upstream could send 125 MiB. The socket buffers hold far less.
    expect(written).toBeLessThan(60 * 1024 * 1024);
    answer.destroy();
  });

  it("stops when the client disconnects, before and during its answer", async () => {
    const gone = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    let streams = false;
    const { server, errors } = await start((seen) => {
      seen.response.on("close", () => gone.resolve());
      if (streams) stream(seen).write("data: 1\n\n");
      asked.resolve();
    });
    const silent = new AbortController();
    const waiting = fetch(`${server.url}/v1/chat/completions`, {
      method: "POST",
      body: QUESTION,
      signal: silent.signal,
    });
    await asked.promise;
    silent.abort();
    await expect(waiting).rejects.toThrow();
    await gone.promise;

    streams = true;
    const left = Promise.withResolvers<void>();
    Object.assign(gone, left);
    const answer = await begin(server.url, "/v1/chat/completions", { method: "POST", body: QUESTION });
    await once(answer, "data");
    answer.destroy();
    await left.promise;
    expect(errors).toEqual([]);
  });

  it("breaks off with the upstream", async () => {
    const { server } = await start((seen) => {
      stream(seen).write("data: 1\n\n", () => setTimeout(() => seen.response.destroy(), 50));
    });
    const answer = await begin(server.url, "/v1/chat/completions", { method: "POST", body: QUESTION });
    const read = async () => {
      for await (const _ of answer);
    };
    await expect(read()).rejects.toThrow("aborted");
  });

  it("forwards an error without the key in it", async () => {
    const { chat } = await start(({ response, headers }) => {
      const error = { message: `Slow down, ${headers.authorization}` };
      response.writeHead(429, {
        "content-type": "application/json",
        "retry-after": "7",
        "x-ratelimit-remaining": "0",
        "x-key": KEY,
        "set-cookie": `key=${KEY}`,
      });
      response.end(JSON.stringify({ error }));
    });
    const answer = await chat();
    expect(answer).toMatchObject({ status: 429, headers: { "retry-after": "7", "x-ratelimit-remaining": "0" } });
    expect(answer.json()).toEqual({ error: { message: "Slow down, Bearer [key]" } });
    expect(JSON.stringify([answer.headers, answer.body.toString()])).not.toContain(KEY);
  });

  it.each([
    [401, "Check THROUGHLINE_MODEL_KEY."],
    [403, "Check THROUGHLINE_MODEL_KEY."],
    [307, "Set THROUGHLINE_MODEL_URL to the target address."],
  ])("says what to do if the upstream answers with %i, and does not follow it", async (status, advice) => {
    const { chat, upstream } = await start(({ response, headers }) => {
      response.writeHead(status, { location: "/v1/elsewhere" }).end(`no: ${headers.authorization}`);
    });
    const answer = await chat();
    expect(answer.status).toBe(502);
    expect(answer.json()).toMatchObject({ code: "model-failed", detail: expect.stringContaining(advice) });
    expect(JSON.stringify([answer.headers, answer.body.toString()])).not.toContain(KEY);
    expect(upstream.seen).toHaveLength(1);
  });

  it("reports an unreachable upstream", async () => {
    const { chat, upstream, errors } = await start(() => undefined);
    await upstream.close();
    opened.splice(0, 1);
    const answer = await chat();
    expect(answer.status).toBe(502);
    expect(answer.json()).toMatchObject({ code: "model-failed", detail: expect.stringContaining("is unreachable") });
    expect(answer.body.toString()).not.toContain(KEY);
    expect(errors).toEqual([]);
  });

  it("rejects bodies that are too large, with and without a size", async () => {
    const { server, upstream } = await start(({ response }) => response.end("{}"));
    const body = JSON.stringify({ model: "tiny", text: "x".repeat(33 * 1024 * 1024) });
    for (const headers of [{ "content-length": String(body.length) }, { "transfer-encoding": "chunked" }]) {
      const answer = await ask(server.url, "/v1/chat/completions", { method: "POST", body, headers });
      expect(answer.status).toBe(413);
      expect(answer.json()).toMatchObject({ code: "body-too-large" });
    }
    expect(upstream.seen).toEqual([]);
  });

  it("is only available to pages of its own and to programs", async () => {
    const { chat, server, upstream } = await start(({ response }) => response.end("{}"));
    const foreign = await chat(QUESTION, { origin: "http://evil.example" });
    expect(foreign.status).toBe(403);
    expect(
      (
        await ask(server.url, "/v1/models", {
          headers: { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" },
        })
      ).status,
    ).toBe(403);
    expect((await ask(server.url, "/v1/models", { headers: { host: "evil.example" } })).status).toBe(403);
    expect(upstream.seen).toEqual([]);
    expect((await chat(QUESTION, { origin: server.url })).status).toBe(200);
    expect((await chat()).status).toBe(200);
  });

  it("has two paths and no more", async () => {
    const { server, upstream } = await start(({ response }) => response.end("{}"));
    for (const [method, path] of [
      ["GET", "/v1/chat/completions"],
      ["POST", "/v1/models"],
      ["POST", "/v1/files"],
      ["GET", "/v1/../admin"],
      ["GET", "/v1/models/../../admin"],
      ["DELETE", "/v1/models/tiny"],
    ] as const) {
      const answer = await ask(server.url, path, { method });
      expect({ method, path, status: answer.status }).toEqual({ method, path, status: 404 });
    }
    expect(upstream.seen).toEqual([]);
  });
});

describe("the one model that is offered", () => {
  it("is the only one in the list and in requests", async () => {
    const { server, upstream, chat } = await start(({ response }) => response.end("{}"), { model: "tiny" });
    expect((await ask(server.url, "/v1/models")).json()).toMatchObject({ object: "list", data: [{ id: "tiny" }] });
    await chat('{"messages":[]}');
    await chat('{ "model": "tiny",\n "messages": [] }');
    expect(upstream.seen.map(({ body }) => body)).toEqual([
      '{"messages":[],"model":"tiny"}',
      '{ "model": "tiny",\n "messages": [] }',
    ]);
    const other = await chat('{"model":"huge"}');
    expect({ status: other.status, problem: other.json() }).toMatchObject({
      status: 404,
      problem: { code: "model-not-offered" },
    });
    expect((await chat("no JSON")).status).toBe(400);
    expect(upstream.seen).toHaveLength(2);
  });
});

describe("a server without a model", () => {
  it("answers 404 with the setting that configures one", async () => {
    const server = await createServer({ port: 0, studio: studio.path });
    opened.push(server);
    for (const [method, path] of [
      ["GET", "/v1/models"],
      ["POST", "/v1/chat/completions"],
      ["GET", "/v1/x"],
    ] as const) {
      const answer = await ask(server.url, path, { method });
      expect({ status: answer.status, type: answer.headers["content-type"] }).toEqual({
        status: 404,
        type: "application/problem+json",
      });
      expect(answer.json()).toMatchObject({
        code: "no-model",
        detail: expect.stringContaining("THROUGHLINE_MODEL_URL"),
      });
    }
  });

  it.each([
    [{ url: "ftp://127.0.0.1/v1" }],
    [{ url: "127.0.0.1:11434" }],
    [{ url: "http://ada:hunter2@127.0.0.1/v1" }],
    [{ url: "http://127.0.0.1/v1?key=hunter2" }],
    [{ url: "http://127.0.0.1/v1", key: "hunter2\r\nx: y" }],
  ])("does not start with an invalid upstream, and repeats no secret: %j", async (model) => {
    const starting = createServer({ port: 0, studio: studio.path, upstreams: { openai: model } });
    await expect(starting).rejects.toMatchObject({ code: "invalid-option" });
    await expect(starting).rejects.not.toThrow("hunter2");
  });
});
