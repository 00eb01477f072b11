import { describe, expect, it } from "vitest";
import type { Seen } from "../../../test/upstream.ts";
import { json, UNUSUAL_BODIES, upstreamProxies } from "./upstream-proxy.fixture.ts";

const KEY = "sk-never-to-be-seen-42";
const start = upstreamProxies();

describe("a key", () => {
  const sent = { authorization: "Bearer of-the-client", "x-api-key": "also-the-client's", cookie: "a=1" };
  const about = { "anthropic-version": "2099-01-01", "anthropic-beta": "b", "openai-organization": "org" };

  it("of the server is sent, and none of the client", async () => {
    const { upstream, post } = await start(json({}), KEY);
    for (const [path, body] of UNUSUAL_BODIES) await post(path, body, { ...sent, ...about });
    const [chat, messages] = upstream.seen.map(({ headers }) => headers);
    expect(chat).toMatchObject({ authorization: `Bearer ${KEY}`, "openai-organization": "org" });
    expect(messages).toMatchObject({ "x-api-key": KEY, "anthropic-version": "2099-01-01", "anthropic-beta": "b" });
    expect([chat?.["x-api-key"], messages?.authorization, chat?.cookie, messages?.cookie]).toEqual(Array(4));
  });

  it("of the client is sent if the server has none, except for Throughline tokens", async () => {
    const { upstream, post } = await start(json({}));
    const [[path, body]] = UNUSUAL_BODIES;
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
  ])("is removed from every response, even if the upstream repeats it: %s", async (_whose, key, headers) => {
    const { post, proxy } = await start((seen) => {
      const told = seen.headers.authorization ?? seen.headers["x-api-key"];
      seen.response
        .writeHead(400, { "x-key": String(told) })
        .end(JSON.stringify({ error: { message: `No: ${told}` } }));
    }, key);
    for (const [path, body] of UNUSUAL_BODIES) {
      const answer = await post(path, body, headers);
      expect(answer.status).toBe(400);
      expect(answer.body.toString()).toContain("[key]");
      expect(JSON.stringify([answer.headers, answer.body.toString(), proxy.errors])).not.toContain(KEY);
    }
  });

  it("that the upstream rejects is reported to its owner", async () => {
    const refuse = ({ response }: Seen) => response.writeHead(401).end('{"error":{"message":"bad key"}}');
    const ours = await start(refuse, KEY);
    const [[path, body], [claude, asked]] = UNUSUAL_BODIES;
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
    "of the client reaches the provider, headers about the way here do not; server key %s",
    async (key) => {
      const { upstream, post } = await start(json({}), key);
      const keys = { "helicone-auth": "Bearer h", "cf-aig-authorization": "Bearer c", "x-gateway-key": "g" };
      for (const [path, body] of UNUSUAL_BODIES) await post(path, body, { ...ofTheClient, ...ofTheWayHere, ...keys });
      for (const { headers } of upstream.seen) {
        expect(headers).toMatchObject(ofTheClient);
        const sent = Object.keys(keys).filter((name) => name in headers);
        expect(sent).toEqual(key === undefined ? Object.keys(keys) : []);
        // `fetch` always sets these itself.
        for (const name of Object.keys(ofTheWayHere)) {
          const own = { connection: "keep-alive", "sec-fetch-mode": "cors" }[name];
          expect({ name, value: headers[name] }).toEqual({ name, value: own });
        }
      }
      expect(upstream.seen).toHaveLength(3);
    },
  );
});
