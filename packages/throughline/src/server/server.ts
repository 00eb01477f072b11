export { ServerError, type ServerProblem } from "../errors/server-error.ts";
export { createServer, type RunningServer, type ServerOptions } from "./create-server.ts";
export type { UpstreamModel } from "./proxy/upstream-model.ts";
