import { createMcpHandler, type McpHttpHandler } from "@modelcontextprotocol/server";
import { ABOVE_ZERO, checkOptions, omitUndefined } from "throughline/internal/util";
import { type CreateMcpServerOptions, createMcpServer, MCP_RULES } from "./create-mcp-server.ts";
import type { McpThroughline } from "./tool.ts";

/** Options of `handleMcp`. */
export interface HandleMcpOptions extends Omit<CreateMcpServerOptions, "throughline"> {
  /** Maximum request size in bytes (default 4 MiB). */
  readonly maxBytes?: number;
}

/**
 * Creates a handler for MCP over streamable HTTP. It is stateless: any server behind one address can answer a request,
 * and no connection stays open. Check Host, Origin and token before you call the handler.
 *
 * @param throughline The instance to serve.
 * @param options Whether tools may write (default true), and the maximum request size (default 4 MiB).
 * @throws InvalidOptionError if an option is invalid or unknown.
 * @returns A function that takes a `Request` and returns a `Response`.
 *
 * @example
 * const handle = handleMcp(throughline, { canWrite: false });
 * app.all("/mcp", (c) => handle(c.req.raw));
 */
export function handleMcp(throughline: McpThroughline, options: HandleMcpOptions = {}): McpHttpHandler["fetch"] {
  checkOptions("handleMcp", options, { ...MCP_RULES, maxBytes: ABOVE_ZERO });
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
