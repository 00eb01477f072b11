import packageJson from "../../package.json" with { type: "json" };
import type { ApiApp } from "../api/api-app.ts";

const TAGS = [
  { name: "sessions", description: "Conversations and agent runs: append messages, get windows that fit." },
  { name: "memories", description: "Memories across sessions." },
  { name: "context", description: "Context for a model, and predictions of what it needs next." },
  { name: "projects", description: "Projects and imports of histories." },
  { name: "inspector", description: "Windows and compactions of sessions, and of recorded histories on this machine." },
  { name: "upkeep", description: "Consolidation, contradictions and the journal of changes." },
  { name: "events", description: "Live events." },
  { name: "jobs", description: "Background jobs." },
  { name: "tokens", description: "Access tokens." },
];

/** Builds the OpenAPI document from the schemas that validate the requests. */
export function describeApi(api: ApiApp) {
  api.openAPIRegistry.registerComponent("securitySchemes", "token", {
    type: "http",
    scheme: "bearer",
    description: "Created with `throughline token create`. Not required on a loopback address.",
  });
  return api.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Throughline",
      version: packageJson.version,
      description:
        "Fits sessions into context windows and remembers across them. Send `X-Throughline-Project` to select a project, and `Idempotency-Key` to retry writes safely.",
    },
    tags: TAGS,
  });
}
