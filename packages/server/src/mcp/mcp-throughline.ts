import type { Throughline } from "throughline";

/** What the MCP server needs of what `createThroughline` gives. */
export type McpThroughline = Pick<Throughline, "context" | "memory" | "session">;
