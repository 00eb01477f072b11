import { OpenAPIHono, z } from "@hono/zod-openapi";
import type { TokenScope } from "throughline/internal/sql";
import { requireScope } from "../middleware/check-access.ts";
import { idempotency } from "../middleware/idempotency.ts";
import { limitDepth } from "../middleware/request-limits.ts";
import { problem } from "../problem.ts";
import type { ServerEnv } from "../server-env.ts";

// Shared parts of the OpenAPI route definitions.

const ProblemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    code: z.string().openapi({ description: "Stable error code for programs." }),
    detail: z.string(),
    errors: z.array(z.object({ pointer: z.string(), detail: z.string() })).optional(),
  })
  .openapi("Problem", { description: "An error, as defined by RFC 9457." });

function problemAnswer(description: string) {
  return { description, content: { "application/problem+json": { schema: ProblemSchema } } };
}

const PROBLEMS = {
  400: problemAnswer("The request is invalid."),
  401: problemAnswer("The token is missing or invalid."),
  403: problemAnswer("The token lacks a permission, or the request comes from another site."),
  404: problemAnswer("Not found."),
  409: problemAnswer("The request conflicts with the current state."),
  413: problemAnswer("The body is too large."),
  415: problemAnswer("The content type of the body is not JSON."),
  422: problemAnswer("The request is valid but cannot be carried out."),
  429: problemAnswer("Too many requests; see Retry-After."),
  500: problemAnswer("Internal server error."),
  502: problemAnswer("The upstream model failed."),
  503: problemAnswer("Temporarily unavailable; try again."),
  504: problemAnswer("The request timed out."),
  507: problemAnswer("No storage space left."),
} as const;

/** A 200 response with this schema, plus the errors that every route can return. */
export function answers<T extends z.ZodType>(schema: T, description: string) {
  return { 200: { description, content: { "application/json": { schema } } }, ...PROBLEMS };
}

/** A 201 response with this schema, plus the common errors. */
export function created<T extends z.ZodType>(schema: T, description: string) {
  return { 201: { description, content: { "application/json": { schema } } }, ...PROBLEMS };
}

/** A 204 response, plus the common errors. */
export function done(description: string) {
  return { 204: { description }, ...PROBLEMS };
}

export function jsonBody<T extends z.ZodType>(schema: T) {
  return { body: { required: true, content: { "application/json": { schema } } } } as const;
}

/** Requires a scope for a route. Routes that write also accept an `Idempotency-Key`. */
export function may(scope: TokenScope) {
  const checks = [requireScope(scope), limitDepth()];
  const middleware = scope === "read" ? checks : [...checks, idempotency()];
  return { security: [{ token: [scope] }], middleware };
}

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
