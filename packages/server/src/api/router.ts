import { OpenAPIHono } from "@hono/zod-openapi";
import { problem } from "../problem.ts";
import type { ServerEnv } from "../server-env.ts";

export type Router = OpenAPIHono<ServerEnv>;

/** Creates a router that validates requests by their schemas and answers 400 with the validation errors. */
export function createRouter(): Router {
  return new OpenAPIHono<ServerEnv>({
    defaultHook: (result) => {
      if (result.success) return undefined;
      const errors = result.error.issues.map(({ path, message }) => ({
        pointer: `${result.target === "json" ? "" : result.target}/${path.map(String).join("/")}`,
        detail: message,
      }));
      const [first] = errors;
      return problem(400, "bad-request", `${first?.pointer}: ${first?.detail}`, { errors: errors.slice(0, 20) });
    },
  });
}
