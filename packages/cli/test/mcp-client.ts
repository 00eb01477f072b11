import { Client, type ClientOptions } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { callTool } from "../../server/src/mcp/mcp.fixture.ts";
import { builtProgram } from "../../throughline/test/built.ts";

/** Protocol handshake of a client: the revision of 2025, or a later one. */
export type Era = "legacy" | "modern";

export function newClient(era: Era): Client {
  const options: ClientOptions = era === "legacy" ? {} : { versionNegotiation: { mode: { pin: "2026-07-28" } } };
  return new Client({ name: "test", version: "1" }, options);
}

interface ProcessOptions {
  readonly data: string;
  readonly cwd?: string;
  readonly era?: Era;
  readonly env?: Readonly<Record<string, string>>;
}

/** `throughline mcp` started as an agent starts it, with the SDK's client. */
export async function startMcp({ data, cwd, era = "legacy", env = {} }: ProcessOptions) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [builtProgram(), "mcp", "--data", data],
    env: { ...(process.env as Record<string, string>), CLAUDE_PROJECT_DIR: "", ...env },
    stderr: "pipe",
    ...(cwd !== undefined && { cwd }),
  });
  let said = "";
  transport.stderr?.on("data", (chunk: Buffer) => {
    said += chunk;
  });
  const client = newClient(era);
  await client.connect(transport);
  return {
    client,
    call: (name: string, input?: unknown) => callTool(client, name, input),
    /** The server's stderr. */
    said: () => said,
  };
}
