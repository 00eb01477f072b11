import type { MiddlewareHandler } from "hono";
import { isLoopback } from "./loopback.ts";
import { problem } from "./problem.ts";

/**
 * Refuses what another site could have sent. A name of its own may lead to this machine (DNS rebinding): the Host tells.
 * A request from its pages carries its Origin, or where it has none, says that it crosses sites.
 */
export function guardRequests(): MiddlewareHandler {
  return async ({ req }, next) => {
    const host = req.header("host") ?? "";
    if (!isLoopbackHost(host)) {
      return problem(403, "foreign-host", "This server answers only under 127.0.0.1, localhost and [::1].");
    }
    if (!isOwnOrigin(req.header("origin"), host) || isFromElsewhere(req)) {
      return problem(403, "foreign-origin", "Pages of other sites may not use this server.");
    }
    return next();
  };
}

function isLoopbackHost(host: string): boolean {
  const address = `http://${host}`;
  return URL.canParse(address) && isLoopback(new URL(address).hostname);
}

function isOwnOrigin(origin: string | undefined, host: string): boolean {
  return origin === undefined || origin.toLowerCase() === `http://${host}`.toLowerCase();
}

/** A link from another site may lead here; what its pages embed or fetch may not. */
function isFromElsewhere(req: { header(name: string): string | undefined }): boolean {
  const site = req.header("sec-fetch-site") ?? "none";
  return site !== "none" && site !== "same-origin" && req.header("sec-fetch-mode") !== "navigate";
}
