import { createMiddleware } from "hono/factory";
import { routePath } from "hono/route";
import type { Metrics } from "./metrics.ts";
import type { ServerEnv } from "./server-env.ts";

/** Counts requests by the route that answered, never by the address: that may hold ids. */
export function measure(metrics: Metrics) {
  return createMiddleware<ServerEnv>(async (c, next) => {
    const start = performance.now();
    await next();
    metrics.answered(c.req.method, routePath(c, -1), c.res.status, (performance.now() - start) / 1_000);
  });
}
