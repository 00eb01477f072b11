import { createMiddleware } from "hono/factory";
import type { TokenScope } from "throughline/internal";
import { problem } from "../problem.ts";
import type { Caller, ServerEnv } from "../server-env.ts";
import type { Services } from "../services.ts";
import { type CheckedToken, checkToken } from "./check-token.ts";

const ALL: ReadonlySet<TokenScope> = new Set(["read", "write", "admin"]);
const PROJECT = /^[^\p{Cc}]{1,200}$/u;

export interface AuthOptions {
  /** Nobody comes in without a token. Else who comes without one is the user of this machine. */
  readonly isTokenRequired: boolean;
  readonly localUser: string;
}

/** Finds out who asks, and gives what they may see. */
export function authenticate({ store, tenants, clock }: Services, options: AuthOptions) {
  return createMiddleware<ServerEnv>(async (c, next) => {
    const sent = readToken(c.req.header("authorization"), [c.req.header("x-api-key"), c.req.header("x-goog-api-key")]);
    if (sent === undefined && options.isTokenRequired)
      return refuse("This server wants a token: Authorization: Bearer …");
    const token = sent === undefined ? undefined : await checkToken(store.server.tokens, sent, clock.now());
    if (sent !== undefined && token === undefined)
      return refuse("This token does not hold: it is wrong, expired or revoked.");
    const wanted = c.req.header("x-throughline-project") ?? c.req.query("project");
    if (wanted !== undefined && !PROJECT.test(wanted)) {
      return problem(400, "bad-request", "X-Throughline-Project takes the id of a project.");
    }
    const projectId = wanted ?? onlyProject(token);
    if (token !== undefined && wanted !== undefined && !mayUse(token, wanted)) {
      return problem(403, "forbidden", "This token is not for that project.");
    }
    const caller = callerOf(token, projectId, options);
    c.set("caller", caller);
    c.set("answers", store.server.answers);
    c.set("throughline", await tenants.get({ ...caller, isAdmin: caller.scopes.has("admin") }));
    return next();
  });
}

function callerOf(token: CheckedToken | undefined, projectId: string | undefined, options: AuthOptions): Caller {
  if (token === undefined) return { userId: options.localUser, projectId, scopes: ALL, tokenId: undefined };
  const { id: tokenId, userId, projects, scopes } = token;
  const projectIds = projects.includes("*") ? undefined : projects;
  return { userId, projectId, scopes: new Set(scopes), projectIds, tokenId };
}

/** A key that is not one of ours is meant for a model: the proxy passes it on. */
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
