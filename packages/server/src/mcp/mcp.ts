/**
 * The MCP server, to serve it from your own program.
 *
 * @module
 * @example
 * await createMcpServer({ throughline }).connect(transport);
 */
export { type CreateMcpServerOptions, createMcpServer, type HandleMcpOptions, handleMcp } from "./create-mcp-server.ts";
export type { McpThroughline, ProjectAccess } from "./tool.ts";
