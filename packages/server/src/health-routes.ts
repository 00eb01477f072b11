import { Hono } from "hono";
import { problem } from "./problem.ts";
import type { ServerEnv } from "./server-env.ts";
import type { Services } from "./services.ts";

const FRESH = { "cache-control": "no-store" };

/** Whether the process lives, and whether it can do its work. */
export function healthRoutes({ store, stopping }: Services): Hono<ServerEnv> {
  return new Hono<ServerEnv>()
    .get("/healthz", (c) => c.json({ status: "ok" }, 200, FRESH))
    .get("/readyz", async (c) => {
      if (stopping.aborted) return problem(503, "stopping", "This server is about to stop.");
      try {
        await store.server.events.last();
        return c.json({ status: "ready" }, 200, FRESH);
      } catch {
        return problem(503, "unavailable", "The store does not answer.");
      }
    });
}
