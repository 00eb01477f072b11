import { describe, expect, it } from "vitest";
import { createClient } from "../src/client/create-client.ts";
import { makeToken } from "../src/middleware/check-token.ts";
import { apiServer } from "./api-server.ts";

const server = apiServer();
const SHOP = { "x-throughline-project": "shop" };
const GARDEN = { "x-throughline-project": "garden" };

interface Page {
  readonly total: number;
  readonly items: readonly { readonly memory: { readonly id: string; readonly levels: { readonly full: string } } }[];
}

const texts = async (path: string): Promise<readonly string[]> => {
  const { items } = await server.get<Page>(path);
  return items.map(({ memory }) => memory.levels.full);
};

// Split, so that no scanner takes this for a real key.
const KEY = ["ghp", "k7Jd93mQpZx81LsVb20RtYwNc64HgFaEu5Xo"].join("_");

describe("browsing memories", () => {
  it("shows the memories of all projects with the project *, and filters by project", async () => {
    await server.post("/memories", { text: "The till is green" }, SHOP);
    await server.post("/memories", { text: "The roses are red" }, GARDEN);
    await server.post("/memories", { text: "Ada speaks Greek" });
    expect(await texts("/memories/browse")).toEqual(["Ada speaks Greek"]);
    expect((await texts("/memories/browse?project=*")).toSorted()).toEqual([
      "Ada speaks Greek",
      "The roses are red",
      "The till is green",
    ]);
    expect(await texts("/memories/browse?project=*&project_id=shop")).toEqual(["The till is green"]);
    expect(await texts("/memories/browse?project=*&project_id=")).toEqual(["Ada speaks Greek"]);
    expect((await texts("/memories/browse?project=*&query=roses"))[0]).toBe("The roses are red");
    const facets = await server.get("/memories/facets?project=*");
    expect(facets).toMatchObject({ kinds: { fact: 3 }, statuses: { current: 3 }, to_review: 0 });
  });

  it("changes a memory of any project with the project *", async () => {
    const { items } = await server.get<Page>("/memories/browse?project=*&project_id=garden");
    const id = items[0]?.memory.id ?? "";
    expect((await server.call("PATCH", `/memories/${id}`, { reviewed: true })).status).toBe(404);
    const changed = await server.call("PATCH", `/memories/${id}?project=*`, { reviewed: true });
    expect(changed.json()).toMatchObject({ project_id: "garden", reviewed_at: expect.any(String) });
  });

  it("lists new memories for review until they are accepted or rejected", async () => {
    const messages = [{ id: "m", role: "user", text: "We always deploy on Fridays." }];
    await server.post("/memories/ingest", { session_id: "talk", messages });
    const { items } = await server.get<Page>("/memories/browse?review=new&status=current");
    const id = items[0]?.memory.id ?? "";
    const evidence = await server.get(`/memories/${id}/evidence`);
    expect(evidence).toMatchObject({ items: [{ session_id: "talk", is_verbatim: true, message: { role: "user" } }] });
    await server.call("PATCH", `/memories/${id}`, { reviewed: true, archived: true });
    expect(await texts("/memories/browse?review=new&status=current")).toEqual([]);
    expect(await texts("/memories/browse?status=archived")).toHaveLength(1);
  });

  it("shows the edited text in the history", async () => {
    const made = await server.post<{ memory: { id: string } }>("/memories", { text: "The door is blue" });
    const { id } = made.memory;
    await server.call("PATCH", `/memories/${id}`, { text: "The door is dark blue" });
    const { versions } = await server.get<{ versions: { text: string }[] }>(`/memories/${id}/history`);
    expect(versions.map(({ text }) => text)).toEqual(["The door is dark blue", "The door is blue"]);
  });

  it("previews a consolidation with its changes", async () => {
    await server.post("/memories", { text: "The house is at 5 Elm Street", key: "house" });
    const preview = await server.post("/consolidate", { dry_run: true });
    expect(preview).toMatchObject({ changes: expect.any(Array) });
  });

  it("previews a context with texts, and counts no use", async () => {
    await server.post("/memories", { text: "The bakery opens at seven" });
    const body = { message: "When does the bakery open?" };
    const { receipt } = await server.post<{ receipt: { items: { id: string; text?: string }[] } }>(
      "/context/assemble?preview=true",
      body,
    );
    const item = receipt.items.find(({ text }) => text?.includes("bakery"));
    const memory = await server.get<{ usage: object }>(`/memories/${item?.id}`);
    expect(memory.usage).toMatchObject({ retrieved: 0 });
  });

  it("masks secrets in an audit of the store and of a file", async () => {
    await server.post("/memories", { text: `The token of the bot is ${KEY}`, keep_secrets: true });
    const own = await server.call("GET", "/memories/audit?kind=secret");
    expect(own.json()).toMatchObject({ counts: { secret: 1 }, total: 1, items: [{ kind: "secret" }] });
    const client = createClient({ url: server.url });
    const file = await client.memories.auditStore({ data: `- Use tabs\n- Use tabs\n- The token of CI is ${KEY}\n` });
    expect(file).toMatchObject({
      format: "markdown",
      checked: 3,
      counts: { secret: 1, duplicate: 1 },
      has_usage: false,
    });
    expect(`${own.body}${JSON.stringify(file)}`).not.toContain(KEY);
  });
});

describe("an audit that is not waited for", () => {
  it("answers at once, and later with all findings", async () => {
    const first = await server.call("GET", "/memories/audit?wait=false&kind=secret");
    expect(first.status).toBe(200);
    await server.call("GET", "/memories/audit");
    const done = await server.call("GET", "/memories/audit?wait=false&kind=secret");
    expect(done.json()).toMatchObject({ progress: 1, total: 1, items: [{ kind: "secret", count: 1 }] });
  });
});

describe("a token for one project", () => {
  it("cannot select all projects", async () => {
    const about = { name: "shop", userId: "ada", projects: ["shop"], createdAt: 1 };
    const { secret, token } = makeToken({ ...about, scopes: ["read"] });
    await server.store.server.tokens.add(token);
    const headers = { authorization: `Bearer ${secret}` };
    expect((await server.call("GET", "/memories/browse?project=*", undefined, headers)).status).toBe(403);
    expect((await server.call("GET", "/memories/browse", undefined, headers)).status).toBe(200);
  });
});
