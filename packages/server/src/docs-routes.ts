import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { Hono } from "hono";
import { compress } from "hono/compress";
import { etag } from "hono/etag";
import packageJson from "../package.json" with { type: "json" };
import type { Router } from "./api/define-route.ts";
import type { ServerEnv } from "./server-env.ts";

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Throughline API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<script src="/docs/swagger-ui-bundle.js" defer></script>
<script src="/docs/start.js" defer></script>
</head>
<body>
<main id="api"></main>
<noscript>This page needs JavaScript. The same description is at <a href="/openapi.json">/openapi.json</a>.</noscript>
</body>
</html>
`;

/** In a separate file: the content security policy refuses scripts in the page. */
const START = `const dark = matchMedia("(prefers-color-scheme: dark)");
const setColors = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", setColors);
setColors();
SwaggerUIBundle({ url: "/openapi.json", dom_id: "#api", deepLinking: true, validatorUrl: null });
`;

const SCRIPT = "text/javascript; charset=utf-8";
const STYLE = "text/css; charset=utf-8";

/**
 * Serves the description of the API: `/openapi.json` for programs, `/docs` for people. Loads nothing from other hosts.
 */
export function docsRoutes(api: Router): Hono<ServerEnv> {
  // Built on the first request, because it takes longer than the rest of a server's start.
  let document: ReturnType<typeof describeApi> | undefined;
  const caching = { "cache-control": "no-cache" };
  const body = (text: string, type: string) => new Response(text, { headers: { ...caching, "content-type": type } });
  return new Hono<ServerEnv>()
    .get("/openapi.json", (c) => {
      document ??= describeApi(api);
      return c.json(document, 200, caching);
    })
    .get("/docs", (c) => c.html(PAGE, 200, caching))
    .use("/docs/*", compress({ encoding: "gzip" }), etag())
    .get("/docs/start.js", () => body(START, SCRIPT))
    .get("/docs/swagger-ui-bundle.js", async () => body(await swaggerFile("swagger-ui-bundle.js"), SCRIPT))
    .get("/docs/swagger-ui.css", async () => body(await swaggerFile("swagger-ui.css"), STYLE));
}

/** A file of Swagger UI: the build copies it beside this module; in a checkout it is in the package. */
async function swaggerFile(name: string): Promise<string> {
  const built = fileURLToPath(new URL(`swagger-ui/${name}`, import.meta.url));
  const file = existsSync(built) ? built : createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`);
  return readFile(file, "utf8");
}

const TAGS = [
  { name: "sessions", description: "Conversations and agent runs: append messages, get windows that fit." },
  { name: "memories", description: "Memories across sessions." },
  { name: "context", description: "Context for a model, and predictions of what it needs next." },
  { name: "projects", description: "Projects and imports of histories." },
  { name: "inspector", description: "Windows and compactions of sessions, and of recorded histories on this machine." },
  { name: "upkeep", description: "Consolidation, contradictions and the journal of changes." },
  { name: "events", description: "Live events." },
  { name: "jobs", description: "Background jobs." },
  { name: "tokens", description: "Access tokens." },
];

/** Builds the OpenAPI document from the schemas that validate the requests. */
function describeApi(api: Router) {
  api.openAPIRegistry.registerComponent("securitySchemes", "token", {
    type: "http",
    scheme: "bearer",
    description: "Created with `throughline token create`. Not required on a loopback address.",
  });
  return api.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Throughline",
      version: packageJson.version,
      description:
        "Fits sessions into context windows and remembers across them. Send `X-Throughline-Project` to select a project, and `Idempotency-Key` to retry writes safely.",
    },
    tags: TAGS,
  });
}
