import { Client, type ClientOptions } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { callTool } from "../../server/src/mcp/mcp.fixture.ts";
import { builtProgram } from "../../throughline/test/built.ts";

/** How a client opens: as those of 2025 do, or as those of the protocol's later revisions. */
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

/** `throughline mcp` as an agent starts it, and the SDK's client. */
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
    /** What it wrote to stderr. */
    said: () => said,
  };
}
