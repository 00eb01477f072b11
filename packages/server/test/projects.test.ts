import { beforeAll, describe, expect, it } from "vitest";
import { makeToken } from "../src/middleware/check-token.ts";
import { apiServer, type Fields } from "./api-server.ts";

const server = apiServer({ isTokenRequired: true });
const HIDDEN = /hidden|garden/;

let shop: Record<string, string>;
let garden: Record<string, string>;

async function tokenFor(project: string): Promise<Record<string, string>> {
  const about = { name: project, userId: "ada", projects: [project], createdAt: 1 };
  const { secret, token } = makeToken({ ...about, scopes: ["read", "write"] });
  await server.store.server.tokens.add(token);
  return { authorization: `Bearer ${secret}` };
}

const say = (words: string) => ({ messages: [{ role: "user", content: words }] });

beforeAll(async () => {
  shop = await tokenFor("shop");
  garden = await tokenFor("garden");
  for (const id of ["aaa-hidden-0", "bbb-hidden-1", "yyy-hidden-2"]) {
    await server.post("/sessions", { id, remember: true }, garden);
    await server.post(`/sessions/${id}/messages`, say("The roses are red."), garden);
  }
  for (const id of ["ccc", "ddd", "eee", "zzz"]) {
    await server.post("/sessions", { id }, shop);
    await server.post(`/sessions/${id}/messages`, say("The till is open."), shop);
  }
});

describe("a token for one project", () => {
  it("finds no id of another project in session lists or cursors", async () => {
    const seen: unknown[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const path: string = `/sessions?limit=1${cursor === "" ? "" : `&cursor=${cursor}`}`;
      const page: { items: Fields[]; next_cursor: string | null } = await server.get(path, shop);
      expect(Buffer.from(page.next_cursor ?? "", "base64url").toString()).not.toMatch(HIDDEN);
      expect(page.items).toHaveLength(1);
      seen.push(page.items[0]?.session_id);
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(["ccc", "ddd", "eee", "zzz"]);
  });

  it("cannot distinguish an id of another project from a free one", async () => {
    const answers = await Promise.all(
      ["bbb-hidden-1", "never-used-one"].map(async (id) => {
        const before = await server.call("GET", `/sessions/${id}`, undefined, shop);
        const created = await server.call("POST", "/sessions", { id }, shop);
        const appended = await server.call("POST", `/sessions/${id}/messages`, say("Ours."), shop);
        const got = await server.call("GET", `/sessions/${id}`, undefined, shop);
        const history = await server.call("GET", `/sessions/${id}/messages`, undefined, shop);
        const again = await server.call("POST", "/sessions", { id }, shop);
        const texts = [before, created, appended, got, again].map((one) => `${one.status} ${one.body}`);
        const words = (history.json() as { items: Fields[] }).items.length;
        return [...texts, words].join("\n").replaceAll(id, "ID");
      }),
    );
    expect(answers[0]).toBe(answers[1]);
    const theirs = await server.get<{ items: Fields[] }>("/sessions/bbb-hidden-1/messages", garden);
    expect(JSON.stringify(theirs)).toContain("roses");
    expect(JSON.stringify(theirs)).not.toContain("Ours.");
    const { items } = await server.get<{ items: Fields[] }>("/sessions", shop);
    expect(items.map(({ session_id: id }) => id).toSorted()).toEqual(
      ["bbb-hidden-1", "ccc", "ddd", "eee", "never-used-one", "zzz"].toSorted(),
    );
    expect((await server.call("DELETE", "/sessions/bbb-hidden-1", undefined, shop)).status).toBe(204);
    expect((await server.call("GET", "/sessions/bbb-hidden-1", undefined, shop)).status).toBe(404);
    expect((await server.call("GET", "/sessions/bbb-hidden-1", undefined, garden)).status).toBe(200);
  });

  it("keeps its session after another project purges its own session with the same id", async () => {
    for (const headers of [garden, shop]) await server.post("/sessions", { id: "shared" }, headers);
    await server.post("/sessions/shared/messages", say("Ours."), shop);
    expect((await server.call("DELETE", "/sessions/shared", undefined, garden)).status).toBe(204);
    const statuses = async () => {
      const got = await server.call("GET", "/sessions/shared", undefined, shop);
      const appended = await server.call("POST", "/sessions/shared/messages", say("More."), shop);
      const created = await server.call("POST", "/sessions", { id: "shared" }, shop);
      return [got.status, appended.status, created.status];
    };
    expect(await statuses()).toEqual([200, 200, 409]);
    // A session outside all projects is seen from each of them, but does not hide the project's own.
    await server.store.documents.put("user:ada", "session-options:shared", { revision: 0, value: {} });
    expect(await statuses()).toEqual([200, 200, 409]);
    const { items } = await server.get<{ items: Fields[] }>("/sessions/shared/messages", shop);
    expect(items).toHaveLength(3);
    expect((await server.call("DELETE", "/sessions/shared", undefined, shop)).status).toBe(204);
    expect(JSON.stringify(await server.store.documents.list("user:ada", "session-options:"))).not.toContain("shop");
    await server.store.documents.delete("user:ada", "session-options:shared");
  });

  it("sees only jobs of its project, in the list and in the counts", async () => {
    interface Jobs {
      readonly items: readonly { readonly project_id?: string }[];
      readonly counts: Record<string, number>;
    }
    const { items, counts } = await server.get<Jobs>("/jobs?limit=200", shop);
    expect(items.length).toBeGreaterThan(0);
    expect(JSON.stringify(items)).not.toMatch(HIDDEN);
    expect(Object.values(counts).reduce((a, b) => a + b)).toBe(items.length);
    const theirs = await server.get<Jobs>("/jobs?limit=200", garden);
    expect(theirs.items.some(({ project_id: id }) => id === "garden")).toBe(true);
  });
});

describe("projects of a user", () => {
  const open = apiServer();
  const inShop = { "x-throughline-project": "shop" };
  const EXPORTED = "- Prefers short answers\n- Lives in Lisbon";

  it("are listed with their counts, and those of other tokens are not", async () => {
    await open.post("/memories", { text: "The till opens at nine." }, inShop);
    await open.post("/memories", { text: "I prefer tabs.", category: "preference" }, inShop);
    const { items, personal } = await open.get<{ items: Fields[]; personal: Fields }>("/projects");
    expect(items).toMatchObject([{ id: "shop", memories: 1, sessions: 0 }]);
    expect(personal).toMatchObject({ memories: 1 });
    await server.post("/memories", { text: "Roses need water." }, garden);
    expect(JSON.stringify(await server.get("/projects", shop))).not.toMatch(HIDDEN);
  });

  it("are exported one by one or all together", async () => {
    const texts = async (path: string, headers = {}) => JSON.stringify(await open.get(path, headers));
    expect(await texts("/memories/export")).not.toContain("The till opens at nine.");
    expect(await texts("/memories/export", inShop)).toContain("The till opens at nine.");
    expect(await texts("/memories/export?all_projects=true")).toContain("The till opens at nine.");
    const { status } = await server.call("GET", "/memories/export?all_projects=true", undefined, shop);
    expect(status).toBe(403);
  });

  it("are as before after an import is undone", async () => {
    const before = await open.get<{ memories: Fields[] }>("/memories/export?all_projects=true");
    const { import_id: id } = await open.post<Fields>("/memories/import", { data: EXPORTED }, inShop);
    expect(await open.get("/imports")).toMatchObject({ items: [{ id, sources: ["HTTP API"] }] });
    expect(await open.post(`/imports/${id}/undo`, { dry_run: true })).toMatchObject({ memories: 2, was_undone: false });
    expect(await open.post(`/imports/${id}/undo`, {})).toMatchObject({ memories: 2, restored: 0, kept_memories: [] });
    const after = await open.get<{ memories: Fields[] }>("/memories/export?all_projects=true");
    expect(after.memories).toEqual(before.memories);
    expect(await open.post(`/imports/${id}/undo`, {})).toMatchObject({ was_undone: true });
    expect((await open.call("POST", "/imports/imp_none/undo", {})).status).toBe(404);
    const foreign = await server.post<Fields>("/memories/import", { data: EXPORTED }, shop);
    expect((await server.call("POST", `/imports/${foreign.import_id}/undo`, {}, shop)).status).toBe(403);
    expect((await server.call("GET", "/imports", undefined, shop)).status).toBe(403);
  });

  it("are listed, exported and undone if all of their memories are shared", async () => {
    const inDepot = { "x-throughline-project": "depot" };
    const rule = { text: "The depot closes at six.", scope: "project-shared" };
    const { memory } = await open.post<{ memory: Fields }>("/memories", rule, inDepot);
    const data = await open.get("/memories/export", inDepot);
    expect((await open.call("DELETE", `/memories/${memory.id}`, undefined, inDepot)).status).toBe(200);
    const { import_id: id } = await open.post<Fields>("/memories/import", { data }, inDepot);
    expect(JSON.stringify(await open.get("/projects"))).toContain("depot");
    expect(JSON.stringify(await open.get("/memories/export?all_projects=true"))).toContain("The depot closes at six.");
    expect(await open.post(`/imports/${id}/undo`, {})).toMatchObject({ memories: 1 });
    expect(JSON.stringify(await open.get("/memories/export", inDepot))).not.toContain("The depot closes at six.");
  });
});
