import { createMcpHandler, type McpHttpHandler } from "@modelcontextprotocol/server";
import { omitUndefined } from "throughline/internal";
import { type CreateMcpServerOptions, createMcpServer } from "./create-mcp-server.ts";
import type { McpThroughline } from "./tool.ts";

export interface HandleMcpOptions extends Omit<CreateMcpServerOptions, "throughline"> {
  /** Maximum request size in bytes (default 4 MiB). */
  readonly maxBytes?: number;
}

/**
 * Handles streamable HTTP requests. They are stateless: there are no sessions, so any server behind one address can
 * answer, and nothing stays open. Check Host, Origin and token before you call it.
 *
 * @param throughline the instance to serve
 * @example
 * app.all("/mcp", (c) => handleMcp(c.var.throughline)(c.req.raw));
 */
export function handleMcp(throughline: McpThroughline, options: HandleMcpOptions = {}): McpHttpHandler["fetch"] {
  const { maxBytes, ...settings } = options;
  const { onError } = settings;
  const { fetch } = createMcpHandler(
    () => createMcpServer({ ...settings, throughline }),
    omitUndefined({
      // There are no notifications to subscribe to.
      maxSubscriptions: 0,
      maxRequestBodySize: maxBytes,
      onerror: onError && ((error: Error) => (isRefusal(error) ? undefined : onError(error))),
    }),
  );
  return fetch;
}

/** The SDK also reports requests that it rejects. The client gets the reason, and nothing is wrong with the server. */
function isRefusal({ message }: Error): boolean {
  return message.startsWith("Rejected inbound request");
}
