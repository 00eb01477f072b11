import { z } from "@hono/zod-openapi";
import type { TokenScope } from "throughline/internal";
import { idempotency } from "../middleware/idempotency.ts";
import { limitDepth } from "../middleware/limit-depth.ts";
import { requireScope } from "../middleware/require-scope.ts";

// What the routes say of themselves, in the words of OpenAPI.

const ProblemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    code: z.string().openapi({ description: "Stable: programs may switch on it." }),
    detail: z.string(),
    errors: z.array(z.object({ pointer: z.string(), detail: z.string() })).optional(),
  })
  .openapi("Problem", { description: "What went wrong, as RFC 9457 has it." });

function problemAnswer(description: string) {
  return { description, content: { "application/problem+json": { schema: ProblemSchema } } };
}

const PROBLEMS = {
  400: problemAnswer("The request cannot be meant."),
  401: problemAnswer("A token is needed, or this one does not hold."),
  403: problemAnswer("The token may not do this, or another site asked."),
  404: problemAnswer("There is no such thing here."),
  409: problemAnswer("Something else is in the way right now."),
  413: problemAnswer("The body is too large."),
  415: problemAnswer("The body is not said to be JSON."),
  422: problemAnswer("It was understood, and cannot be done."),
  429: problemAnswer("Too many requests; Retry-After says when."),
  500: problemAnswer("Something went wrong in the server."),
  502: problemAnswer("The model did not answer."),
  503: problemAnswer("Not now; try again."),
  504: problemAnswer("It took too long."),
  507: problemAnswer("There is no room left."),
} as const;

/** An answer of this form, or one of the problems that every route may have. */
export function answers<T extends z.ZodType>(schema: T, description: string) {
  return { 200: { description, content: { "application/json": { schema } } }, ...PROBLEMS };
}

/** The same for something that is new. */
export function created<T extends z.ZodType>(schema: T, description: string) {
  return { 201: { description, content: { "application/json": { schema } } }, ...PROBLEMS };
}

/** The same for what leaves nothing to say. */
export function done(description: string) {
  return { 204: { description }, ...PROBLEMS };
}

export function jsonBody<T extends z.ZodType>(schema: T) {
  return { body: { required: true, content: { "application/json": { schema } } } } as const;
}

/** Who may use a route. What changes something may be sent twice and is done once. */
export function may(scope: TokenScope) {
  const checks = [requireScope(scope), limitDepth()];
  const middleware = scope === "read" ? checks : [...checks, idempotency()];
  return { security: [{ token: [scope] }], middleware };
}
