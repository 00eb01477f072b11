import { existsSync } from "node:fs";
import path from "node:path";
import { serveStatic } from "@hono/node-server/serve-static";
import { type Context, Hono, type Next } from "hono";
import { COMPRESSIBLE_CONTENT_TYPE_REGEX, compress } from "hono/compress";
import { etag } from "hono/etag";
import { problem } from "./problem.ts";
import { ServerError } from "./server-error.ts";

/** The built Studio: its files, and its page under every address that a person may have open. */
export function serveStudio(folder: string): Hono {
  if (!existsSync(path.join(folder, "index.html"))) {
    throw new ServerError("missing-studio", `The Studio is not at ${folder}.`);
  }
  const revalidate = etag();
  const page = serveStatic({ root: folder, path: "index.html" });
  return new Hono()
    .use(keepCompressed())
    .use(compress({ encoding: "gzip", contentTypeFilter: isCompressible }))
    .use((c, next) => (isNamedByContent(c.req.path) ? next() : revalidate(c, next)))
    .use(setCaching)
    .use(serveStatic({ root: folder }))
    .get("*", (c, next) => {
      if (!isPage(c)) return next();
      return page(c, next);
    })
    .all("*", answerUnknown);
}

/** The pages of a server without a Studio: `/` leads to the description of the API. */
export function withoutStudio(): Hono {
  return new Hono().get("/", (c) => c.redirect("/docs")).all("*", answerUnknown);
}

function answerUnknown({ req }: Context): Response {
  if (req.method === "GET" || req.method === "HEAD") return problem(404, "not-found", `Nothing is at ${req.path}.`);
  return problem(405, "method-not-allowed", "This address can only be read.", { headers: { allow: "GET, HEAD" } });
}

/** The word vectors are bytes of no known type, and a fifth of them can be spared. */
function isCompressible(type: string): boolean {
  return type === "application/octet-stream" || COMPRESSIBLE_CONTENT_TYPE_REGEX.test(type);
}

/** Compresses a file that never changes once, and not for everybody who opens the page. */
function keepCompressed(): (c: Context, next: Next) => Promise<void> {
  const kept = new Map<string, ArrayBuffer>();
  return async (c, next) => {
    await next();
    const { path: address } = c.req;
    if (c.res.status !== 200 || !c.res.headers.has("content-encoding") || !isNamedByContent(address)) return;
    const known = kept.get(address);
    if (known !== undefined) await c.res.body?.cancel();
    const bytes = known ?? (await c.res.arrayBuffer());
    kept.set(address, bytes);
    c.res = new Response(bytes, c.res);
    c.header("content-length", String(bytes.byteLength));
  };
}

/** Vite puts what it names by its content into one folder: under such a name nothing ever changes. */
function isNamedByContent(address: string): boolean {
  return address.startsWith("/assets/");
}

async function setCaching(c: Context, next: Next): Promise<void> {
  await next();
  if (!c.res.ok) return;
  c.header("cache-control", isNamedByContent(c.req.path) ? "public, max-age=31536000, immutable" : "no-cache");
}

/** Somebody looks at it, and it is not the name of a file that is gone. */
function isPage({ req }: Context): boolean {
  const wantsPage = req.header("accept")?.includes("text/html") ?? false;
  return wantsPage && !isNamedByContent(req.path) && path.posix.extname(req.path) === "";
}
