import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { libraryFolder } from "../../../tools/run/paths.mjs";
import { createServer, type RunningServer, ServerError } from "../src/server.ts";
import { type Asking, ask } from "./request.ts";
import { PAGE, SCRIPT, studioFolder, VECTORS } from "./studio-folder.ts";

const studio = studioFolder();
let server: RunningServer;

beforeAll(async () => {
  server = await createServer({ port: 0, studio: studio.path });
});

afterAll(() => server.close());

const get = (path: string, headers: Record<string, string> = {}) => ask(server.url, path, { headers });
const browser = { accept: "text/html,application/xhtml+xml", "accept-encoding": "gzip, deflate, br" };

describe("the Studio", () => {
  it("is at the root and at every path of its own", async () => {
    for (const path of ["/", "/index.html", "/c/018f-abc", "/settings/models?tab=2"]) {
      const { status, headers, body } = await get(path, { accept: browser.accept });
      expect({ path, status, type: headers["content-type"] }).toEqual({
        path,
        status: 200,
        type: "text/html; charset=utf-8",
      });
      expect(body.toString()).toBe(PAGE);
    }
  });

  it("does not replace a missing file, and is not sent to programs", async () => {
    for (const [path, accept] of [
      ["/assets/index-00000000.js", browser.accept],
      ["/assets/", browser.accept],
      ["/nowhere", "application/json"],
      ["/nowhere", "*/*"],
    ] as const) {
      const answer = await get(path, { accept });
      expect({ path, status: answer.status }).toEqual({ path, status: 404 });
      expect(answer.headers).toMatchObject({ "content-type": "application/problem+json", "cache-control": "no-store" });
      expect(answer.json()).toMatchObject({ type: "about:blank", title: "Not Found", status: 404, code: "not-found" });
    }
  });

  it("is cached permanently if the name has a content hash, and revalidated otherwise", async () => {
    const caching = async (path: string) => (await get(path)).headers["cache-control"];
    expect(await caching("/assets/index-Ab12Cd34.js")).toBe("public, max-age=31536000, immutable");
    expect(await caching("/assets/words-Ef56Gh78.bin")).toBe("public, max-age=31536000, immutable");
    for (const path of ["/", "/sw.js", "/icon.svg", "/manifest.webmanifest"])
      expect(await caching(path)).toBe("no-cache");
    expect((await get("/c/1", { accept: browser.accept })).headers["cache-control"]).toBe("no-cache");
  });

  it("is not sent again to a client that has it", async () => {
    for (const path of ["/", "/sw.js"]) {
      const { etag = "" } = (await get(path, browser)).headers;
      expect(etag).not.toBe("");
      const again = await get(path, { ...browser, "if-none-match": etag });
      expect({ status: again.status, length: again.body.length }).toEqual({ status: 304, length: 0 });
      expect(again.headers).toMatchObject({ "cache-control": "no-cache", "x-content-type-options": "nosniff" });
    }
  });

  it.each([
    ["/assets/index-Ab12Cd34.js", "text/javascript; charset=utf-8", Buffer.from(SCRIPT)],
    ["/assets/words-Ef56Gh78.bin", "application/octet-stream", VECTORS],
  ])("is compressed for clients that support it: %s", async (path, type, content) => {
    const packed = await get(path, browser);
    expect(packed.headers).toMatchObject({ "content-encoding": "gzip", "content-type": type, vary: "Accept-Encoding" });
    expect(packed.body.length).toBeLessThan(content.length / 4);
    expect(gunzipSync(packed.body)).toEqual(content);
    const again = await get(path, browser);
    expect(again.body).toEqual(packed.body);
    expect(again.headers["content-length"]).toBe(String(packed.body.length));
    const plain = await get(path);
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(plain.body).toEqual(content);
  });

  it.each(["token-ranks", "word-vectors"])("gets %s from the library, compressed once", async (name) => {
    const packed = readFileSync(path.join(libraryFolder, "dist", `${name}.bin`));
    for (const headers of [browser, {}]) {
      const { status, headers: sent, body } = await get(`/assets/${name}-Ab12Cd_4.bin`, headers);
      expect({ status, type: sent["content-type"], encoding: sent["content-encoding"] }).toEqual({
        status: 200,
        type: "application/gzip",
        encoding: undefined,
      });
      expect(sent["cache-control"]).toBe("public, max-age=31536000, immutable");
      expect(body.equals(packed)).toBe(true);
    }
  });

  it("gets nothing else from the library", async () => {
    for (const name of ["index-Ab12Cd34.bin", "token-ranks.bin", "word-vectors-1.bin", "sqlite-Ab12Cd34.js"]) {
      expect({ name, status: (await get(`/assets/${name}`)).status }).toEqual({ name, status: 404 });
    }
  });

  it("has the right content types", async () => {
    const type = async (path: string) => (await get(path)).headers["content-type"];
    expect(await type("/sw.js")).toBe("text/javascript; charset=utf-8");
    expect(await type("/manifest.webmanifest")).toBe("application/manifest+json");
    expect(await type("/icon.svg")).toBe("image/svg+xml; charset=utf-8");
  });

  it("answers HEAD with its size, and is read-only", async () => {
    const head = await ask(server.url, "/sw.js", { method: "HEAD" });
    expect({ status: head.status, length: head.headers["content-length"], body: head.body.length }).toEqual({
      status: 200,
      length: "19",
      body: 0,
    });
    const post = await ask(server.url, "/", { method: "POST", body: "x" });
    expect(post).toMatchObject({ status: 405, headers: { allow: "GET, HEAD" } });
    expect(post.json()).toMatchObject({ code: "method-not-allowed" });
  });

  it.each([
    "/../secret.txt",
    "/assets/../../secret.txt",
    "/..%2fsecret.txt",
    "/%2e%2e/secret.txt",
    "/%2e%2e%2fsecret.txt",
    "/assets/..%5c..%5csecret.txt",
    "/..\\secret.txt",
    "//../secret.txt",
    "/assets//..//..//secret.txt",
    "/%252e%252e/secret.txt",
    "/index.html%00.txt",
    "/%ff%fe",
  ])("serves nothing outside of its folder: %s", async (path) => {
    const answer = await get(path);
    expect([400, 404]).toContain(answer.status);
    expect(answer.body.toString()).not.toBe("secret");
    expect(answer.headers["content-type"]).toBe("application/problem+json");
  });
});

describe("every response", () => {
  const cases: [what: string, path: string, asking: Asking][] = [
    ["a page", "/", {}],
    ["a script", "/assets/index-Ab12Cd34.js", { headers: browser }],
    ["what is missing", "/none.txt", {}],
    ["a refusal", "/", { headers: { origin: "http://example.com" } }],
    ["health", "/healthz", {}],
    ["a model that is not there", "/v1/models", {}],
  ];
  it.each(cases)("has security headers: %s", async (_what, path, asking) => {
    const { headers } = await ask(server.url, path, asking);
    expect(headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "permissions-policy": "camera=(), geolocation=(), microphone=()",
    });
    expect(String(headers["content-security-policy"]).split("; ").toSorted()).toEqual([
      "base-uri 'none'",
      "connect-src 'self' https: http:",
      "default-src 'self'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "frame-src 'none'",
      "img-src 'self' data: blob:",
      "object-src 'none'",
      "script-src 'self' 'wasm-unsafe-eval'",
      "style-src 'self' 'unsafe-inline'",
    ]);
    for (const name of ["access-control-allow-origin", "strict-transport-security", "server", "x-powered-by"]) {
      expect(headers[name]).toBeUndefined();
    }
  });

  it("includes health", async () => {
    const { status, headers, json } = await get("/healthz");
    expect({ status, caching: headers["cache-control"], body: json() }).toEqual({
      status: 200,
      caching: "no-store",
      body: { status: "ok" },
    });
  });
});

describe("a request of another site", () => {
  it.each([
    "evil.example",
    `evil.example:80`,
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "10.0.0.1",
    "0.0.0.0",
  ])("is rejected for the host %s", async (host) => {
    for (const path of ["/", "/healthz", "/v1/models", "/sw.js"]) {
      const answer = await get(path, { host });
      expect(answer).toMatchObject({ status: 403, headers: { "content-type": "application/problem+json" } });
      expect(answer.json()).toMatchObject({ status: 403, code: "foreign-host" });
    }
  });

  it.each(["127.0.0.1", "localhost", "LOCALHOST", "[::1]", "127.0.0.2"])(
    "is accepted for the host %s",
    async (name) => {
      const host = `${name}:${server.port}`;
      expect((await get("/", { host })).status).toBe(200);
      expect((await get("/", { host, origin: `http://${host}` })).status).toBe(200);
    },
  );

  it("is rejected by its origin", async () => {
    for (const origin of [
      "http://evil.example",
      "null",
      "http://127.0.0.1:1",
      `https://127.0.0.1:${server.port}`,
      "",
    ]) {
      const answer = await get("/healthz", { origin });
      expect({ origin, status: answer.status }).toEqual({ origin, status: 403 });
      expect(answer.json()).toMatchObject({ code: "foreign-origin" });
    }
  });

  it("is rejected without an origin if it crosses sites, unless it is a link", async () => {
    const status = async (site: string, mode: string) =>
      (await get("/", { "sec-fetch-site": site, "sec-fetch-mode": mode })).status;
    expect(await status("cross-site", "no-cors")).toBe(403);
    expect(await status("same-site", "no-cors")).toBe(403);
    expect(await status("cross-site", "navigate")).toBe(200);
    expect(await status("same-origin", "cors")).toBe(200);
    expect(await status("none", "navigate")).toBe(200);
  });

  it.each([
    ["no Host", "GET / HTTP/1.0\r\n\r\n"],
    ["a Host that is none", "GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n"],
    ["another's whole address", "GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"],
  ])("is rejected with %s", async (_what, head) => {
    const socket = connect(server.port, "127.0.0.1");
    await once(socket, "connect");
    socket.end(head);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 40[03] /);
  });
});

describe("a server that cannot start", () => {
  const failure = async (options: Parameters<typeof createServer>[0]) => {
    const error = await createServer({ port: 0, studio: studio.path, ...options }).then(
      (started) => started.close(),
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(ServerError);
    return error as ServerError;
  };

  it("reports a port in use, and how to choose another", async () => {
    const { code, problem, summary, hint } = await failure({ port: server.port });
    expect({ code, problem, summary }).toEqual({
      code: "server",
      problem: "port-taken",
      summary: `Port in use: something already listens at ${server.url}.`,
    });
    expect(hint).toContain("--port 4871");
  });

  it("reports a missing Studio", async () => {
    const { problem, message, hint } = await failure({ studio: studio.empty });
    expect({ problem, hint }).toMatchObject({
      problem: "missing-studio",
      hint: expect.stringContaining("npm run build"),
    });
    expect(message).toContain(studio.empty);
  });

  it.each(["0.0.0.0", "::", "192.168.1.2", "example.com", "127.0.0.1.example.com", "::ffff:10.0.0.1", ""])(
    "listens only on loopback addresses, not on %j",
    async (host) => {
      expect((await failure({ host })).problem).toBe("not-loopback");
    },
  );

  it("starts at any loopback address", async () => {
    const other = await createServer({ port: 0, host: "127.0.0.5", studio: studio.path });
    expect(other.url).toBe(`http://127.0.0.5:${other.port}`);
    expect((await ask(other.url, "/healthz")).status).toBe(200);
    await other.close();
    await other.close();
  });
});
