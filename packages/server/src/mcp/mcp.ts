/**
 * The MCP server, to serve it from your own program.
 *
 * @module
 * @example
 * await createMcpServer({ throughline }).connect(transport);
 */
export { type CreateMcpServerOptions, createMcpServer } from "./create-mcp-server.ts";
export { type HandleMcpOptions, handleMcp } from "./handle-mcp.ts";
export type { McpThroughline, ProjectAccess } from "./tool.ts";
