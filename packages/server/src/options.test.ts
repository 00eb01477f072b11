import { describe, expect, it, vi } from "vitest";
import { optionParameters } from "../../../tools/docs/public-options.mjs";
import { cli, server } from "../../../tools/package/entry-points.mjs";
import { inProcessStore } from "../../throughline/src/store/in-process.ts";
import { createClient } from "./client/create-client.ts";
import { createServer } from "./create-server.ts";
import { createMcpServer, handleMcp } from "./mcp/create-mcp-server.ts";
import { makeToken } from "./middleware/check-token.ts";

/** The error of a call with options that TypeScript would refuse. */
async function refusal(call: () => unknown): Promise<unknown> {
  try {
    await call();
  } catch (error) {
    return error;
  }
  return "accepted";
}

const client = createClient({
  fetch: async () => {
    throw new Error("A request was sent.");
  },
  retries: 0,
});
const next = (events: AsyncGenerator<unknown>) => events.next();

/** A parameter with options, as `function(parameter)`; the name of the function in errors; and a call. */
const ROWS: readonly (readonly [parameter: string, place: string, call: (options: never) => unknown])[] = [
  ["createServer(options)", "createServer", createServer],
  ["makeToken(about)", "makeToken", makeToken],
  ["createClient(options)", "createClient", createClient],
  ["createMcpServer(options)", "createMcpServer", createMcpServer],
  ["handleMcp(options)", "handleMcp", (options) => handleMcp({} as never, options)],
  ["createClient().events(listen)", "client.events", (listen) => next(client.events(listen))],
  ["createClient().sessions.events(listen)", "client.events", (listen) => next(client.sessions.events("s", listen))],
  ["createClient().consolidate(body)", "client.consolidate", client.consolidate],
  ["createClient().jobs(query)", "client.jobs", client.jobs],
  ...methodRows("context", "body", ["assemble", "predict", "signal"]),
  ...methodRows("memories", "body", ["remember", "search", "ingest", "auditStore"]),
  ...methodRows("memories", "query", ["list", "browse", "audit"]),
  ...methodRows("memories", "__0", ["export"]),
  ...methodRows("memories", "query", ["history"], 1),
  ...methodRows("memories", "body", ["update", "cite"], 1),
  ...methodRows("memories", "__1", ["import"], 1),
  ...methodRows("sessions", "body", ["create"]),
  ...methodRows("sessions", "query", ["list"]),
  ...methodRows("sessions", "query", ["history", "receipts", "window"], 1),
  ...methodRows("sessions", "body", ["prepare", "compact", "preview", "observe", "edit"], 1),
  ...methodRows("sessions", "query", ["prepare"], 2),
  ...methodRows("contradictions", "query", ["list"]),
  ...methodRows("contradictions", "body", ["resolve"], 1),
  ...methodRows("journal", "query", ["list"]),
  ...methodRows("imports", "query", ["list"]),
  ...methodRows("imports", "__1", ["undo"], 1),
];

/** Rows for methods of the client whose object is the argument at an index. */
function methodRows(
  group: "context" | "memories" | "sessions" | "contradictions" | "journal" | "imports",
  parameter: string,
  names: readonly string[],
  index = 0,
): typeof ROWS {
  const methods = client[group] as unknown as Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;
  return names.map((name) => [
    `createClient().${group}.${name}(${parameter})`,
    `client.${group}.${name}`,
    (options) => methods[name]?.(...["id", {}].slice(0, index), options),
  ]);
}

describe("options", () => {
  it("have a row for each parameter of each public function", () => {
    const parameters = [...optionParameters(server), ...optionParameters(cli)];
    expect(ROWS.map(([parameter]) => parameter).toSorted()).toEqual([...new Set(parameters)].toSorted());
  });

  it.each(ROWS)("of %s are refused if their name is unknown, with the known names", async (_, place, call) => {
    expect(await refusal(() => call({ nope: 1 } as never))).toMatchObject({
      name: "InvalidOptionError",
      message: expect.stringContaining(`Invalid option of ${place}: "nope". Expected one of `),
    });
  });

  it.each(ROWS)("of %s are refused if they are no object", async (_, place, call) => {
    expect(await refusal(() => call(7 as never))).toMatchObject({
      message: `Invalid options of ${place}: 7. Expected an object.`,
    });
  });

  it.each([
    [() => createClient({ url: "localhost" }), "http://127.0.0.1:4870"],
    [() => createClient({ retries: -1 }), "Expected a number, 0 or more."],
    [() => createMcpServer({ throughline: {} as never, canWrite: "yes" as never }), "Expected true or false."],
    [() => handleMcp({} as never, { maxBytes: 0 }), "Expected a number above 0."],
  ])("are refused if their value is wrong, with the valid ones", (call, message) => {
    expect(call).toThrow(message);
  });

  it("of a server are refused if its store has no place for tokens, jobs and events", async () => {
    await expect(createServer({ port: 0, store: inProcessStore() as never })).rejects.toThrow(
      "Expected a store for servers: sqliteStore(path) or postgresStore(url).",
    );
  });

  it.each([
    [{ model: { url: "http://127.0.0.1:11434/v1" } }, "Upstreams of the proxy are set in `upstreams`"],
    [{ summarizer: {} }, '"summarizer". Expected one of '],
    [{ upstreams: { gemni: { url: "http://127.0.0.1" } } }, "an object with `openai`, `anthropic` or `gemini`"],
  ])("of a server that have another form are refused with the new one: %j", async (options, message) => {
    await expect(createServer({ port: 0, ...options } as never)).rejects.toThrow(message);
  });

  it("of a server may name a model by its id, and a wrong id is refused at once", async () => {
    const languageModel = (id: string) => {
      if (id === "acme/small")
        return { specificationVersion: "v3", provider: "acme", modelId: id, doGenerate: () => undefined };
      throw new Error(`No such model: ${id}`);
    };
    vi.stubGlobal("AI_SDK_DEFAULT_PROVIDER", { languageModel });
    try {
      const server = await createServer({ port: 0, model: "acme/small" });
      await server.close();
      await expect(createServer({ port: 0, model: "acme/none" })).rejects.toThrow("No such model: acme/none");
    } finally {
      vi.unstubAllGlobals();
    }
  });
});
