import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { serveStatic } from "@hono/node-server/serve-static";
import { type Context, Hono, type MiddlewareHandler, type Next } from "hono";
import { COMPRESSIBLE_CONTENT_TYPE_REGEX, compress } from "hono/compress";
import { etag } from "hono/etag";
import { problem } from "./problem.ts";
import { ServerError } from "./server-error.ts";

/** Serves the built Studio: its files, and its page for every other path. */
export function serveStudio(folder: string): Hono {
  if (!existsSync(path.join(folder, "index.html"))) {
    throw new ServerError("missing-studio", `The Studio files are missing in ${folder}.`);
  }
  const revalidate = etag();
  const page = serveStatic({ root: folder, path: "index.html" });
  return new Hono()
    .use(keepCompressed())
    .use(compress({ encoding: "gzip", contentTypeFilter: isCompressible }))
    .use((c, next) => (isNamedByContent(c.req.path) ? next() : revalidate(c, next)))
    .use(setCaching)
    .use(serveStatic({ root: folder }))
    .use(serveLibraryData())
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
  if (req.method === "GET" || req.method === "HEAD")
    return problem(404, "not-found", `${req.path} was not found. /docs lists the routes of the API.`);
  return problem(
    405,
    "method-not-allowed",
    "This path supports only GET and HEAD. /docs lists the routes of the API.",
    {
      headers: { allow: "GET, HEAD" },
    },
  );
}

const LIBRARY_DATA = /^\/assets\/(token-ranks|word-vectors)-[\w-]{8}\.bin$/;

/**
 * Serves the data files of the library under the names that the build of the Studio gave them: the Studio has no copy
 * of its own. They are compressed in the package, and the library decompresses them in the page.
 */
function serveLibraryData(): MiddlewareHandler {
  const library = path.dirname(createRequire(import.meta.url).resolve("throughline/package.json"));
  const rewriteRequestPath = (address: string) => address.replace(LIBRARY_DATA, "/$1.bin");
  const serve = serveStatic({ root: path.join(library, "dist"), rewriteRequestPath });
  return async (c, next) => {
    if (!LIBRARY_DATA.test(c.req.path)) return next();
    const response = await serve(c, next);
    response?.headers.set("content-type", "application/gzip");
    return response;
  };
}

/** Binary files have no known content type, and most can be compressed. */
function isCompressible(type: string): boolean {
  return type === "application/octet-stream" || COMPRESSIBLE_CONTENT_TYPE_REGEX.test(type);
}

/** Caches the compressed form of files that never change. */
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

/** Vite puts files with a content hash in their name into one folder; they never change. */
function isNamedByContent(address: string): boolean {
  return address.startsWith("/assets/");
}

async function setCaching(c: Context, next: Next): Promise<void> {
  await next();
  if (!c.res.ok) return;
  c.header("cache-control", isNamedByContent(c.req.path) ? "public, max-age=31536000, immutable" : "no-cache");
}

/** True for page loads, except for files that no longer exist. */
function isPage({ req }: Context): boolean {
  const wantsPage = req.header("accept")?.includes("text/html") ?? false;
  return wantsPage && !isNamedByContent(req.path) && path.posix.extname(req.path) === "";
}
