import { McpServer } from "@modelcontextprotocol/server";
import { instructionsFor } from "./instructions.ts";
import type { McpThroughline } from "./mcp-throughline.ts";
import { addResources } from "./resources/resources.ts";
import { TOOLS } from "./tools/tools.ts";

export interface CreateMcpServerOptions {
  /** Whose memories and sessions it gives out: all that this one sees, and nothing else. */
  readonly throughline: McpThroughline;
  /** Without it only those tools are there that change nothing. */
  readonly canWrite?: boolean;
  /** What the client is told of us. */
  readonly version?: string;
  /** Told of what went wrong inside. */
  readonly onError?: (error: unknown) => void;
}

/**
 * A server for agents that speak the Model Context Protocol. It is for one connection, and leaves the Throughline open
 * when it is closed.
 *
 * @example
 * const server = createMcpServer({ throughline: await createThroughline() });
 * await server.connect(new StdioServerTransport());
 */
export function createMcpServer(options: CreateMcpServerOptions): McpServer {
  const { throughline, canWrite = true, version = "unknown", onError = () => undefined } = options;
  const server = new McpServer(
    { name: "throughline", title: "Throughline", version },
    {
      instructions: instructionsFor(canWrite),
      // The tools stay as they are, and nobody is told of each memory that comes or goes.
      capabilities: { tools: { listChanged: false }, resources: { listChanged: false } },
    },
  );
  for (const tool of TOOLS) if (canWrite || tool.isReadOnly) tool.addTo(server, { throughline, onError });
  addResources(server, { throughline, onError });
  return server;
}
