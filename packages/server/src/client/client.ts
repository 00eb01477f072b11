export type { ClientOptions } from "./call-server.ts";
export { type ClientMemory, type ClientTurn, createClient, type ThroughlineClient } from "./create-client.ts";
export { ProblemError } from "./problem-error.ts";
export type { ListenOptions, ServerEvent } from "./server-events.ts";
