import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sqliteStore } from "../../throughline/src/store/sqlite/sqlite.ts";
import { createServer } from "../src/server.ts";
import { ask } from "./request.ts";
import { studioFolder } from "./studio-folder.ts";

const studio = studioFolder();

describe("a token created with an Idempotency-Key", () => {
  it("has its secret in no file of the store, and a retry says that it is gone", async () => {
    const folder = mkdtempSync(join(tmpdir(), "throughline-secret-"));
    const store = sqliteStore(join(folder, "s.db"));
    const server = await createServer({ port: 0, studio: studio.path, store });
    const body = JSON.stringify({ name: "laptop", user_id: "ada", projects: ["*"] });
    const headers = { "content-type": "application/json", "idempotency-key": "k" };
    const create = () => ask(server.url, "/tokens", { method: "POST", headers, body });
    const first = await create();
    const { token, details } = first.json() as { token: string; details: { id: string } };
    expect(first.status).toBe(201);
    const withToken = { headers: { authorization: `Bearer ${token}` } };
    expect((await ask(server.url, "/memories", withToken)).status).toBe(200);
    const bytes = readdirSync(folder).map((name) => readFileSync(join(folder, name)).toString("latin1"));
    expect(bytes.join("")).toContain(details.id);
    expect(bytes.join("")).not.toContain("tl_");
    const again = await create();
    expect(again.status).toBe(409);
    expect(again.json()).toMatchObject({ code: "idempotency-conflict" });
    expect(again.body.toString()).toContain(details.id);
    expect(await store.server.tokens.list()).toHaveLength(1);
    await server.close();
    await store.close();
    rmSync(folder, { recursive: true });
  });
});
