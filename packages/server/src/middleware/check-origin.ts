import type { MiddlewareHandler } from "hono";
import { isLoopback } from "../loopback.ts";
import { problem } from "../problem.ts";

/**
 * Refuses what another site could have sent. A name of its own may lead to this machine (DNS rebinding): the Host tells.
 * A request from its pages carries its Origin, or where it has none, says that it crosses sites.
 */
export function guardRequests(allowedHosts: readonly string[] | "any"): MiddlewareHandler {
  const allowed = allowedHosts === "any" ? undefined : new Set(allowedHosts.map((host) => host.toLowerCase()));
  return async ({ req }, next) => {
    const host = req.header("host") ?? "";
    if (!isKnownHost(host, allowed)) {
      return problem(403, "foreign-host", "This server answers only under its own names.");
    }
    if (!isOwnOrigin(req.header("origin"), host) || isFromElsewhere(req)) {
      return problem(403, "foreign-origin", "Pages of other sites may not use this server.");
    }
    return next();
  };
}

function isKnownHost(host: string, allowed: ReadonlySet<string> | undefined): boolean {
  const address = `http://${host}`;
  if (!URL.canParse(address)) return false;
  const { hostname } = new URL(address);
  return allowed === undefined || isLoopback(hostname) || allowed.has(hostname.toLowerCase());
}

/** Behind a proxy that speaks TLS, the page is at https and we are not; on this machine there is none. */
function isOwnOrigin(origin: string | undefined, host: string): boolean {
  if (origin === undefined) return true;
  const own = host.toLowerCase();
  const secure = isLoopback(new URL(`http://${own}`).hostname) ? [] : [`https://${own}`];
  return [`http://${own}`, ...secure].includes(origin.toLowerCase());
}

/** A link from another site may lead here; what its pages embed or fetch may not. */
function isFromElsewhere(req: { header(name: string): string | undefined }): boolean {
  const site = req.header("sec-fetch-site") ?? "none";
  return site !== "none" && site !== "same-origin" && req.header("sec-fetch-mode") !== "navigate";
}
