import { createRoute, z } from "@hono/zod-openapi";
import { NotFoundError } from "throughline";
import type { JobFilter } from "throughline/internal/sql";
import { omitUndefined } from "throughline/internal/util";
import { once } from "../../middleware/retry-steps.ts";
import type { Caller } from "../../server-env.ts";
import type { Services } from "../../services.ts";
import { answers, done, may } from "../define-route.ts";
import { cutPage, pageOf, pageQuery, readCursor } from "../pagination.ts";
import { createRouter, type Router } from "../router.ts";
import { idParam } from "../schemas/common.ts";
import { JobSchema, JobStateSchema } from "../schemas/server.ts";
import { toWire } from "../wire-json.ts";

const Counts = z.object({ waiting: z.int(), running: z.int(), done: z.int(), dead: z.int() });
const JobPage = pageOf(JobSchema).extend({ counts: Counts }).openapi("JobPage");

const list = createRoute({
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
  app.openapi(list, async (c) => {
    const { cursor, limit, state } = c.req.valid("query");
    const visible = visibleJobs(c.var.caller);
    const filter = omitUndefined({ ...visible, state, after: readCursor(cursor), limit: limit + 1 });
    const { items, next_cursor } = cutPage(await jobs.list(filter), limit, ({ id }) => id);
    const counts = await jobs.counts(visible);
    return c.json({ items: items.map((job) => toWire(JobSchema, job)), next_cursor, counts }, 200);
  });
  app.openapi(retry, async (c) => {
    const { id } = c.req.valid("param");
    const isRevived = await once(
      "retry",
      () => jobs.revive(id),
      ({ op }) => op === "job" || undefined,
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
