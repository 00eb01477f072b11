import packageJson from "../../package.json" with { type: "json" };
import type { ApiApp } from "../api/api-app.ts";

const TAGS = [
  { name: "sessions", description: "Conversations and runs: their messages go in, windows that fit come out." },
  { name: "memories", description: "What is remembered across sessions." },
  { name: "context", description: "What a model should know right now, and what it will need next." },
  { name: "upkeep", description: "Housekeeping, contradictions, and what was done to memories." },
  { name: "events", description: "What happens, as it happens." },
  { name: "jobs", description: "Work that is done when nobody waits for it." },
  { name: "tokens", description: "Who may come in." },
];

/** What the API is, in OpenAPI's words, made from the schemas that check the requests. */
export function describeApi(api: ApiApp) {
  api.openAPIRegistry.registerComponent("securitySchemes", "token", {
    type: "http",
    scheme: "bearer",
    description: "Made by `throughline token create`. On this machine's own address none is needed.",
  });
  return api.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Throughline",
      version: packageJson.version,
      description:
        "Fits sessions into context windows and remembers across them. Send `X-Throughline-Project` to work in a project, `Idempotency-Key` to repeat a write safely.",
    },
    tags: TAGS,
  });
}
