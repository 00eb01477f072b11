import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../test/cases.ts";
import type { DocumentStore } from "../../ports/store.ts";
import { inProcessStore } from "../in-process.ts";
import { sqliteStore } from "../sqlite/sqlite-store.ts";

type Call = (documentStore: DocumentStore) => Promise<unknown>;

// Few signs, so that names and prefixes meet: those that are kept in another form, and those that look like that form.
const name = fc.array(fc.constantFrom("a", "\0", "\\", "u", "0", "\ud83d", "\ude00", "\ud7ff", "\uffff"), {
  maxLength: 5,
});
const text = name.map((signs) => signs.join(""));
const space = fc.constantFrom("user:ann", "user:bob");
const value = fc.jsonValue().map((plain): unknown => JSON.parse(JSON.stringify(plain)));

const call: fc.Arbitrary<Call> = fc.oneof(
  {
    weight: 5,
    // On the revision that there is, or on another one.
    arbitrary: fc.record({ space, text, value, stale: fc.option(fc.nat({ max: 3 })) }).map(
      (one): Call =>
        async (documentStore) => {
          const revision = one.stale ?? (await documentStore.get(one.space, one.text))?.revision ?? 0;
          return documentStore.put(one.space, one.text, { revision, value: one.value });
        },
    ),
  },
  fc.tuple(space, text).map(
    (args): Call =>
      (documentStore) =>
        documentStore.get(...args),
  ),
  fc.tuple(space, text).map(
    (args): Call =>
      (documentStore) =>
        documentStore.list(...args),
  ),
  fc.tuple(space, text).map(
    (args): Call =>
      (documentStore) =>
        documentStore.delete(...args),
  ),
  fc.tuple(space, text).map(
    ([at, prefix]): Call =>
      (documentStore) =>
        documentStore.delete(at, { prefix }),
  ),
);

describe("documents in SQLite", () => {
  it("behave like those in the process, for any calls in any order", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 5, maxLength: 40 }), async (calls) => {
        const [sqlite, inProcess] = [sqliteStore(":memory:"), inProcessStore()];
        for (const ask of calls) expect(await ask(sqlite.documents)).toEqual(await ask(inProcess.documents));
        for (const at of ["user:ann", "user:bob"]) {
          expect(await contentsOf(sqlite.documents, at)).toEqual(await contentsOf(inProcess.documents, at));
        }
        await sqlite.close();
      }),
      { numRuns: cases(60) },
    );
  });

  it("leave nothing in the file when they are erased", async () => {
    const folder = mkdtempSync(join(tmpdir(), "throughline-documents-"));
    const traces = (word: string) =>
      readdirSync(folder).reduce(
        (sum, file) => sum + readFileSync(join(folder, file), "latin1").split(word).length - 1,
        0,
      );
    const store = sqliteStore(join(folder, "t.db"));
    for (const [revision, length] of [300, 5_000, 1].entries()) {
      await store.documents.put("user:ann", "secret/a", { revision, value: "hidden ".repeat(length) });
      await store.documents.put("user:ann", "b", { revision, value: "hidden ".repeat(length) });
      await store.documents.put("user:ann", "c", { revision, value: "public ".repeat(length) });
    }
    expect(traces("hidden")).toBeGreaterThan(0);
    await store.documents.delete("user:ann", "b");
    await store.documents.delete("user:ann", { prefix: "secret/" });
    expect([traces("hidden"), traces("secret"), traces("public") > 0]).toEqual([0, 0, true]);
    await store.close();
    rmSync(folder, { recursive: true });
  });
});

async function contentsOf(documentStore: DocumentStore, at: string): Promise<unknown> {
  const names = await documentStore.list(at);
  return Promise.all(names.map(async (one) => [one, await documentStore.get(at, one)]));
}
