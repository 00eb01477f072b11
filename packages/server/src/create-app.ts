import { type Context, Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import packageJson from "../package.json" with { type: "json" };
import { createWholeApi } from "./api/create-api.ts";
import { errorProblem } from "./error-problem.ts";
import { healthRoutes } from "./health-routes.ts";
import { extractSoon } from "./jobs/job-kinds.ts";
import { handleMcp } from "./mcp/handle-mcp.ts";
import { measure } from "./measure.ts";
import { type AuthOptions, authenticate } from "./middleware/authenticate.ts";
import { guardRequests } from "./middleware/check-origin.ts";
import { takeTurns } from "./middleware/fair-queue.ts";
import { limitBody } from "./middleware/limit-body.ts";
import { limitDepth } from "./middleware/limit-depth.ts";
import { limitRate, type RateLimit } from "./middleware/limit-rate.ts";
import { limitTime } from "./middleware/limit-time.ts";
import { requireScope } from "./middleware/require-scope.ts";
import { docsRoutes } from "./openapi/docs-routes.ts";
import { createProxy } from "./proxy/create-proxy.ts";
import type { UpstreamModel } from "./proxy/upstream-model.ts";
import { securityHeaders } from "./security-headers.ts";
import { serveStudio, withoutStudio } from "./serve-studio.ts";
import type { ServerEnv } from "./server-env.ts";
import type { Services } from "./services.ts";

const MAX_MCP_BYTES = 4 * 1024 * 1024;

export interface AppOptions extends AuthOptions {
  readonly studio: string | undefined;
  readonly model?: UpstreamModel | undefined;
  readonly anthropic?: UpstreamModel | undefined;
  readonly gemini?: UpstreamModel | undefined;
  /** Names under which this server is reached beside those of this machine. */
  readonly allowedHosts: readonly string[] | "any";
  readonly rateLimit?: RateLimit | undefined;
  /** Milliseconds in which an answer has to begin. */
  readonly timeLimit: number;
  readonly onError: (error: unknown) => void;
}

/** Everything that the server answers, from the gate to the last resort. */
export function createApp(services: Services, options: AppOptions): Hono<ServerEnv> {
  const { studio, allowedHosts, onError } = options;
  const api = createWholeApi(services);
  const app = new Hono<ServerEnv>()
    .use(measure(services.metrics))
    .use(securityHeaders())
    .use(guardRequests(allowedHosts))
    .route("/", healthRoutes(services))
    .route("/", docsRoutes(api));
  addGate(app, services, options, roomsOf(api));
  return app
    .get("/metrics", requireScope("admin"), async () => {
      const { type, body } = await services.metrics.text();
      return new Response(body, { headers: { "content-type": type, "cache-control": "no-store" } });
    })
    .route("/", api)
    .all("/mcp", limitBody(MAX_MCP_BYTES), limitDepth(), async (c) => {
      const canWrite = c.var.caller.scopes.has("write");
      const handle = handleMcp(c.var.throughline, { canWrite, version: packageJson.version, onError });
      return handle(c.req.method === "POST" ? await readAgain(c) : c.req.raw);
    })
    .route("/", proxyOf(services, options))
    .route("/", studio === undefined ? withoutStudio() : serveStudio(studio))
    .onError((error) =>
      error instanceof HTTPException && error.res !== undefined ? error.getResponse() : errorProblem(error, onError),
    );
}

/** The request with the body that was read before. */
async function readAgain({ req }: Context<ServerEnv>): Promise<Request> {
  const { url, method, headers, signal } = req.raw;
  return new Request(url, { method, headers, signal, body: await req.arrayBuffer() });
}

/** What goes through it is told of, and read for memories, as what is appended by the API. */
function proxyOf(services: Services, { model, anthropic, gemini, onError }: AppOptions): Hono<ServerEnv> {
  const { store, events, jobs, clock } = services;
  return createProxy({
    model,
    anthropic,
    gemini,
    documents: store.documents,
    onError,
    onAppend: async (caller, sessionId, { remember }) => {
      const { userId, projectId } = caller;
      await events.publish(caller, { type: "session:appended", sessionId, data: {} });
      if (remember === true) await jobs.add(extractSoon(userId, projectId, sessionId, clock.now()));
    },
  });
}

/** The first words of the addresses that the API has: all that is behind them is for those who may come in. */
function roomsOf(api: { readonly routes: readonly { readonly path: string }[] }): readonly string[] {
  return [...new Set(api.routes.map(({ path }) => path.split("/")[1] ?? ""))].filter((room) => room !== "");
}

function addGate(app: Hono<ServerEnv>, services: Services, options: AppOptions, rooms: readonly string[]): void {
  // First, so that who waits for a turn is not left waiting for ever.
  for (const room of rooms) app.use(`/${room}/*`, limitTime(options.timeLimit));
  const gate = authenticate(services, options);
  const turns = takeTurns();
  for (const room of [...rooms, "v1", "v1beta", "mcp", "metrics"]) app.use(`/${room}/*`, turns, gate);
  if (options.rateLimit !== undefined) {
    const limit = limitRate(options.rateLimit);
    for (const room of [...rooms, "v1", "v1beta", "mcp"]) app.use(`/${room}/*`, limit);
  }
}
