/**
 * HTTP API with OpenAPI, events, jobs, MCP and the model proxy.
 *
 * @module
 * @example
 * const server = await createServer({ store: sqliteStore("memory.db") });
 */
export { createServer, type RunningServer } from "./create-server.ts";
export type { HistoryFile, HistorySource } from "./inspect/session-units.ts";
export { makeToken } from "./middleware/check-token.ts";
export type { RateLimit } from "./middleware/request-limits.ts";
export type { UpstreamModel, Upstreams } from "./proxy/upstream/upstream.ts";
export { ServerError, type ServerProblem } from "./server-error.ts";
export type { ServerOptions } from "./server-options.ts";
export { eraseStoredSession } from "./session-access.ts";
