import type { MiddlewareHandler } from "hono";
import { isLoopback } from "../loopback.ts";
import { problem } from "../problem.ts";

/**
 * Rejects cross-site requests. The Host header reveals DNS rebinding; Origin or Sec-Fetch-Site reveal requests from
 * pages of other sites.
 */
export function checkOrigin(allowedHosts: readonly string[] | "any"): MiddlewareHandler {
  const allowed = allowedHosts === "any" ? undefined : new Set(allowedHosts.map((host) => host.toLowerCase()));
  return async ({ req }, next) => {
    const host = req.header("host") ?? "";
    if (!isKnownHost(host, allowed)) {
      return problem(
        403,
        "foreign-host",
        "Unknown Host header: this server answers only to its own names. Add others with allowed_hosts.",
      );
    }
    if (!isOwnOrigin(req.header("origin"), host) || isFromElsewhere(req)) {
      return problem(403, "foreign-origin", "Cross-site requests are not allowed.");
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

/**
 * Behind a TLS proxy, the page is on https while this server speaks http. On a loopback address there is no such proxy.
 */
function isOwnOrigin(origin: string | undefined, host: string): boolean {
  if (origin === undefined) return true;
  const own = host.toLowerCase();
  const secure = isLoopback(new URL(`http://${own}`).hostname) ? [] : [`https://${own}`];
  return [`http://${own}`, ...secure].includes(origin.toLowerCase());
}

/** Links from other sites are allowed; embedded or fetched resources are not. */
function isFromElsewhere(req: { header(name: string): string | undefined }): boolean {
  const site = req.header("sec-fetch-site") ?? "none";
  return site !== "none" && site !== "same-origin" && req.header("sec-fetch-mode") !== "navigate";
}
