import { createMcpHandler, type McpHttpHandler } from "@modelcontextprotocol/server";
import { omitUndefined } from "throughline/internal";
import { type CreateMcpServerOptions, createMcpServer } from "./create-mcp-server.ts";
import type { McpThroughline } from "./mcp-throughline.ts";

export interface HandleMcpOptions extends Omit<CreateMcpServerOptions, "throughline"> {
  /** Bytes of a request at the most; 4 MiB, where nothing is said. */
  readonly maxBytes?: number;
}

/**
 * Answers requests of streamable HTTP. Each stands for itself: there are no sessions, so any server behind one address
 * may answer, and nothing is left open. Whoever may ask is for the one before it to decide, by Host, Origin and token.
 *
 * @example
 * app.all("/mcp", (c) => handleMcp(c.var.throughline)(c.req.raw));
 */
export function handleMcp(throughline: McpThroughline, options: HandleMcpOptions = {}): McpHttpHandler["fetch"] {
  const { maxBytes, ...settings } = options;
  const { onError } = settings;
  const { fetch } = createMcpHandler(
    () => createMcpServer({ ...settings, throughline }),
    omitUndefined({
      // There is nothing that a client could wait for.
      maxSubscriptions: 0,
      maxRequestBodySize: maxBytes,
      onerror: onError && ((error: Error) => (isRefusal(error) ? undefined : onError(error))),
    }),
  );
  return fetch;
}

/** The SDK also reports requests that it refuses: their client is told why, and nothing is wrong with the server. */
function isRefusal({ message }: Error): boolean {
  return message.startsWith("Rejected inbound request");
}
