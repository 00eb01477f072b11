import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { forwardModel } from "./forward-model.ts";
import { guardRequests } from "./guard-requests.ts";
import { problem } from "./problem.ts";
import { securityHeaders } from "./security-headers.ts";
import { serveStudio } from "./serve-studio.ts";
import type { UpstreamModel } from "./upstream-model.ts";

export interface AppOptions {
  readonly studio: string;
  readonly model?: UpstreamModel | undefined;
  readonly onError: (error: unknown) => void;
}

/** Everything that the server answers, from the gate to the last resort. */
export function createApp({ studio, model, onError }: AppOptions): Hono<{ Bindings: HttpBindings }> {
  return new Hono<{ Bindings: HttpBindings }>()
    .use(securityHeaders())
    .use(guardRequests())
    .get("/healthz", (c) => c.json({ status: "ok" }, 200, { "cache-control": "no-store" }))
    .route("/v1", forwardModel(model))
    .route("/", serveStudio(studio))
    .onError((error) => {
      onError(error);
      return problem(500, "internal", "Something went wrong here; nothing was changed.");
    });
}
