import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { newClient } from "../../cli/test/mcp-client.ts";
import type { TokenScope } from "../../throughline/src/ports/server-store.ts";
import { callTool } from "../src/mcp/mcp.fixture.ts";
import { makeToken } from "../src/middleware/check-token.ts";
import { apiServer } from "./api-server.ts";

const server = apiServer({ isTokenRequired: true });

async function authorized(userId: string, scopes: readonly TokenScope[] = ["read", "write"]) {
  const { secret, token } = makeToken({ name: "agent", userId, projects: [], scopes, createdAt: Date.now() });
  await server.store.server.tokens.add(token);
  return { authorization: `Bearer ${secret}` };
}

async function connect(userId: string, scopes?: readonly TokenScope[]) {
  const client = newClient("legacy");
  const requestInit = { headers: await authorized(userId, scopes) };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit }));
  return { client, call: (name: string, input?: unknown) => callTool(client, name, input) };
}

describe("/mcp", () => {
  it("serves the SDK's own client with authentication, separately per user", async () => {
    const [ada, bob] = [await connect("ada"), await connect("bob")];
    expect((await ada.client.listTools()).tools.map(({ name }) => name)).toContain("assemble_context");
    await ada.call("remember", { text: "The greenhouse key hangs behind the clock." });
    expect(JSON.stringify(await ada.call("recall", { query: "Where is the greenhouse key?" }))).toContain("clock");
    expect(JSON.stringify(await bob.call("recall", { query: "Where is the greenhouse key?" }))).not.toContain("clock");
    await Promise.all([ada.client.close(), bob.client.close()]);
  });

  it("offers no tools that write to read-only callers", async () => {
    const { client } = await connect("ada", ["read"]);
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toContain("recall");
    expect(names).not.toContain("remember");
    await client.close();
  });

  it("rejects a body that is not a JSON-RPC message, without an error in the server's log", async () => {
    const headers = { ...(await authorized("ada")), accept: "application/json, text/event-stream" };
    // An error in the log fails the tests of this file.
    expect(await server.call("POST", "/mcp", [{ role: "user" }], headers)).toMatchObject({ status: 400 });
  });

  it("requires a token", async () => {
    const client = newClient("legacy");
    await expect(client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`)))).rejects.toThrow();
  });
});
