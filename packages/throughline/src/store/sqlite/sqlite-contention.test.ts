import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { commitAtOnce } from "../../../test/commit-at-once.ts";
import type { Message } from "../../message/message.ts";
import type { Store } from "../../ports/store.ts";
import { conversation, said } from "../../test/samples.ts";
import { sqliteStore } from "./sqlite-store.ts";

const key = { userId: "ann", sessionId: "s" };

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "throughline-contention-"));
  path = join(folder, "sessions.db");
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("several connections to one file", () => {
  it("open and migrate it at the same moment", async () => {
    const stores = Array.from({ length: 8 }, () => sqliteStore(path));
    const heads = await Promise.all(stores.map(({ sessions }) => sessions.head(key)));
    expect(heads.map(({ appended }) => appended)).toEqual(Array(8).fill(0));
    await Promise.all(stores.map((store) => store.close()));
  });

  it("lose nothing and keep each writer's order in one session", async () => {
    const stores = Array.from({ length: 4 }, () => sqliteStore(path));
    await Promise.all(
      stores.map(async (store, writer) => {
        for (let i = 0; i < 25; i++) await appendAtEnd(store, said(key, `${writer}-${i}`));
      }),
    );
    const found = await Promise.all(stores.map(({ messages }) => messages.list(key)));
    const ids = (found[0] ?? []).map(({ id }) => id);
    expect(ids).toHaveLength(100);
    for (const writer of [0, 1, 2, 3]) {
      const own = ids.filter((id) => id.startsWith(`${writer}-`));
      expect(own).toEqual(Array.from({ length: 25 }, (_, i) => `${writer}-${i}`));
    }
    expect(found.every((messages) => messages.length === 100)).toBe(true);
    await Promise.all(stores.map((store) => store.close()));
  });

  it("accept one commit per revision of a space, and lose nothing of retried ones", async () => {
    const stores = Array.from({ length: 8 }, () => sqliteStore(path));
    await commitAtOnce(stores.map(({ memories }) => memories));
    await Promise.all(stores.map((store) => store.close()));
  });

  it("have one lease between them", async () => {
    const stores = Array.from({ length: 4 }, () => sqliteStore(path));
    const results = await Promise.all(stores.map(({ sessions }, i) => sessions.lease(key, `${i}`, 60_000)));
    expect(results.filter(Boolean)).toHaveLength(1);
    await Promise.all(stores.map((store) => store.close()));
  });
});

describe("while another holds the lock", () => {
  it("reads go on, writes wait without blocking, and are done in order when it is free", async () => {
    const store = sqliteStore(path);
    await store.messages.append(key, 0, conversation(key, 1));
    const other = new DatabaseSync(path);
    other.exec("BEGIN IMMEDIATE");
    const writes = [1, 2, 3].map((at) => store.messages.append(key, at, conversation(key, 1, at)));
    expect(await store.messages.list(key)).toHaveLength(1);
    // A timer fires meanwhile: the process is not blocked.
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(await store.messages.list(key)).toHaveLength(1);
    other.exec("COMMIT");
    other.close();
    expect(await Promise.all(writes)).toEqual([true, true, true]);
    expect(await store.messages.list(key)).toEqual(conversation(key, 4));
    await store.close();
  });

  it("a write fails after its timeout, and has written nothing", async () => {
    const store = sqliteStore(path, { busyTimeout: 50 });
    await store.messages.append(key, 0, conversation(key, 1));
    const other = new DatabaseSync(path);
    other.exec("BEGIN IMMEDIATE");
    await expect(store.messages.append(key, 1, conversation(key, 1, 1))).rejects.toMatchObject({ problem: "busy" });
    other.exec("COMMIT");
    other.close();
    expect(await store.messages.list(key)).toHaveLength(1);
    expect(await store.messages.append(key, 1, conversation(key, 1, 1))).toBe(true);
    await store.close();
  });

  it("a waiting call fails with a closed error if the store is closed meanwhile", async () => {
    const store = sqliteStore(path);
    await store.messages.append(key, 0, conversation(key, 1));
    const other = new DatabaseSync(path);
    other.exec("BEGIN IMMEDIATE");
    const write = store.messages.append(key, 1, conversation(key, 1, 1));
    const refusal = expect(write).rejects.toMatchObject({ problem: "closed" });
    await store.sessions.head(key);
    await store.close();
    await refusal;
    other.close();
  });
});

async function appendAtEnd({ messages, sessions }: Store, message: Message): Promise<void> {
  while (!(await messages.append(key, (await sessions.head(key)).appended, [message])));
}
