/**
 * A typed client of the HTTP API, for Node and browsers.
 *
 * @module
 * @example
 * const client = createClient({ url: "http://127.0.0.1:4870" });
 */
export type { ClientOptions, ListenOptions, ServerEvent } from "./call-server.ts";
export { ProblemError } from "./call-server.ts";
export { type ClientMemory, type ClientTurn, createClient, type ThroughlineClient } from "./create-client.ts";
