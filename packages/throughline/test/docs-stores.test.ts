import { randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import type { Store } from "../src/ports/store.ts";
import { inProcessStore } from "../src/store/in-process.ts";
import { conversation } from "../src/test/samples.ts";
import { storeChecks } from "../src/test/store-checks.ts";
import { packageFolder } from "./built.ts";

const root = path.join(packageFolder, "..", "..");
const example = path.join(root, "examples", "file-store");
const page = readFileSync(path.join(root, "docs", "stores.md"), "utf8");
const folder = mkdtempSync(path.join(tmpdir(), "throughline-file-store-"));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const load = (file: string) => import(pathToFileURL(path.join(example, file)).href);
const { fileStore } = (await load("file-store.ts")) as { fileStore: (file: string) => Store };
const { countAppends } = (await load("count-appends.ts")) as {
  countAppends: (store: Store, counter: { messages: number }) => Store;
};

describe("docs/stores.md", () => {
  it("shows every file of the example as it is", () => {
    const blocks = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code);
    for (const file of readdirSync(example)) expect(blocks).toContain(readFileSync(path.join(example, file), "utf8"));
  });

  it("names the methods of each part, of which there are at most eight", () => {
    const { close: _, notifications: __, ...parts } = inProcessStore();
    const sections = page.split("\n### `").slice(1);
    const named = sections.map((section) => {
      const methods = [...section.matchAll(/^\| `(\w+)\(/gm)].map(([, method]) => method);
      return [section.split("`")[0], methods.sort()];
    });
    const expected = Object.entries(parts).map(([part, methods]) => [part, Object.keys(methods).sort()]);
    expect(Object.fromEntries(named)).toEqual(Object.fromEntries(expected));
    expect(expected.filter(([, methods]) => (methods?.length ?? 0) > 8)).toEqual([]);
  });
});

describe("the store of docs/stores.md", () => {
  for (const { name, run } of storeChecks(async () => fileStore(path.join(folder, randomUUID())))) it(name, run);

  it("can be wrapped", async () => {
    const counter = { messages: 0 };
    const key = { userId: "ann", sessionId: "s" };
    const store = countAppends(fileStore(path.join(folder, "wrapped")), counter);
    expect(await store.messages.append(key, 0, conversation(key, 3))).toBe(true);
    expect(await store.messages.append(key, 0, conversation(key, 3, 3))).toBe(false);
    expect([counter.messages, (await store.messages.list(key)).length]).toEqual([3, 3]);
    await store.close();
  });

  it("has everything after it was opened again", async () => {
    const file = path.join(folder, "again");
    const first = fileStore(file);
    await first.documents.put("user:ann", "d", { revision: 0, value: { a: [1, "b"] } });
    await first.blobs.put("user:ann", { epoch: 0, blobs: [{ name: "b", bytes: Uint8Array.of(1, 2) }] });
    await first.close();
    const again = fileStore(file);
    expect(await again.documents.get("user:ann", "d")).toEqual({ revision: 1, value: { a: [1, "b"] } });
    expect((await again.blobs.get("user:ann", ["b"])).map(({ bytes }) => [...bytes])).toEqual([[1, 2]]);
    await again.close();
  });
});
