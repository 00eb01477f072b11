import { isIPv4 } from "node:net";
import type { MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import type { TokenScope } from "throughline/internal/sql";
import { problem } from "../problem.ts";
import type { Caller, ServerEnv, Services } from "../server-env.ts";
import { scopeOf } from "../throughline-pool.ts";
import type { CheckedToken } from "./check-token.ts";

const ALL: ReadonlySet<TokenScope> = new Set(["read", "write", "admin"]);
/** Selects all projects of the user: for tools that show and change memories of any of them. */
const ALL_PROJECTS = "*";
const PROJECT = /^[^\p{Cc}]{1,200}$/u;

export interface AuthOptions {
  /** Requires a token. Otherwise, requests without one belong to the local user. */
  readonly isTokenRequired: boolean;
  readonly localUser: string;
}

/** Identifies the caller and sets up the Throughline instance with their permissions. */
export function authenticate({ store, tokens, pool, clock }: Services, options: AuthOptions) {
  return createMiddleware<ServerEnv>(async (c, next) => {
    const sent = readToken(c.req.header("authorization"), [c.req.header("x-api-key"), c.req.header("x-goog-api-key")]);
    if (sent === undefined && options.isTokenRequired)
      return refuse("A token is required. Send it in the header `Authorization: Bearer TOKEN`.");
    const token = sent === undefined ? undefined : await tokens.check(sent, clock.now());
    if (sent !== undefined && token === undefined)
      return refuse("Invalid token: it is unknown, expired or revoked. Create another one.");
    const wanted = c.req.header("x-throughline-project") ?? c.req.query("project");
    if (wanted !== undefined && !PROJECT.test(wanted)) {
      return problem(
        400,
        "bad-request",
        "Invalid X-Throughline-Project: expected a project id of 1 to 200 characters.",
      );
    }
    const projectId = wanted === ALL_PROJECTS ? undefined : (wanted ?? onlyProject(token));
    if (token !== undefined && wanted !== undefined && !mayUse(token, wanted)) {
      return problem(
        403,
        "forbidden",
        "This token does not give access to that project. Use another token, or leave out X-Throughline-Project.",
      );
    }
    const caller = callerOf(token, projectId, options);
    c.set("caller", caller);
    c.set("answers", store.server.answers);
    const scope = scopeOf(caller);
    c.set("throughline", await (wanted === ALL_PROJECTS ? pool.getAllProjects(scope) : pool.get(scope)));
    return next();
  });
}

function callerOf(token: CheckedToken | undefined, projectId: string | undefined, options: AuthOptions): Caller {
  if (token === undefined) return { userId: options.localUser, projectId, scopes: ALL, tokenId: undefined };
  const { id: tokenId, userId, projects, scopes } = token;
  const projectIds = projects.includes("*") ? undefined : projects;
  return { userId, projectId, scopes: new Set(scopes), projectIds, tokenId };
}

/** Keys that are not Throughline tokens are meant for the upstream; the proxy forwards them. */
function readToken(authorization: string | undefined, keys: readonly (string | undefined)[]): string | undefined {
  const bearer = /^Bearer\s+(\S+)$/i.exec(authorization ?? "")?.[1];
  return [bearer, ...keys].find((key) => key?.startsWith("tl_"));
}

function onlyProject(token: CheckedToken | undefined): string | undefined {
  const [only, ...others] = token?.projects ?? [];
  return others.length === 0 && only !== "*" ? only : undefined;
}

function mayUse({ projects }: CheckedToken, project: string): boolean {
  return projects.includes("*") || projects.includes(project);
}

function refuse(detail: string): Response {
  return problem(401, "token-required", detail, { headers: { "www-authenticate": "Bearer" } });
}

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
        "Unknown Host header: this server answers only to its own names. Add this name to allowed_hosts.",
      );
    }
    if (!isOwnOrigin(req.header("origin"), host) || isFromElsewhere(req)) {
      return problem(
        403,
        "foreign-origin",
        "Cross-site requests are not allowed. Send the request from the same origin, or without a browser.",
      );
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

/** Rejects callers without this scope. */
export function requireScope(scope: TokenScope) {
  return createMiddleware<ServerEnv>(async (c, next) => {
    if (!c.var.caller.scopes.has(scope))
      return problem(403, "forbidden", `This token lacks the scope ${scope}. Use a token that has it.`);
    return next();
  });
}

/** True if a host name or address, as written in a URL, can only mean this machine. */
export function isLoopback(hostname: string): boolean {
  const name = hostname.toLowerCase();
  return name === "localhost" || name === "[::1]" || (isIPv4(name) && name.startsWith("127."));
}

/** Formats a host for a URL: `::1` in brackets. */
export function inUrl(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
