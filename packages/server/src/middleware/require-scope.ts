import { createMiddleware } from "hono/factory";
import type { TokenScope } from "throughline/internal/sql";
import { problem } from "../problem.ts";
import type { ServerEnv } from "../server-env.ts";

/** Rejects callers without this scope. */
export function requireScope(scope: TokenScope) {
  return createMiddleware<ServerEnv>(async (c, next) => {
    if (!c.var.caller.scopes.has(scope))
      return problem(403, "forbidden", `This request requires a token with the scope ${scope}.`);
    return next();
  });
}
