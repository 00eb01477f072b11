import { beforeAll, describe, expect, it } from "vitest";
import type { StoredToken } from "../../throughline/src/ports/server-store.ts";
import { makeToken } from "../src/middleware/check-token.ts";
import { apiServer, type Fields } from "./api-server.ts";
import { type Operation, operationsIn, readDocument } from "./operations.ts";

const server = apiServer({ isTokenRequired: true });

/** Words that occur only in Ada's messages: a response with one of them leaks her data. */
const SECRET = /quokka|marzipan/i;

async function token(about: Partial<Omit<StoredToken, "id" | "hash">>): Promise<string> {
  const { secret, token: kept } = makeToken({
    name: "test",
    userId: "ada",
    projects: [],
    scopes: ["read", "write"],
    createdAt: Date.now(),
    ...about,
  });
  await server.store.server.tokens.add(kept);
  return secret;
}

const bearer = (secret: string, more: Record<string, string> = {}) => ({ authorization: `Bearer ${secret}`, ...more });

/** An operation and its request. */
interface Asked extends Pick<Operation, "method" | "path" | "scope"> {
  readonly body: unknown;
}

const open = ["/healthz", "/readyz", "/openapi.json", "/docs", "/docs/swagger-ui.css"];
let operations: readonly Asked[] = [];
let ada = "";
let bob = "";
let ids: {
  readonly memory: string;
  readonly contradiction: string;
  readonly journal: string;
  readonly compaction: string;
};

/** Bodies without an example in the document. */
const bodies: Record<string, unknown> = {
  restoreCompaction: { compaction_id: "x" },
  tellSignal: { file_opened: "src/a.ts" },
  expandContext: { pointer: "quokka" },
  ingest: { session_id: "bobs", messages: [{ role: "user", text: "Hello." }] },
};

/** The path with Ada's ids. */
function adas({ path }: Asked): string {
  if (path.startsWith("/memories/")) return path.replace("{id}", ids.memory);
  if (path.startsWith("/contradictions/")) return path.replace("{id}", ids.contradiction);
  if (path.startsWith("/journal/")) return path.replace("{id}", ids.journal);
  return path.replace("{id}", "adas-session");
}

beforeAll(async () => {
  ada = await token({ projects: ["shop"] });
  bob = await token({ userId: "bob", projects: ["garden"] });
  operations = operationsIn(await readDocument(server)).map(({ id, method, path, scope, example }) => ({
    method,
    path,
    scope,
    body: bodies[id] ?? example,
  }));
  const headers = bearer(ada);
  const remember = (body: Fields) => server.post<{ memory: { id: string } }>("/memories", body, headers);
  const { memory } = await remember({
    text: "The quokka report is due on Monday.",
    key: "quokka_day",
    value: "Monday",
  });
  await remember({ text: "The quokka budget is 500 euros." });
  await remember({ text: "The quokka budget is 900 euros." });
  await remember({ text: "The shop sells marzipan.", scope: "project-shared" });
  await server.post("/sessions", { id: "adas-session" }, headers);
  const messages = [
    { role: "user", content: "Write about the quokka." },
    { role: "assistant", content: "Marzipan." },
  ];
  await server.post("/sessions/adas-session/messages", { messages }, headers);
  await server.post(
    "/memories/ingest",
    { session_id: "t", messages: [{ role: "user", text: "I keep a quokka." }] },
    headers,
  );
  await server.post("/consolidate", { dry_run: false }, headers);
  const { items: found } = await server.get<{ items: { id: string }[] }>("/contradictions", headers);
  interface Entry {
    readonly id: string;
    readonly changes: readonly { readonly id: string }[];
  }
  const { items: entries } = await server.get<{ items: readonly Entry[] }>("/journal?limit=200", headers);
  // Events about shared memories go to all users who share them.
  const journal = entries.filter(({ changes }) => changes.length === 1 && changes[0]?.id === memory.id);
  ids = { memory: memory.id, contradiction: found[0]?.id ?? "con_x", journal: journal[0]?.id ?? "", compaction: "x" };
});

describe("without a valid token", () => {
  it("only health and documentation are available", async () => {
    const revoked = await token({ revokedAt: 1 });
    const expired = await token({ expiresAt: 1 });
    const wrong = `${ada.slice(0, -1)}${ada.endsWith("A") ? "B" : "A"}`;
    for (const headers of [{}, bearer("tl_x"), bearer(wrong), bearer(revoked), bearer(expired)]) {
      for (const operation of operations) {
        const { status } = await server.call(operation.method, adas(operation), operation.body, headers);
        expect({ ...operation, status }).toEqual({ ...operation, status: 401 });
      }
      for (const path of ["/metrics", "/v1/models", "/v1beta/models", "/mcp"]) {
        expect({ path, status: (await server.call("GET", path, undefined, headers)).status }).toEqual({
          path,
          status: 401,
        });
      }
    }
    for (const path of open) expect((await server.call("GET", path)).status).toBe(200);
  });
});

describe("a token", () => {
  it("allows only its scopes", async () => {
    const scoped = { read: await token({ scopes: ["read"] }), write: await token({ scopes: ["write"] }) };
    for (const [scope, secret] of Object.entries(scoped)) {
      for (const operation of operations.filter((one) => one.scope !== scope)) {
        const { status } = await server.call(operation.method, adas(operation), operation.body, bearer(secret));
        expect({ ...operation, status }).toEqual({ ...operation, status: 403 });
      }
    }
  });

  it("gives access only to its own projects", async () => {
    const asBob = bearer(bob, { "x-throughline-project": "shop" });
    for (const operation of operations) {
      const answer = await server.call(operation.method, adas(operation), operation.body, asBob);
      expect(answer.json()).toMatchObject({ status: 403, code: "forbidden" });
    }
  });

  it("is not stored in plain text anywhere", async () => {
    const tokens = await server.store.server.tokens.list();
    expect(JSON.stringify(tokens)).not.toContain(ada.slice(-20));
    const admin = await token({ scopes: ["admin"] });
    expect(String((await server.call("GET", "/tokens", undefined, bearer(admin))).body)).not.toMatch(/hash|tl_/);
  });

  it("ends at once when it is revoked", async () => {
    const admin = await token({ scopes: ["admin"] });
    const made = await server.post<{ token: string; details: { id: string } }>(
      "/tokens",
      { name: "laptop", user_id: "eve" },
      bearer(admin),
    );
    expect((await server.call("GET", "/memories", undefined, bearer(made.token))).status).toBe(200);
    expect((await server.call("DELETE", `/tokens/${made.details.id}`, undefined, bearer(admin))).status).toBe(204);
    expect((await server.call("GET", "/memories", undefined, bearer(made.token))).status).toBe(401);
  });
});

describe("another user", () => {
  it.each(["bob's token", "bob's token in a project that both have"])(
    "sees and changes nothing of Ada's with %s",
    async (which) => {
      const isShared = which.includes("both");
      const both = await token({ userId: "bob", projects: ["shop"] });
      const headers = isShared ? bearer(both) : bearer(bob);
      const before = await server.get<Fields>("/memories/export", bearer(ada));
      for (const operation of operations) {
        if (operation.path.endsWith("/events") || operation.scope === "admin") continue;
        const answer = await server.call(operation.method, adas(operation), operation.body, headers);
        const text = String(answer.body);
        // Memories shared in the project are visible to both.
        const isPrivate = isShared ? /quokka/i : SECRET;
        const repeated = JSON.stringify(operation.body ?? "");
        expect({ operation, leaks: isPrivate.test(text.replace(repeated, "")) }).toEqual({ operation, leaks: false });
        if (operation.path.includes("{id}"))
          expect({ operation, status: answer.status }).toMatchObject({ status: 404 });
      }
      const after = await server.get<Fields>("/memories/export", bearer(ada));
      const own = ({ memories, turns, contradictions }: Fields) =>
        JSON.stringify({
          memories: (memories as Fields[]).filter(({ owner }) => owner === "ada"),
          turns,
          contradictions,
        });
      expect(own(after)).toBe(own(before));
      expect(await server.get<Fields>("/sessions/adas-session", bearer(ada))).toMatchObject({ appended: 2 });
    },
  );

  it("receives no events of Ada's", async () => {
    const stop = AbortSignal.timeout(1_500);
    const heard: string[] = [];
    const listening = fetch(`${server.url}/events`, {
      headers: bearer(bob, { "last-event-id": "0" }),
      signal: stop,
    }).then(async (answer) => {
      for await (const bytes of answer.body ?? []) heard.push(new TextDecoder().decode(bytes));
    });
    await server.post("/memories", { text: "The quokka eats leaves." }, bearer(ada));
    await server.post("/memories", { text: "The rake is blue." }, bearer(bob));
    await listening.catch(() => undefined);
    const events = heard.join("").match(/^event: .*$/gm) ?? [];
    expect(events.length).toBeGreaterThan(0);
    expect(heard.join("")).not.toContain("adas-session");
    expect(heard.join("")).not.toContain(ids.memory);
  });

  it("gets no response of Ada's by her Idempotency-Key", async () => {
    const key = { "idempotency-key": "shared" };
    await server.post("/memories", { text: "The quokka sleeps at noon." }, bearer(ada, key));
    const answer = await server.call("POST", "/memories", { text: "The hose is long." }, bearer(bob, key));
    expect(answer.status).toBe(201);
    expect(String(answer.body)).not.toMatch(SECRET);
  });
});

describe("a session of one project", () => {
  it("is not visible in another, even for the same user", async () => {
    const headers = bearer(ada, { "x-throughline-project": "shop" });
    await server.post("/sessions", { id: "of-the-shop" }, headers);
    const elsewhere = await token({ projects: ["garden"] });
    expect((await server.call("GET", "/sessions/of-the-shop", undefined, bearer(elsewhere))).status).toBe(404);
    expect((await server.call("GET", "/sessions/of-the-shop", undefined, headers)).status).toBe(200);
  });
});

describe("shared data", () => {
  it("is read by all, and changed only by administrators", async () => {
    const admin = await token({ userId: "root", scopes: ["read", "write", "admin"] });
    const rule = { text: "Support answers within one day.", scope: "system" };
    expect((await server.call("POST", "/memories", rule, bearer(ada))).json()).toMatchObject({ code: "forbidden" });
    const { memory } = await server.post<{ memory: { id: string } }>("/memories", rule, bearer(admin));
    expect(await server.get(`/memories/${memory.id}`, bearer(bob))).toMatchObject({ scope: "system" });
    const changes: readonly (readonly [string, string, unknown?])[] = [
      ["PATCH", `/memories/${memory.id}`, { text: "Support answers never." }],
      ["POST", `/memories/${memory.id}/pin`, { pinned: true }],
      ["POST", `/memories/${memory.id}/forget`],
      ["DELETE", `/memories/${memory.id}`],
    ];
    for (const [method, path, body] of changes) {
      const answer = await server.call(method, path, body, bearer(bob));
      expect({ method, path, status: answer.status }).toEqual({ method, path, status: 403 });
    }
    expect((await server.call("POST", "/consolidate", { dry_run: false }, bearer(bob))).status).toBe(200);
    expect(await server.get(`/memories/${memory.id}`, bearer(admin))).toMatchObject({ levels: { full: rule.text } });
  });
});

describe("CORS", () => {
  it("is off: a page of another site cannot read, nor send requests", async () => {
    const headers = bearer(ada, { origin: "https://evil.example" });
    const answer = await server.call("GET", "/memories", undefined, headers);
    expect(answer.status).toBe(403);
    const preflight = await server.call("OPTIONS", "/memories", undefined, {
      origin: "https://evil.example",
      "access-control-request-method": "POST",
    });
    expect(preflight.headers["access-control-allow-origin"]).toBeUndefined();
  });
});
