import { describe, expect, it } from "vitest";
import { createClient } from "./client/create-client.ts";
import { createServer } from "./create-server.ts";
import { createMcpServer } from "./mcp/create-mcp-server.ts";
import { handleMcp } from "./mcp/handle-mcp.ts";

/** The error of a call with options that TypeScript would refuse. */
async function refusal(call: () => unknown): Promise<unknown> {
  try {
    await call();
  } catch (error) {
    return error;
  }
  return "accepted";
}

describe("options", () => {
  it.each<[string, (options: never) => unknown]>([
    ["createServer", createServer],
    ["createClient", createClient],
    ["createMcpServer", createMcpServer],
    ["handleMcp", (options) => handleMcp({} as never, options)],
  ])("of %s are refused if their name is unknown, with the known names", async (place, call) => {
    expect(await refusal(() => call({ nope: 1 } as never))).toMatchObject({
      name: "InvalidOptionError",
      message: expect.stringContaining(`Invalid option of ${place}: "nope". Expected one of `),
    });
  });

  it.each([
    [() => createClient({ url: "localhost" }), "http://127.0.0.1:4870"],
    [() => createClient({ retries: -1 }), "Expected a number, 0 or more."],
    [() => createMcpServer({ throughline: {} as never, canWrite: "yes" as never }), "Expected true or false."],
    [() => handleMcp({} as never, { maxBytes: 0 }), "Expected a number above 0."],
  ])("are refused if their value is wrong, with the valid ones", (call, message) => {
    expect(call).toThrow(message);
  });
});
