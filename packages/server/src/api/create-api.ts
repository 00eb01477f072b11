import { eventRoutes } from "../events/event-routes.ts";
import { limitBody } from "../middleware/limit-body.ts";
import type { Services } from "../services.ts";
import { jobRoutes } from "./admin/job-routes.ts";
import { projectRoutes } from "./admin/project-routes.ts";
import { tokenRoutes } from "./admin/token-routes.ts";
import { browseRoutes } from "./browse-routes.ts";
import { contextRoutes } from "./context-routes.ts";
import { contradictionRoutes } from "./contradiction-routes.ts";
import { exportRoutes } from "./export-routes.ts";
import { inspectRoutes } from "./inspect-routes.ts";
import { inspectWindowRoutes } from "./inspect-window-routes.ts";
import { memoryRoutes } from "./memory-routes.ts";
import { createRouter, type Router } from "./router.ts";
import { editRoutes } from "./sessions/edit-routes.ts";
import { sessionRoutes } from "./sessions/session-routes.ts";
import { windowRoutes } from "./sessions/window-routes.ts";

const MAX_BODY_BYTES = 32 * 1024 * 1024;

/** The route groups. Static paths come before paths with a placeholder. */
function apiGroups(services: Services): readonly Router[] {
  return [
    browseRoutes(),
    contextRoutes(),
    contradictionRoutes(services),
    eventRoutes(services),
    exportRoutes(services),
    inspectRoutes(services),
    inspectWindowRoutes(services),
    memoryRoutes(services),
    projectRoutes(services),
    sessionRoutes(services),
    windowRoutes(services),
    editRoutes(services),
    jobRoutes(services),
    tokenRoutes(services),
  ];
}

/** Creates the complete API, with a size limit for request bodies. */
export function createApi(services: Services): Router {
  const api = createRouter();
  const groups = apiGroups(services);
  const paths = new Set(groups.flatMap((group) => group.routes.map(({ path }) => path)));
  for (const path of paths) {
    api.use(path, limitBody(MAX_BODY_BYTES));
  }
  for (const group of groups) api.route("/", group);
  return api;
}
