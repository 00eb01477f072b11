import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterEach, describe, expect, it } from "vitest";
import { type Era, newClient } from "../../cli/test/mcp-client.ts";
import { openBeside, openMemory } from "../../throughline/src/memory/open-memory.fixture.ts";
import { callTool } from "../src/mcp/mcp.fixture.ts";
import { type HandleMcpOptions, handleMcp } from "../src/mcp/mcp.ts";

const ERAS: Era[] = ["legacy", "modern"];
const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A server for two users. Each request names its user. */
async function start(options: HandleMcpOptions = {}) {
  const ada = await openMemory({ userId: "ada" });
  const bob = await openBeside(ada, { userId: "bob" });
  const errors: unknown[] = [];
  const server = createServer(
    getRequestListener(
      (request) => {
        const { throughline } = request.headers.get("authorization") === "Bearer bob" ? bob : ada;
        return handleMcp(throughline, { ...options, onError: (error) => errors.push(error) })(request);
      },
      // Otherwise it replaces the global Response, also for later files in this process.
      { overrideGlobalObjects: false },
    ),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
  closing.push(async () => {
    // No connection is open, so it closes without aborting any.
    server.closeIdleConnections();
    server.close();
    if (server.listening) await once(server, "close");
  });
  const connect = async (era: Era, user = "ada") => {
    const client = newClient(era);
    const headers = { authorization: `Bearer ${user}` };
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
    closing.unshift(() => client.close());
    return { client, call: (name: string, input?: unknown) => callTool(client, name, input) };
  };
  const post = (body: string, headers: Record<string, string> = {}) =>
    fetch(url, {
      method: "POST",
      body,
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
    });
  return { url, ada, bob, connect, post, errors };
}

describe.each(ERAS)("over streamable HTTP, with a client of the %s kind,", (era) => {
  it("every tool and resource is there", async () => {
    const { connect, errors } = await start();
    const { client, call } = await connect(era);
    expect((await client.listTools()).tools).toHaveLength(10);
    const [kept = ""] = (await call("remember", { text: "The build takes 5 minutes." })).ids;
    await call("remember", { text: "The build takes 50 minutes." });
    expect((await call("recall", { query: "The build takes how many minutes?", all: true })).ids).toHaveLength(2);
    const [id] = (await call("contradictions")).ids;
    expect((await call("resolve_contradiction", { id, resolution: "a_wins" })).isError).toBe(false);
    expect((await call("expand", { pointer: kept })).text).toContain("The build takes 5 minutes.");
    expect((await call("assemble_context", { message: "How long is the build?" })).isError).toBe(false);
    expect((await call("consolidate")).isError).toBe(false);
    expect((await call("forget", { id: kept })).isError).toBe(false);
    expect((await call("recall", { query: "" })).text).toMatch(/^Invalid query: empty\./);
    for (const { uri } of (await client.listResources()).resources) {
      expect((await client.readResource({ uri })).contents).toHaveLength(1);
    }
    expect(errors).toEqual([]);
  });

  it("callers see only their own memories", async () => {
    const { connect } = await start();
    const [ada, bob] = [await connect(era, "ada"), await connect(era, "bob")];
    const [id] = (await ada.call("remember", { text: "I live in Berlin." })).ids;
    const query = "Where do I live?";
    expect((await ada.call("recall", { query })).ids).toEqual([id]);
    expect((await bob.call("recall", { query, all: true })).ids).toEqual([]);
    expect((await bob.call("forget", { id })).isError).toBe(true);
    expect((await bob.call("expand", { pointer: id })).isError).toBe(true);
    expect((await bob.client.listResources()).resources).toHaveLength(2);
    await expect(bob.client.readResource({ uri: `throughline://memories/${id}` })).rejects.toThrow();
  });

  it("concurrent calls are answered and get their progress", async () => {
    const { connect, ada } = await start();
    const agents = await Promise.all(Array.from({ length: 8 }, () => connect(era)));
    await Promise.all(
      agents.map(({ call }, i) => call("remember", { text: `Module ${i} is Ada's.`, kind: "episode" })),
    );
    expect(await ada.memory.list()).toHaveLength(8);
    let steps = 0;
    const [first] = agents;
    await first?.client.callTool({ name: "consolidate", arguments: {} }, { onprogress: () => (steps += 1) });
    expect(steps).toBeGreaterThan(0);
  });
});

describe("over streamable HTTP", () => {
  it("a read-only caller is offered only tools that read", async () => {
    const { connect } = await start({ canWrite: false });
    const { client, call } = await connect("legacy");
    expect((await client.listTools()).tools).toHaveLength(5);
    await expect(call("remember", { text: "We deploy on Fridays." })).rejects.toThrow("remember");
  });

  it("refuses requests outside of the protocol, and keeps working", async () => {
    const { post, url, errors } = await start({ maxBytes: 1_000 });
    const call = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    expect((await post("{")).status).toBe(400);
    expect((await post("[]")).status).toBe(400);
    expect((await post("")).status).toBe(400);
    expect((await post(call, { "content-type": "text/plain" })).status).toBe(415);
    expect((await post(call.padEnd(2_000))).status).toBe(413);
    expect((await fetch(url)).status).toBe(405);
    expect((await fetch(url, { method: "DELETE" })).status).toBe(405);
    expect((await post(call)).status).toBe(200);
    expect(errors.filter((error) => !(error instanceof Error))).toEqual([]);
  });

  it("a client of the first version is greeted as it expects", async () => {
    const { post } = await start();
    const params = { protocolVersion: "2024-11-05", capabilities: {}, clientInfo: { name: "old", version: "1" } };
    const hello = await post(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params }));
    expect(hello.headers.get("mcp-session-id")).toBeNull();
    expect(await hello.text()).toContain('"protocolVersion":"2024-11-05"');
    expect((await post(JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }))).status).toBe(202);
  });
});
