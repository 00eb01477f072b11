import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { beforeAll, describe, expect, it } from "vitest";
import { apiServer, type Fields } from "./api-server.ts";
import { type ApiDocument, type Operation, operationsIn, readDocument, schemaIn } from "./operations.ts";
import type { Answer } from "./request.ts";

const server = apiServer();
let document: ApiDocument;
let operations: readonly Operation[];
let ajv: Ajv2020;
const covered = new Set<string>();

beforeAll(async () => {
  document = await readDocument(server);
  operations = operationsIn(document);
  ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: "api", components: document.components });
});

/** Sends a request and validates the response against the OpenAPI document. */
async function ask(
  id: string,
  parts: Readonly<Record<string, string>> = {},
  body?: unknown,
  query = "",
): Promise<Answer> {
  const operation = operations.find((one) => one.id === id);
  if (operation === undefined) throw new Error(`There is no ${id}.`);
  covered.add(id);
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parts[name] ?? ""));
  const answer = await server.call(operation.method, `${path}${query}`, body);
  holdAgainst(operation, answer);
  return answer;
}

function holdAgainst({ id, responses }: Operation, { status, headers, body }: Answer): void {
  const response = responses[String(status)];
  expect({ id, status, isDescribed: response !== undefined }).toEqual({ id, status, isDescribed: true });
  const schema = schemaIn(response);
  if (schema === undefined) {
    expect({ id, body: body.length }).toEqual({ id, body: 0 });
    return;
  }
  const [type = ""] = Object.keys((response as { content: Fields }).content);
  expect({ id, type: String(headers["content-type"]).startsWith(type) }).toEqual({ id, type: true });
  const check = ajv.compile(pointed(schema));
  expect({ id, fits: check(JSON.parse(body.toString())), errors: check.errors }).toEqual({
    id,
    fits: true,
    errors: null,
  });
}

/** References point into the added document. */
function pointed(schema: Fields): Fields {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"api#/components'));
}

interface Made {
  readonly id: string;
}

describe("every route", () => {
  it("answers as documented: memories", async () => {
    const made = (
      await ask("remember", {}, { text: "The blue bin is for paper.", key: "blue_bin", value: "paper" })
    ).json();
    const { id } = (made as { memory: Made }).memory;
    await ask(
      "remember",
      {},
      { text: "The blue bin is for glass.", key: "bin", kind: "fact", aliases: ["bin"], pinned: true },
    );
    await ask(
      "remember",
      {},
      {
        text: "Deploys go through five steps.",
        kind: "workflow",
        title: "deploy",
        steps: ["test", "build", "stage"],
        template: { test: "npm test" },
        artifacts: [{ type: "adr", ref: "ADR-012" }],
        valid_from: "2026-01-01T00:00:00Z",
      },
    );
    await ask(
      "ingest",
      {},
      { session_id: "talk", messages: [{ role: "user", text: "I live in Bergen.", at: "2026-05-01T10:00:00Z" }] },
    );
    await ask("listMemories", {}, undefined, "?limit=2&kind=fact");
    await ask("searchMemories", {}, { query: "Which bin is for paper?", limit: 5, cut: "none" });
    await ask("browseMemories", {}, undefined, "?query=bin&kind=fact&project_id=&status=current&review=done&limit=2");
    await ask("browseMemories", {}, undefined, "?since=2020-01-01T00:00:00Z&order=oldest&offset=1&project=*");
    await ask("countMemories");
    await ask("memoryHistory", { id }, undefined, "?as_of=2026-01-01T00:00:00Z");
    await ask("memoryEvidence", { id });
    await ask("auditMemories", {}, undefined, "?kind=duplicate&limit=5");
    await ask("auditStore", {}, { data: "- Use tabs\n- Use tabs" });
    expect((await ask("auditStore", {}, { data: "{}" })).status).toBe(400);
    await ask("getMemory", { id });
    await ask("updateMemory", { id }, { text: "The blue bin is for paper and card.", valid_to: null });
    await ask("pinMemory", { id }, { pinned: true });
    await ask("citeMemory", { id }, { query: "paper?" });
    await ask("ignoreMemory", { id });
    await ask("forgetMemory", { id });
    const exported = (await ask("exportMemories")).json();
    await ask("importMemories", {}, { data: exported, dry_run: true });
    const imported = (await ask("importMemories", {}, { data: "- Prefers trains to planes" })).json();
    await ask("listProjects");
    await ask("listImports", {}, undefined, "?limit=5");
    await ask("undoImport", { id: (imported as { import_id: string }).import_id }, { dry_run: true });
    expect((await ask("undoImport", { id: "imp_none" }, {})).status).toBe(404);
    await ask("purgeMemory", { id });
    for (const gone of ["getMemory", "forgetMemory", "purgeMemory"]) expect((await ask(gone, { id })).status).toBe(404);
  });

  it("answers as documented: sessions", async () => {
    const session = { id: "s/1 ü" };
    await ask("createSession", {}, { id: session.id, context_limit: 4_000, remember: true, profile: "coding" });
    expect((await ask("createSession", {}, { id: session.id })).status).toBe(409);
    const filler = "Say what the parser does with brackets. ".repeat(40);
    const messages = Array.from({ length: 20 }, (_, i) => ({
      role: i % 2 === 0 ? "user" : "assistant",
      content: i === 0 ? "Repair the parser." : filler,
    }));
    await ask("appendMessages", session, { messages });
    await ask("listSessions");
    await ask("getSession", session);
    await ask("readHistory", session, undefined, "?limit=3");
    await ask("previewCompaction", session, { keep_tokens: 0 });
    await ask("prepareTurn", session, { system: "Be brief.", memory: true, budget: 2_000 });
    const full = await ask("prepareTurn", session, { system: "Be brief." }, "?receipt=full");
    expect(full.json()).toHaveProperty(["receipt", "items", 0, "rule"], "system");
    const lean = await ask("prepareTurn", session, { system: "Be brief." });
    expect(Object.keys((lean.json() as { receipt: object }).receipt)).not.toContain("items");
    await ask("observeUsage", session, { input_tokens: 1_500, cache_read_tokens: 100 });
    await ask("compactSession", session, { focus: "brackets", target_tokens: 500, keep_tokens: 0 });
    const { items } = (await ask("listCompactions", session)).json() as { items: readonly Made[] };
    await ask("restoreCompaction", session, { compaction_id: items[0]?.id });
    const handles = ["message:s/1 ü/m0"];
    await ask("readPresentWindow", session, undefined, "?limit=3");
    const edit = (await ask("editWindow", session, { kind: "pin", handles })).json() as Made;
    await ask("listEdits", session);
    await ask("undoEdit", session, { edit_id: edit.id });
    await ask("listReceipts", session);
    await ask("recallHandle", session, { handle: "message:s/1 ü/m0" });
    await ask("inspectSessions", {}, undefined, "?query=parser&sort=loss&limit=1");
    await ask("findWorstCompaction");
    const inspected = { id: `throughline:${session.id}` };
    await ask("reportSession", inspected);
    await ask("readWindow", inspected, undefined, "?call=9&limit=2");
    await ask("readPayload", inspected, undefined, "?call=9&provider=gemini");
    await ask("compareWindows", inspected, undefined, "?from=0&to=9&limit=2");
    await ask("writeNote", inspected, undefined, "?messages=12");
    expect((await ask("exportReport", inspected)).status).toBe(404);
    expect((await ask("readWindow", inspected, undefined, "?call=10")).status).toBe(404);
    expect((await ask("reportSession", { id: "claude-code:0:none" })).status).toBe(404);
    expect((await ask("prepareTurn", session, { budget: 10 })).json()).toMatchObject({ code: "irreducible-context" });
    await ask("purgeSession", session);
    expect((await ask("getSession", session)).status).toBe(404);
  });

  it("answers as documented: context and upkeep", async () => {
    await ask("remember", {}, { text: "The office opens at 8." });
    await ask("remember", {}, { text: "The office does not open at 8." });
    await ask("assembleContext", {}, { budget: 2_000, signals: { current_file: "src/a.ts", activity: "debugging" } });
    await ask("assembleContext", {}, { message: "When does the office open?" }, "?preview=true");
    await ask("predictContext", {}, { file_opened: "src/a.ts" });
    await ask("tellSignal", {}, { file_opened: "src/a.ts", session_id: "x" });
    await ask("expandContext", {}, { pointer: "office" });
    await ask("consolidate", {}, { dry_run: true });
    await ask("consolidate", {}, {});
    const { items } = (await ask("listContradictions", {}, undefined, "?status=open")).json() as {
      items: readonly Made[];
    };
    const resolved = await ask(
      "resolveContradiction",
      { id: items[0]?.id ?? "none" },
      { resolution: "b_wins", note: "Moved." },
    );
    expect(resolved.status).toBe(items.length > 0 ? 200 : 404);
    const journal = (await ask("readJournal")).json() as { items: readonly Made[] };
    await ask("undo", { id: journal.items[0]?.id ?? "" });
    await ask("listJobs", {}, undefined, "?state=waiting");
    expect((await ask("retryJob", { id: "none" })).status).toBe(404);
    const made = (await ask("createToken", {}, { name: "t", user_id: "ada", projects: ["shop"] })).json();
    await ask("listTokens");
    await ask("revokeToken", { id: (made as { details: Made }).details.id });
  });

  it("is covered by these tests", () => {
    const streams = ["listenToEvents", "listenToSession"];
    expect(operations.map(({ id }) => id).filter((id) => !covered.has(id) && !streams.includes(id))).toEqual([]);
    expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
  });
});
