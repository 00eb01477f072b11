import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { createServer } from "../src/server.ts";
import { apiServer } from "./api-server.ts";
import { ask } from "./request.ts";
import { studioFolder } from "./studio-folder.ts";

const server = apiServer();
const studio = studioFolder();

function nested(depth: number): string {
  return `${'{"a":['.repeat(depth / 2)}1${"]}".repeat(depth / 2)}`;
}

async function post(path: string, body: string) {
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const { status, body: answer } = await ask(server.url, path, { method: "POST", headers, body });
  return { status, answer: answer.toString() };
}

describe("deeply nested JSON", () => {
  const append = (input: string) =>
    `{"messages":[{"role":"assistant","content":[{"type":"tool-call","toolCallId":"c","toolName":"t","input":${input}}]}]}`;
  const call = (input: string) =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"remember","arguments":${input}}}`;

  it.each([
    ["a message", "/sessions/deep/messages", append],
    ["a memory", "/memories", (input: string) => `{"text":"x","source":${input}}`],
    ["a search", "/memories/search", (input: string) => `{"query":${input}}`],
    ["an import", "/memories/import", (input: string) => `{"data":${input}}`],
    ["MCP", "/mcp", call],
  ])("is rejected with 400: %s", async (_, path, body) => {
    await server.call("POST", "/sessions", { id: "deep" });
    const { status, answer } = await post(path, body(nested(50_000)));
    expect({ status, answer }).toEqual({
      status: 400,
      answer: expect.stringContaining("nested too deeply. Use at most 200 levels."),
    });
  });

  it("does not include brackets in strings, and a hundred levels are stored unchanged", async () => {
    await server.call("POST", "/sessions", { id: "flat" });
    const brackets = JSON.stringify({ text: `${"[{".repeat(5_000)}\\"` });
    expect(await post("/sessions/flat/messages", append(brackets))).toMatchObject({ status: 200 });
    expect(await post("/sessions/flat/messages", append(nested(100)))).toMatchObject({ status: 200 });
    const history = (await server.call("GET", "/sessions/flat/messages")).body.toString();
    expect(history).toContain(nested(100));
  });
});

describe("a body of several megabytes", () => {
  const body = (end: string) => `{"messages":[{"role":"user","content":"${"word ".repeat(500_000)}"}${end}`;

  it("is read like any other", async () => {
    await server.call("POST", "/sessions", { id: "large" });
    expect(await post("/sessions/large/messages", body(',{"role":"user","content":"end"}]}'))).toEqual({
      status: 200,
      answer: '{"appended":2}',
    });
  });

  it.each(["", "]", "]}}", ",]}", "],}", "]} x"])(
    "is rejected with 400 if it is not JSON, ending in %j",
    async (end) => {
      const { status, answer } = await post("/sessions/large/messages", body(end));
      expect({ status, answer }).toEqual(await post("/sessions/large/messages", `{"messages":[{}${end}`));
      expect(status).toBe(400);
    },
  );
});

describe("connections", () => {
  it("end if their request does not arrive in time", async () => {
    const slow = await createServer({ port: 0, studio: studio.path, requestTimeout: 50 });
    const socket = connect(slow.port, "127.0.0.1");
    socket.write("POST /memories HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 10\r\n\r\n{");
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 /);
    await slow.close();
  });

  it("are closed at once if there are too many", async () => {
    const small = await createServer({ port: 0, studio: studio.path, maxConnections: 2 });
    const open = await Promise.all(
      [1, 2].map(async () => {
        const socket = connect(small.port, "127.0.0.1");
        await once(socket, "connect");
        socket.write("GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n");
        await once(socket, "data");
        return socket;
      }),
    );
    await expect(ask(small.url, "/healthz")).rejects.toMatchObject({ code: "ECONNRESET" });
    for (const socket of open) socket.destroy();
    await small.close();
  });
});
