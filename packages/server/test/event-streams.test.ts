import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { describe, expect, it, vi } from "vitest";
import { QUIET } from "../../throughline/src/ports/logger.ts";
import { sqliteStore } from "../../throughline/src/store/sqlite/sqlite.ts";
import { EventHub } from "../src/event-hub.ts";
import { makeToken } from "../src/middleware/check-token.ts";
import { createServer } from "../src/server.ts";
import { apiServer } from "./api-server.ts";
import { begin } from "./request.ts";
import { studioFolder } from "./studio-folder.ts";

const server = apiServer();
const studio = studioFolder();

async function token(expiresAt?: number) {
  const about = { name: "t", userId: "ada", projects: ["*"], scopes: ["read" as const], createdAt: 1 };
  const made = makeToken({ ...about, ...(expiresAt !== undefined && { expiresAt }) });
  await server.store.server.tokens.add(made.token);
  return { id: made.token.id, headers: { authorization: `Bearer ${made.secret}` } };
}

/** An open stream that has sent its first event. */
async function listen(path: string, headers: Record<string, string> = {}, url = server.url): Promise<IncomingMessage> {
  const stream = await begin(url, path, { headers });
  expect(stream.statusCode).toBe(200);
  stream.setEncoding("utf8");
  await once(stream, "readable");
  return stream;
}

const publish = (type: string) => server.store.server.events.append([{ owner: "ada", type, data: {} }]);
const openStreams = async () =>
  Number(/^throughline_event_streams (\d+)$/m.exec((await server.call("GET", "/metrics")).body.toString())?.[1]);

describe("an event stream whose token is no longer valid", () => {
  it("ends at once if it is revoked at this server, without any later event", async () => {
    const { id, headers } = await token();
    await server.call("POST", "/sessions", { id: "s" }, { "x-throughline-project": "p" });
    const stream = await listen("/events", headers);
    expect((await server.call("DELETE", `/tokens/${id}`)).status).toBe(204);
    await publish("later");
    expect(await text(stream)).not.toContain("later");
  });

  it("ends if it is revoked in the store, or has expired, without any later event", async () => {
    const revoked = await token();
    const soon = Date.now() + 3_600_000;
    const expiring = await token(soon);
    const streams = [await listen("/events", revoked.headers), await listen("/events", expiring.headers)];
    await server.store.server.tokens.revoke(revoked.id, 1);
    vi.spyOn(Date, "now").mockReturnValue(soon + 1);
    await publish("later");
    for (const stream of streams) expect(await text(stream)).not.toContain("later");
    vi.restoreAllMocks();
  });
});

describe("MCP over HTTP", () => {
  it("opens no stream that could outlive its token", async () => {
    const headers = { accept: "text/event-stream" };
    expect((await server.call("GET", "/mcp", undefined, headers)).status).toBe(405);
  });
});

describe("HEAD", () => {
  it("opens no event stream", async () => {
    await server.call("POST", "/sessions", { id: "head" });
    const before = await openStreams();
    for (const path of ["/events", "/sessions/head/events"]) {
      const { status, headers, body } = await server.call("HEAD", path);
      expect({ status, type: headers["content-type"], size: body.length }).toEqual({
        status: 200,
        type: "text/event-stream",
        size: 0,
      });
    }
    expect(await openStreams()).toBe(before);
  });
});

describe("event streams", () => {
  it("are limited per caller, and a closed one frees its place", async () => {
    const { headers } = await token();
    const streams = await Promise.all(Array.from({ length: 50 }, () => listen("/events", headers)));
    const refused = await server.call("GET", "/events", undefined, headers);
    expect(refused.status).toBe(429);
    expect(refused.headers["retry-after"]).toBe("5");
    expect(refused.json()).toMatchObject({ code: "too-many-requests" });
    for (const stream of streams) stream.destroy();
    await vi.waitFor(async () => {
      const stream = await begin(server.url, "/events", { headers });
      stream.destroy();
      expect(stream.statusCode).toBe(200);
    });
  });

  it("are limited in total, and wake only for their own events", async () => {
    const store = sqliteStore(":memory:");
    const { events: log, tokens } = store.server;
    const read = vi.spyOn(log, "read");
    const clock = { now: () => 1 };
    const hub = new EventHub({ log, tokens, clock, logger: QUIET, maxStreams: 21 });
    const caller = (n: number) => ({ userId: `user ${n}`, projectId: undefined, tokenId: undefined });
    const streams = Array.from({ length: 21 }, (_, n) => hub.subscribe({ caller: caller(n), after: 0 }));
    expect(hub.subscribe({ caller: caller(99) })).toBe("server");
    const heard: string[] = [];
    const reading = streams.map(async (stream, n) => {
      if (typeof stream === "string") throw new Error(stream);
      for await (const { type } of stream.events) heard.push(`${n} ${type}`);
    });
    const told = Array.from({ length: 30 }, (_, n) => `7 event ${n}`);
    for (const [n] of told.entries()) await hub.publish(caller(7), { type: `event ${n}`, data: {} });
    await vi.waitFor(() => expect(heard).toEqual(told));
    const ofOthers = read.mock.calls.filter(([{ owner }]) => owner !== undefined && owner !== "user 7");
    // Each of the others reads twice: at the start and after its first poll.
    expect(ofOthers.length).toBeLessThanOrEqual(20 * 3);
    hub.close();
    await Promise.all(reading);
    expect(hub.size).toBe(0);
    await store.close();
  });

  it("do not make a publish fail if the event log cannot be read", async () => {
    const store = sqliteStore(":memory:");
    const { events: log, tokens } = store.server;
    const hub = new EventHub({ log, tokens, clock: { now: () => 1 }, logger: QUIET });
    const caller = { userId: "ada", projectId: undefined, tokenId: undefined };
    const stream = hub.subscribe({ caller, after: 0 });
    const last = vi.spyOn(log, "last").mockRejectedValue(new Error("disk I/O error"));
    await hub.publish(caller, { type: "first", data: {} });
    last.mockRestore();
    if (typeof stream === "string") throw new Error(stream);
    for await (const { type } of stream.events) {
      expect(type).toBe("first");
      break;
    }
    hub.close();
    await store.close();
  });

  it("end when the server stops", async () => {
    const store = sqliteStore(":memory:");
    const own = await createServer({ port: 0, studio: studio.path, store });
    const stream = await listen("/events", {}, own.url);
    await Promise.all([own.close(), text(stream)]);
    await store.close();
  });
});
