import { createMiddleware } from "hono/factory";
import type { TokenScope } from "throughline/internal";
import { problem } from "../problem.ts";
import type { ServerEnv } from "../server-env.ts";

/** Lets those pass who may do such things. */
export function requireScope(scope: TokenScope) {
  return createMiddleware<ServerEnv>(async (c, next) => {
    if (!c.var.caller.scopes.has(scope))
      return problem(403, "forbidden", `This needs a token with the scope ${scope}.`);
    return next();
  });
}
