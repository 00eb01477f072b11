import { describe, expect, it } from "vitest";
import { createClient } from "./create-client.ts";

/** A client whose requests are recorded. */
function recordingClient() {
  const sent: { readonly url: URL; readonly body: unknown }[] = [];
  const client = createClient({
    fetch: async (url, init) => {
      sent.push({
        url: new URL(String(url)),
        body: typeof init?.body === "string" ? JSON.parse(init.body) : undefined,
      });
      return Response.json({});
    },
  });
  return { client, sent };
}

describe("arguments of the client", () => {
  it("are sent under the names of the HTTP API, at any depth", async () => {
    const { client, sent } = recordingClient();
    await client.consolidate({ dryRun: true });
    await client.context.assemble({ signals: { currentFile: "a.ts", recentErrors: ["E"] } });
    await client.imports.undo("imp_1", { dryRun: true });
    expect(sent.map(({ body }) => body)).toEqual([
      { dry_run: true },
      { signals: { current_file: "a.ts", recent_errors: ["E"] } },
      { dry_run: true },
    ]);
  });

  it("have the names of the HTTP API in queries", async () => {
    const { client, sent } = recordingClient();
    await client.memories.browse({ projectId: "shop", limit: 5 });
    await client.memories.history("mem_1", { asOf: "2026-05-01T00:00:00Z" });
    expect(sent.map(({ url }) => Object.fromEntries(url.searchParams))).toEqual([
      { project_id: "shop", limit: "5" },
      { as_of: "2026-05-01T00:00:00Z" },
    ]);
  });

  it("keep messages, imported data and keys of the caller as they are", async () => {
    const { client, sent } = recordingClient();
    const message = { role: "user", content: "Hi", providerOptions: { acme: { cacheControl: true } } };
    await client.sessions.append("s1", [message]);
    await client.memories.import({ format: "throughline-memory", memories: [{ createdAt: 1 }] });
    await client.memories.remember({ text: "A pattern.", template: { fileName: "x.ts" } });
    expect(sent.map(({ body }) => body)).toEqual([
      { messages: [message] },
      { data: { format: "throughline-memory", memories: [{ createdAt: 1 }] }, dry_run: false },
      { text: "A pattern.", template: { fileName: "x.ts" } },
    ]);
  });
});
