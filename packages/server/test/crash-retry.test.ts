import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type SqlStore, sqliteStore } from "../../throughline/src/store/sqlite/sqlite.ts";
import { SOAK } from "../../throughline/test/cases.ts";
import { createServer, type RunningServer } from "../src/server.ts";
import type { Fields } from "./api-server.ts";
import { dyingStore } from "./dying-store.ts";
import { type Answer, ask } from "./request.ts";
import { studioFolder } from "./studio-folder.ts";

const studio = studioFolder();
const KEY = { "idempotency-key": "the-only-one" };
/** More writes than any request here needs. */
const MAX_WRITES = 40;

type Call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;

interface World {
  readonly store: SqlStore;
  readonly call: Call;
  /** Ids that the request needs. */
  readonly ids: Record<string, string>;
}

interface Route {
  readonly name: string;
  readonly method?: string;
  readonly path: string | ((ids: World["ids"]) => string);
  readonly body?: object | ((ids: World["ids"]) => object);
  readonly headers?: Record<string, string>;
  /** Creates additional data that this request needs. Returns more ids. */
  readonly before?: (call: Call, ids: World["ids"]) => Promise<World["ids"]>;
  /** Fields that differ between two runs of the same request without a crash, such as counters. */
  readonly ignore?: readonly string[];
}

const PROJECT = { "x-throughline-project": "p" };
const text = (words: string) => ({ role: "user", content: words });

const ROUTES: readonly Route[] = [
  { name: "a new session", path: "/sessions", body: { model_id: "gpt-4o" } },
  { name: "an append", path: "/sessions/s/messages", body: { messages: [text("One."), text("Two.")] } },
  { name: "a compaction", path: "/sessions/s/compact", body: { keep_tokens: 0 } },
  { name: "a report of usage", path: "/sessions/s/observe", body: { input_tokens: 900 } },
  { name: "a memory", path: "/memories", body: { text: "The shop opens at nine." } },
  { name: "a memory that replaces one", path: "/memories", body: { text: "DB is MySQL.", key: "db", value: "MySQL" } },
  {
    name: "an ingest",
    path: "/memories/ingest",
    body: {
      session_id: "t",
      messages: [{ role: "user", text: "I live in Oslo. My dog is called Rex. I work at Acme." }],
    },
  },
  { name: "a change", method: "PATCH", path: (ids) => `/memories/${ids.memory}`, body: { text: "Due on Tuesday." } },
  { name: "a citation", path: (ids) => `/memories/${ids.memory}/cite`, body: {} },
  { name: "a purge of a memory", method: "DELETE", path: (ids) => `/memories/${ids.memory}` },
  { name: "a purge of a session", method: "DELETE", path: "/sessions/s" },
  { name: "an undo", path: (ids) => `/journal/${ids.journal}/undo` },
  {
    name: "an import",
    path: "/memories/import",
    body: { data: "- Prefers tabs\n- Lives in Lisbon" },
    ignore: ["body"],
  },
  {
    name: "a change of scope",
    method: "PATCH",
    path: (ids) => `/memories/${ids.memory}`,
    body: { scope: "project-shared" },
    headers: PROJECT,
  },
  {
    name: "an undo in two scopes",
    path: (ids) => `/journal/${ids.move}/undo`,
    headers: PROJECT,
    async before(call, { memory }) {
      await call("PATCH", `/memories/${memory}`, { scope: "project-shared" }, PROJECT);
      const { items } = (await call("GET", "/journal", undefined, PROJECT)).json() as { items: { id: string }[] };
      return { move: items[0]?.id ?? "" };
    },
  },
  {
    name: "a resolution",
    path: (ids) => `/contradictions/${ids.contradiction}/resolve`,
    body: { resolution: "b_wins" },
    async before(call) {
      for (const sum of [500, 900]) await call("POST", "/memories", { text: `The quokka budget is ${sum} euros.` });
      await call("POST", "/consolidate", { dry_run: false });
      const { items } = (await call("GET", "/contradictions")).json() as { items: { id: string }[] };
      return { contradiction: items[0]?.id ?? "" };
    },
  },
  {
    name: "a restore",
    path: "/sessions/s/restore",
    body: (ids) => ({ compaction_id: ids.compaction }),
    async before(call) {
      const { compaction } = (await call("POST", "/sessions/s/compact", { keep_tokens: 0 })).json() as {
        compaction: { id: string };
      };
      return { compaction: compaction.id };
    },
  },
  { name: "a revocation", method: "DELETE", path: (ids) => `/tokens/${ids.token}` },
];

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

let folder: string;
let template: World["ids"];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "throughline-crash-retry-"));
  template = await makeTemplate(join(folder, "template.db"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function serve(store: SqlStore): Promise<RunningServer> {
  const server = await createServer({ port: 0, studio: studio.path, store, shutdownTimeout: 0 });
  closing.push(() => server.close().catch(() => undefined));
  return server;
}

function callerOf(server: RunningServer): Call {
  return (method, path, body, headers = {}) => {
    const about = body === undefined ? headers : { "content-type": "application/json", ...headers };
    return ask(server.url, path, { method, headers: about, ...(body !== undefined && { body: JSON.stringify(body) }) });
  };
}

/** Creates a store with data of every kind. Returns the ids that requests need. */
async function makeTemplate(path: string): Promise<World["ids"]> {
  const store = sqliteStore(path);
  const server = await createServer({ port: 0, studio: studio.path, store });
  const call = callerOf(server);
  const post = async <T = Fields>(to: string, body: unknown) => (await call("POST", to, body)).json() as T;
  await post("/sessions", { id: "s", context_limit: 2_000 });
  const words = "the parser reads the next token. ".repeat(10);
  await post("/sessions/s/messages", { messages: Array.from({ length: 8 }, (_, i) => text(`Step ${i}: ${words}`)) });
  await post("/sessions/s/prepare", {});
  const report = { text: "The quokka report is due on Monday." };
  const { memory } = await post<{ memory: { id: string } }>("/memories", report);
  await post("/memories", { text: "DB is PostgreSQL.", key: "db", value: "PostgreSQL" });
  const { items } = (await call("GET", "/journal")).json() as { items: readonly { id: string }[] };
  const forAda = { name: "x", user_id: "ada", projects: ["*"] };
  const { details } = await post<{ details: { id: string } }>("/tokens", forAda);
  await server.close();
  await store.close();
  return { memory: memory.id, journal: items.at(-1)?.id ?? "", token: details.id };
}

let worlds = 0;

async function world(): Promise<World> {
  worlds += 1;
  const path = join(folder, `${worlds}.db`);
  copyFileSync(join(folder, "template.db"), path);
  const store = sqliteStore(path);
  closing.push(() => store.close());
  return { store, call: callerOf(await serve(store)), ids: { ...template } };
}

/** Everything that the request may have changed, without generated ids and times. */
async function stateOf({ store, call }: World, headers: Record<string, string>): Promise<unknown> {
  const get = async (path: string) =>
    (await call("GET", path, undefined, headers)).json() as { items: readonly Fields[] };
  const memories = (await get("/memories?all=true")).items.map(
    ({ text: words, pinned, archived_at, valid_to, usage }) => ({
      words,
      pinned,
      isArchived: archived_at !== undefined,
      isOver: valid_to !== undefined,
      usage: { ...(usage as Fields), last_accessed_at: undefined },
    }),
  );
  const messages = (await store.messages.list({ userId: "local", sessionId: "s" })).map(({ parts }) => parts);
  const events = await store.server.events.read({ owner: "local", after: 0 });
  return {
    memories,
    messages: JSON.stringify(messages).length,
    sessions: (await store.documents.list("user:local", "session-options:")).length,
    journal: (await get("/journal?limit=200")).items.map(({ action }) => action),
    compactions: (await store.sessions.compactions({ userId: "local", sessionId: "s" })).length,
    revision: (await store.sessions.head({ userId: "local", sessionId: "s" })).revision,
    tokens: (await store.server.tokens.list()).map(({ revokedAt }) => revokedAt !== undefined),
    events: events.map(({ type }) => type).filter((type) => type !== "job:ended"),
  };
}

/** The content of a response without ids and times. */
function shapeOf({ status, body }: Answer): unknown {
  const plain = body
    .toString()
    .replaceAll(/"[^"]*(?:\d{4}-\d\d-\d\dT|[a-z]{3,4}_[0-9a-z]{6,}|[0-9a-f]{8}-)[^"]*"/g, '"…"');
  return { status, body: plain };
}

describe("a write whose server is killed after any of its commits, retried with its key,", () => {
  it.each(ROUTES.filter((_, at) => SOAK > 1 || at % 3 === 0))(
    "is carried out once: $name",
    async ({ method = "POST", path, body, ignore = [], headers = {}, before }) => {
      const keyed = { ...KEY, ...headers };
      const prepared = async () => {
        const made = await world();
        Object.assign(made.ids, await before?.(made.call, made.ids));
        return made;
      };
      const bodyOf = ({ ids }: World) => (typeof body === "function" ? body(ids) : body);
      const addressOf = ({ ids }: World) => (typeof path === "string" ? path : path(ids));
      const clean = await prepared();
      const expected = await clean.call(method, addressOf(clean), bodyOf(clean), keyed);
      expect(expected.status).toBeLessThan(300);
      const state = await stateOf(clean, headers);
      for (let writes = 1; writes < MAX_WRITES; writes += 1) {
        const here = await prepared();
        const dying = dyingStore(here.store, writes);
        const first = await callerOf(await serve(dying.store))(method, addressOf(here), bodyOf(here), keyed);
        if (!dying.isDead()) break;
        expect(first.status).toBeGreaterThanOrEqual(500);
        const retried = await here.call(method, addressOf(here), bodyOf(here), keyed);
        expect({ writes, status: retried.status }).toEqual({ writes, status: expected.status });
        if (!ignore.includes("body"))
          expect({ writes, ...Object(shapeOf(retried)) }).toEqual({ writes, ...Object(shapeOf(expected)) });
        expect({ writes, state: await stateOf(here, headers) }).toEqual({ writes, state });
        const again = await here.call(method, addressOf(here), bodyOf(here), keyed);
        expect(again.body.toString()).toBe(retried.body.toString());
        expect(again.headers["idempotent-replayed"]).toBe("true");
      }
    },
  );
});
