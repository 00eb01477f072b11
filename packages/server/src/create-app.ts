import { type Context, Hono, type MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import { HTTPException } from "hono/http-exception";
import { routePath } from "hono/route";
import { secureHeaders } from "hono/secure-headers";
import { undoImport } from "throughline/internal/engine";
import packageJson from "../package.json" with { type: "json" };
import { jobRoutes, tokenRoutes } from "./api/admin-routes.ts";
import { browseRoutes } from "./api/browse-routes.ts";
import { contextRoutes } from "./api/context-routes.ts";
import { contradictionRoutes } from "./api/contradiction-routes.ts";
import { createRouter, type Router } from "./api/define-route.ts";
import { eventRoutes } from "./api/event-routes.ts";
import { inspectRoutes, inspectWindowRoutes } from "./api/inspect-routes.ts";
import { memoryRoutes } from "./api/memory-routes.ts";
import { editRoutes, sessionRoutes } from "./api/session-routes.ts";
import { exportRoutes, projectRoutes } from "./api/transfer-routes.ts";
import { windowRoutes } from "./api/window-routes.ts";
import { rememberTexts } from "./direct-answers.ts";
import { docsRoutes } from "./docs-routes.ts";
import { extractSoon } from "./jobs/job-kinds.ts";
import { handleMcp } from "./mcp/create-mcp-server.ts";
import type { ProjectAccess } from "./mcp/tool.ts";
import type { Metrics } from "./metrics.ts";
import { type AuthOptions, authenticate, checkOrigin, requireScope } from "./middleware/check-access.ts";
import { fairQueue, limitBody, limitDepth, limitRate, limitTime } from "./middleware/request-limits.ts";
import { errorProblem, problem } from "./problem.ts";
import { createProxy } from "./proxy/create-proxy.ts";
import { serveStudio, withoutStudio } from "./serve-studio.ts";
import type { ServerEnv, Services } from "./server-env.ts";
import type { ServerOptions } from "./server-options.ts";
import { scopeOf } from "./throughline-pool.ts";

const MAX_MCP_BYTES = 4 * 1024 * 1024;

interface AppOptions extends AuthOptions, Pick<ServerOptions, "studio" | "upstreams" | "rateLimit" | "onProxyTurn"> {
  /** Host names that the server answers to, in addition to loopback names. */
  readonly allowedHosts: readonly string[] | "any";
  /** Milliseconds until a response must start. */
  readonly responseTimeout: number;
  readonly onError: (error: unknown) => void;
}

/** Builds the complete HTTP app: middleware, API, MCP, proxy, docs, Studio and the fallback. */
export function createApp(services: Services, options: AppOptions): Hono<ServerEnv> {
  const { studio, allowedHosts, onError } = options;
  const api = createApi(services);
  const app = new Hono<ServerEnv>()
    .use(rememberTexts())
    .use(measure(services.metrics))
    .use(securityHeaders())
    .use(checkOrigin(allowedHosts))
    .route("/", healthRoutes(services))
    .route("/", docsRoutes(api));
  addMiddleware(app, services, options, apiRoots(api));
  return app
    .get("/metrics", requireScope("admin"), async () => {
      const { type, body } = await services.metrics.text();
      return new Response(body, { headers: { "content-type": type, "cache-control": "no-store" } });
    })
    .route("/", api)
    .all("/mcp", limitBody(MAX_MCP_BYTES), limitDepth(), async (c) => {
      const canWrite = c.var.caller.scopes.has("write");
      const access = projectAccess(services, c.var);
      const handle = handleMcp(c.var.throughline, { canWrite, version: packageJson.version, onError, ...access });
      return handle(c.req.method === "POST" ? await readAgain(c) : c.req.raw);
    })
    .route("/", proxyOf(services, options))
    .route("/", studio === undefined ? withoutStudio() : serveStudio(studio))
    .onError((error) =>
      error instanceof HTTPException && error.res !== undefined ? error.getResponse() : errorProblem(error, onError),
    );
}

/** Other projects that the caller may access, and imports, which may have written to any project. */
function projectAccess(
  { pool, store, clock }: Services,
  { caller, throughline, answers }: ServerEnv["Variables"],
): ProjectAccess {
  const { userId, projectIds } = caller;
  const scope = scopeOf(caller);
  const open = (ids: readonly string[]) => pool.openAllProjects(scope, ids);
  const undoDeps = { open, store, userId, clock, eraseAnswers: () => answers.erase({}) };
  return {
    listProjects: async () => {
      const { projects, personal } = await throughline.memory.projects();
      return { projects: projects.filter(({ id }) => projectIds?.includes(id) ?? true), personal };
    },
    openProject: (projectId) => pool.get({ ...scope, projectId }),
    ...(projectIds === undefined && {
      undoImport: (id: string, dryRun: boolean) => undoImport(undoDeps, id, { dryRun }),
    }),
  };
}

/** Rebuilds the request from the body that was already read. */
async function readAgain({ req }: Context<ServerEnv>): Promise<Request> {
  const { url, method, headers, signal } = req.raw;
  return new Request(url, { method, headers, signal, body: await req.arrayBuffer() });
}

/**
 * Messages that pass through the proxy publish events and are read for memories, like messages appended through the
 * API.
 */
function proxyOf(services: Services, options: AppOptions): Hono<ServerEnv> {
  const { upstreams, onError, onProxyTurn } = options;
  const { store, events, jobs, clock } = services;
  return createProxy({
    upstreams,
    documents: store.documents,
    onError,
    onAppend: async (caller, sessionId, { remember }) => {
      const { userId, projectId } = caller;
      onProxyTurn?.();
      await events.publish(caller, { type: "session:appended", sessionId, data: {} });
      if (remember === true) await jobs.add(extractSoon(userId, projectId, sessionId, clock.now()));
    },
  });
}

/** First path segments of the API. Everything below them requires authentication. */
function apiRoots(api: { readonly routes: readonly { readonly path: string }[] }): readonly string[] {
  return [...new Set(api.routes.map(({ path }) => path.split("/")[1] ?? ""))].filter((root) => root !== "");
}

function addMiddleware(app: Hono<ServerEnv>, services: Services, options: AppOptions, roots: readonly string[]): void {
  // First, so that the timeout also covers the time in the queue.
  for (const root of roots) app.use(`/${root}/*`, limitTime(options.responseTimeout));
  const gate = authenticate(services, options);
  const turns = fairQueue();
  for (const root of [...roots, "v1", "v1beta", "mcp", "metrics"]) app.use(`/${root}/*`, turns, gate);
  if (options.rateLimit !== undefined) {
    const limit = limitRate(options.rateLimit);
    for (const root of [...roots, "v1", "v1beta", "mcp"]) app.use(`/${root}/*`, limit);
  }
}

const FRESH = { "cache-control": "no-store" };

/** Liveness and readiness. */
function healthRoutes({ store, stopping }: Services): Hono<ServerEnv> {
  return new Hono<ServerEnv>()
    .get("/healthz", (c) => c.json({ status: "ok" }, 200, FRESH))
    .get("/readyz", async (c) => {
      if (stopping.aborted)
        return problem(
          503,
          "stopping",
          "The server is shutting down. Use another server, or retry when it has restarted.",
        );
      try {
        await store.server.events.last([]);
        return c.json({ status: "ready" }, 200, FRESH);
      } catch {
        return problem(503, "unavailable", "The store does not respond. Check the database of the server.");
      }
    });
}

/** Counts requests by route, never by path, because paths contain ids. */
function measure(metrics: Metrics) {
  return createMiddleware<ServerEnv>(async (c, next) => {
    const start = performance.now();
    await next();
    metrics.answered(c.req.method, routePath(c, -1), c.res.status, (performance.now() - start) / 1_000);
  });
}

/** Security headers for every response. */
function securityHeaders(): MiddlewareHandler {
  return secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'self'"],
      // Models in the browser run as WebAssembly.
      scriptSrc: ["'self'", "'wasm-unsafe-eval'"],
      // Toasts and sheets use inline styles.
      styleSrc: ["'self'", "'unsafe-inline'"],
      // No external images: their URL could leak conversation text.
      imgSrc: ["'self'", "data:", "blob:"],
      // Users choose the address of their model, including local networks.
      connectSrc: ["'self'", "https:", "http:"],
      objectSrc: ["'none'"],
      frameSrc: ["'none'"],
      frameAncestors: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
    },
    xFrameOptions: "DENY",
    permissionsPolicy: { camera: false, geolocation: false, microphone: false },
    // The server speaks plain HTTP on this machine; the others matter only to old browsers.
    strictTransportSecurity: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  });
}

const MAX_BODY_BYTES = 32 * 1024 * 1024;

/** The route groups. Static paths come before paths with a placeholder. */
function apiGroups(services: Services): readonly Router[] {
  return [
    browseRoutes(),
    contextRoutes(),
    contradictionRoutes(services),
    eventRoutes(services),
    exportRoutes(services),
    inspectRoutes(services),
    inspectWindowRoutes(services),
    memoryRoutes(services),
    projectRoutes(services),
    sessionRoutes(services),
    windowRoutes(services),
    editRoutes(services),
    jobRoutes(services),
    tokenRoutes(services),
  ];
}

/** Creates the complete API, with a size limit for request bodies. */
function createApi(services: Services): Router {
  const api = createRouter();
  const groups = apiGroups(services);
  const paths = new Set(groups.flatMap((group) => group.routes.map(({ path }) => path)));
  for (const path of paths) {
    api.use(path, limitBody(MAX_BODY_BYTES));
  }
  for (const group of groups) api.route("/", group);
  return api;
}
