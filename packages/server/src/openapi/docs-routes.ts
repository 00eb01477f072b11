import { Hono } from "hono";
import type { ApiApp } from "../api/api-app.ts";
import type { ServerEnv } from "../server-env.ts";
import { describeApi } from "./describe-api.ts";
import { renderDocs } from "./render-docs.ts";

/** What can be asked for, for programs and for people. */
export function docsRoutes(api: ApiApp): Hono<ServerEnv> {
  const document = describeApi(api);
  const page = renderDocs(document);
  const caching = { "cache-control": "no-cache" };
  return new Hono<ServerEnv>()
    .get("/openapi.json", (c) => c.json(document, 200, caching))
    .get("/docs", (c) => c.html(page, 200, caching));
}
