import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createServer, makeToken } from "../src/server.ts";
import { apiServer, type Fields } from "./api-server.ts";
import { recordedHistory, recordedTranscript } from "./recorded-history.fixture.ts";
import { ask } from "./request.ts";

const history = recordedHistory();
history.write("small.jsonl", recordedTranscript({ id: "small", folder: "/home/ada/shop", files: 1 }));
history.write("large.jsonl", recordedTranscript({ id: "large", folder: "/home/ada/till", files: 4 }));
history.write(
  "short.jsonl",
  recordedTranscript({ id: "short", folder: "/home/ada/shop", files: 1, isCompacted: false }),
);
const pages = mkdtempSync(join(tmpdir(), "throughline-page-"));
const reportPage = join(pages, "report.html");
writeFileSync(reportPage, '<script id="report" type="application/json">"REPORT"</script>');
afterAll(() => {
  history.remove();
  rmSync(pages, { recursive: true, force: true });
});

const server = apiServer({ histories: history.source, reportPage });

interface Listed {
  readonly id: string;
  readonly title: string;
  readonly project: string;
  readonly compactions: number;
  readonly worst?: { readonly compaction: number; readonly lookups: number };
}

interface Page {
  readonly items: readonly Listed[];
  readonly next_cursor: string | null;
  readonly waiting: number;
  readonly agents: readonly string[];
  readonly projects: readonly string[];
}

/** Waits until all files have been read. */
async function list(query = ""): Promise<Page> {
  return expect
    .poll(() => server.get<Page>(`/inspect/sessions${query}`), { timeout: 30_000 })
    .toMatchObject({ waiting: 0 })
    .then(() => server.get<Page>(`/inspect/sessions${query}`));
}

async function idOf(query: string): Promise<string> {
  const { items } = await list(`?query=${query}`);
  return encodeURIComponent(items[0]?.id ?? "");
}

interface Sent {
  readonly items: readonly { readonly tokens: number; readonly text: string; readonly change?: string }[];
  readonly next_cursor: string | null;
  readonly tokens: number;
  readonly unrecorded: number;
  readonly reported: number;
  readonly total: number;
}

describe("the list of sessions", () => {
  it("has recorded sessions of all files, with filters, search and pages", async () => {
    const all = await list();
    expect(all.items.map(({ title }) => title.slice(0, 22)).toSorted()).toEqual([
      "Fix the totals of larg",
      "Fix the totals of shor",
      "Fix the totals of smal",
    ]);
    expect(all).toMatchObject({ agents: ["claude-code"], projects: ["/home/ada/shop", "/home/ada/till"] });
    expect((await list("?query=TILL")).items).toHaveLength(1);
    expect((await list("?project_path=/home/ada/shop&agent=claude-code")).items).toHaveLength(2);
    expect((await list("?agent=codex")).items).toHaveLength(0);
    const first = await list("?limit=2");
    const second = await list(`?limit=2&cursor=${first.next_cursor}`);
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(all.items.map(({ id }) => id));
    expect(second.next_cursor).toBeNull();
  });

  it("never shows paths of files, and finds the worst compaction", async () => {
    const all = await list("?sort=loss");
    expect(JSON.stringify(all)).not.toContain("throughline-history-");
    const { session } = await server.get<{ session: Listed }>("/inspect/worst");
    expect(session).toMatchObject({ project: "/home/ada/till", worst: { compaction: 0, lookups: 4 } });
    expect(all.items[0]?.id).toBe(session.id);
  });

  it("reads a file again when it has changed", async () => {
    history.write("grown.jsonl", recordedTranscript({ id: "grown", folder: "/g", files: 1, isCompacted: false }));
    expect((await list("?query=grown")).items[0]?.compactions).toBe(0);
    history.write("grown.jsonl", recordedTranscript({ id: "grown", folder: "/g", files: 1 }));
    expect((await list("?query=grown")).items[0]?.compactions).toBe(1);
  });

  it("has sessions of the store", async () => {
    await server.post("/sessions", { id: "own", context_limit: 32_000 });
    await server.post("/sessions/own/messages", { messages: [{ role: "user", content: "Paint the bicycle green." }] });
    expect((await list("?query=bicycle")).items[0]).toMatchObject({
      id: "throughline:own",
      agent: "throughline",
      limit: 32_000,
    });
  });
});

describe("a recorded session", () => {
  it("has a report with the lost names and rules, without secrets", async () => {
    const report = await server.get<Fields>(`/inspect/sessions/${await idOf("large")}`);
    expect(report).toMatchObject({
      compactions: [{ call: 5, tokens_after: 9_000, lookups: { length: 4 } }],
      rules: [{ text: "Never push to main without asking me.", missing_from: 5 }],
    });
    expect(JSON.stringify(report)).not.toContain("a1B2c3D4a1B2");
  });

  it("shows the window of a call, page by page, with sums that add up", async () => {
    const path = `/inspect/sessions/${await idOf("large")}/window?call=4`;
    const items: Sent["items"][number][] = [];
    let cursor: string | null = "";
    let window: Sent | undefined;
    while (cursor !== null) {
      window = await server.get<Sent>(`${path}&limit=2${cursor && `&cursor=${cursor}`}`);
      items.push(...window.items);
      cursor = window.next_cursor;
    }
    expect(items).toHaveLength(window?.total ?? 0);
    expect(items.reduce((sum, { tokens }) => sum + tokens, 0) + (window?.unrecorded ?? 0)).toBe(window?.tokens);
    expect(window?.reported).toBe(20_000 + 4 * 2_600);
    expect(items[0]?.text).toContain("Fix the totals of large.");
  });

  it("shows the difference between two windows, with sums that add up", async () => {
    const found = await server.get<{
      readonly items: Sent["items"];
      readonly tokens: { readonly from: number; readonly to: number };
      readonly unrecorded: { readonly from: number; readonly to: number };
      readonly kept: number;
      readonly removed: number;
      readonly added: number;
      readonly resized: number;
    }>(`/inspect/sessions/${await idOf("large")}/diff?from=4&to=6&limit=200`);
    const { tokens, unrecorded, kept, removed, added, resized } = found;
    expect(kept + removed + unrecorded.from).toBe(tokens.from);
    expect(kept + resized + added + unrecorded.to).toBe(tokens.to);
    expect(new Set(found.items.map(({ change }) => change))).toEqual(new Set(["removed", "added"]));
  });

  it("has a handover note that keeps the rule, payloads of providers, and a page to share", async () => {
    const id = await idOf("large");
    const note = await server.get<{ text: string; tokens: number }>(`/inspect/sessions/${id}/note?messages=10`);
    expect(note.text).toContain("Never push to main without asking me.");
    expect(note.tokens).toBeGreaterThan(50);
    for (const provider of ["openai", "anthropic", "gemini"]) {
      const path = `/inspect/sessions/${id}/payload?call=2&provider=${provider}`;
      const { messages } = await server.get<{ messages: readonly Fields[] }>(path);
      expect(messages.length).toBeGreaterThan(3);
    }
    const { headers, body } = await server.call("GET", `/inspect/sessions/${id}/html`);
    expect(headers["content-disposition"]).toContain("attachment");
    expect(body.toString()).toContain("sumOfOrder3");
    expect(body.toString()).not.toMatch(/<b>bold|a1B2c3D4a1B2/);
  });
});

describe("recorded histories", () => {
  it("are not visible to callers without all permissions", async () => {
    const about = { name: "t", userId: "local", projects: ["*"], scopes: ["read", "write"] as const };
    const { secret, token } = makeToken({ ...about, createdAt: Date.now() });
    await server.store.server.tokens.add(token);
    const id = await idOf("large");
    const headers = { authorization: `Bearer ${secret}` };
    const { items } = await server.get<Page>("/inspect/sessions", headers);
    expect(items.filter(({ id: one }) => one.startsWith("claude-code"))).toEqual([]);
    expect((await server.call("GET", `/inspect/sessions/${id}`, undefined, headers)).status).toBe(404);
  });

  it("are not read by a server that other machines can reach", async () => {
    const { sqliteStore } = await import("../../throughline/src/store/sqlite/sqlite.ts");
    const store = sqliteStore(":memory:");
    const about = { name: "t", userId: "local", projects: ["*"], scopes: ["read", "write", "admin"] as const };
    const { secret, token } = makeToken({ ...about, createdAt: Date.now() });
    await store.server.tokens.add(token);
    const open = await createServer({ host: "0.0.0.0", port: 0, store, histories: history.source });
    try {
      const headers = { authorization: `Bearer ${secret}` };
      const { status, body } = await ask(`http://127.0.0.1:${open.port}`, "/inspect/sessions", { headers });
      expect(status).toBe(200);
      expect(JSON.parse(body.toString())).toMatchObject({ items: [], total: 0 });
    } finally {
      await open.close();
      await store.close();
    }
  });
});
