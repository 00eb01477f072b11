import { createRoute, z } from "@hono/zod-openapi";
import { NotFoundError } from "throughline";
import type { JobFilter } from "throughline/internal/sql";
import { omitUndefined } from "throughline/internal/util";
import { makeToken } from "../middleware/check-token.ts";
import { once } from "../middleware/idempotent-steps.ts";
import { problem } from "../problem.ts";
import type { Caller, Services } from "../server-env.ts";
import { answers, created, createRouter, done, jsonBody, may, type Router } from "./define-route.ts";
import { cutPage, pageOf, pageQuery, readCursor } from "./pagination.ts";
import { CreatedTokenSchema, CreateTokenBody, JobSchema, JobStateSchema, TokenSchema } from "./schemas/admin.ts";
import { idParam } from "./schemas/common.ts";
import { fromWire, toWire } from "./wire-json.ts";

const Counts = z.object({ waiting: z.int(), running: z.int(), done: z.int(), dead: z.int() });
const JobPage = pageOf(JobSchema).extend({ counts: Counts }).openapi("JobPage");

const listJobs = createRoute({
  method: "get",
  path: "/jobs",
  operationId: "listJobs",
  tags: ["jobs"],
  summary: "List background jobs",
  ...may("read"),
  request: { query: z.object({ ...pageQuery, state: JobStateSchema.optional() }) },
  responses: answers(JobPage, "A page of jobs, oldest first. Administrators see the jobs of all users."),
});

const retry = createRoute({
  method: "post",
  path: "/jobs/{id}/retry",
  operationId: "retryJob",
  tags: ["jobs"],
  summary: "Retry a job that failed permanently",
  ...may("admin"),
  request: { params: idParam },
  responses: done("The job is queued again."),
});

export function jobRoutes({ store }: Services): Router {
  const { jobs } = store.server;
  const app = createRouter();
  app.openapi(listJobs, async (c) => {
    const { cursor, limit, state } = c.req.valid("query");
    const visible = visibleJobs(c.var.caller);
    const filter = omitUndefined({ ...visible, state, after: readCursor(cursor), limit: limit + 1 });
    const { items, next_cursor } = cutPage(await jobs.list(filter), limit, ({ id }) => id);
    const counts = await jobs.counts(visible);
    return c.json({ items: items.map((job) => toWire(JobSchema, job)), next_cursor, counts }, 200);
  });
  app.openapi(retry, async (c) => {
    const { id } = c.req.valid("param");
    // A retry of this request finds `true` recorded with the write of the job.
    const isRevived = await once(
      "retry",
      () => jobs.revive(id),
      ({ op }) => (op === "job" ? true : undefined),
    );
    if (!isRevived) throw new NotFoundError(`Failed job ${id}`, "here");
    return c.body(null, 204);
  });
  return app;
}

/** Administrators see all jobs. Others see their own, limited to the projects of their token. */
function visibleJobs({ userId, projectIds, scopes }: Caller): Pick<JobFilter, "owner" | "projectIds"> {
  return scopes.has("admin") ? {} : omitUndefined({ owner: userId, projectIds });
}

const TokensSchema = z.object({ items: z.array(TokenSchema) }).openapi("Tokens");

const listTokens = createRoute({
  method: "get",
  path: "/tokens",
  operationId: "listTokens",
  tags: ["tokens"],
  summary: "List tokens, without their secrets",
  ...may("admin"),
  responses: answers(TokensSchema, "All tokens, oldest first."),
});

const create = createRoute({
  method: "post",
  path: "/tokens",
  operationId: "createToken",
  tags: ["tokens"],
  summary: "Create a token for a user and their projects",
  ...may("admin"),
  request: jsonBody(CreateTokenBody),
  responses: created(CreatedTokenSchema, "The token with its secret, which is returned only once."),
});

const revoke = createRoute({
  method: "delete",
  path: "/tokens/{id}",
  operationId: "revokeToken",
  tags: ["tokens"],
  summary: "Revoke a token, effective immediately; on other servers after at most five seconds",
  ...may("admin"),
  request: { params: idParam },
  responses: done("The token was revoked."),
});

/** Secrets are not stored, so a retry cannot return one again. */
function secretCannotBeShown(id: string): string {
  return `The first request with this Idempotency-Key created token ${id}. Its secret was shown once and is not stored: revoke the token and create another.`;
}

export function tokenRoutes({ store, tokens: checker, clock, events }: Services): Router {
  const { tokens } = store.server;
  const app = createRouter();
  app.openapi(listTokens, async (c) => c.json(toWire(TokensSchema, { items: await tokens.list() }), 200));
  app.openapi(create, async (c) => {
    const { secret, token } = makeToken({ ...fromWire(c.req.valid("json")), createdAt: clock.now() });
    const id = await once(
      "create",
      () => tokens.add(token).then(() => token.id),
      ({ op }) => (op === "token" ? token.id : undefined),
    );
    const known = problem(409, "idempotency-conflict", secretCannotBeShown(id));
    // `as never`: Hono types a handler by its declared JSON bodies, and a problem is an untyped `Response`.
    if (id !== token.id) return known as never;
    c.set("keptAnswer", known);
    return c.json({ token: secret, details: toWire(TokenSchema, token) }, 201);
  });
  app.openapi(revoke, async (c) => {
    const { id } = c.req.valid("param");
    // A retry of this request finds `true` recorded with the write of the token.
    const isRevoked = await once(
      "revoke",
      () => tokens.revoke(id, clock.now()),
      ({ op }) => (op === "token" ? true : undefined),
    );
    if (!isRevoked) throw new NotFoundError(`Active token ${id}`, "here");
    checker.forget();
    events.endToken(id);
    return c.body(null, 204);
  });
  return app;
}
