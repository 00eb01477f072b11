import { createMiddleware } from "hono/factory";
import type { TokenScope } from "throughline/internal/sql";
import { problem } from "../problem.ts";
import type { Caller, ServerEnv } from "../server-env.ts";
import type { Services } from "../services.ts";
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
      return refuse("A token is required. Send it as Authorization: Bearer …");
    const token = sent === undefined ? undefined : await tokens.check(sent, clock.now());
    if (sent !== undefined && token === undefined) return refuse("Invalid token: it is wrong, expired or revoked.");
    const wanted = c.req.header("x-throughline-project") ?? c.req.query("project");
    if (wanted !== undefined && !PROJECT.test(wanted)) {
      return problem(400, "bad-request", "Invalid X-Throughline-Project: expected the id of a project.");
    }
    const projectId = wanted === ALL_PROJECTS ? undefined : (wanted ?? onlyProject(token));
    if (token !== undefined && wanted !== undefined && !mayUse(token, wanted)) {
      return problem(403, "forbidden", "This token does not give access to that project.");
    }
    const caller = callerOf(token, projectId, options);
    c.set("caller", caller);
    c.set("answers", store.server.answers);
    const scope = { ...caller, isAdmin: caller.scopes.has("admin") };
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
