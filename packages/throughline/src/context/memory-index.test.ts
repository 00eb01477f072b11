import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { factOf } from "../memory/facts/memory.arbitrary.ts";
import { MemoryIndex } from "./memory-index.ts";
import { type MemoryIndexEntry, readEntry } from "./memory-index-entry.ts";

function entryOf(text: string, at: number): MemoryIndexEntry {
  return readEntry(factOf(text, { id: `m${at}`, validFrom: at, category: "project" }), "space");
}

function memoryIndexOf(...texts: string[]): MemoryIndex {
  const memoryIndex = new MemoryIndex();
  texts.forEach((text, at) => {
    memoryIndex.put(entryOf(text, at));
  });
  return memoryIndex;
}

/** All results of a memory index for the properties of some entries. */
function answersOf(memoryIndex: MemoryIndex, entries: readonly MemoryIndexEntry[]): unknown {
  const words = [...new Set(entries.flatMap((entry) => [...entry.words]))];
  return {
    size: memoryIndex.size,
    topics: memoryIndex.topics(),
    files: ["src/a/x.ts", "x.ts", "src/b/x.ts"].map((path) => ids(memoryIndex.naming(path))),
    folders: ["src/a", "src/b"].map((folder) => ids(memoryIndex.within(folder))),
    roles: entries.flatMap(({ roles }) =>
      roles.map((role) => [role, ids(memoryIndex.ofRole(role)), ids(memoryIndex.newest(role))]),
    ),
    words: words.map((word) => [
      memoryIndex.countOf(word),
      ids(memoryIndex.withWord(word)),
      memoryIndex.hasWord(word, "m0"),
    ]),
  };
}

const ids = (entries: Iterable<{ readonly id: string }>) => [...entries].map(({ id }) => id).sort();

describe("MemoryIndex", () => {
  it("finds the memories that name a file in any spelling", () => {
    const memoryIndex = memoryIndexOf(
      "The token is read in src/auth/login.ts.",
      "The token is read in /home/ada/shop/src/auth/login.ts:31.",
      "The token is read in login.ts.",
      "The token is read in src/admin/login.ts.",
      "The token is read in auth/login.ts.",
    );
    expect(ids(memoryIndex.naming("src/auth/login.ts"))).toEqual(["m0", "m1", "m2", "m4"]);
    expect(ids(memoryIndex.naming("login.ts"))).toEqual(["m0", "m1", "m2", "m3", "m4"]);
    expect(ids(memoryIndex.within("src/auth"))).toEqual(["m0"]);
    memoryIndex.remove("m0");
    expect(ids(memoryIndex.naming("src/auth/login.ts"))).toEqual(["m1", "m2", "m4"]);
  });

  it("names topics by the key of a fact, the part of the project, or the first specific word", () => {
    const topic = (text: string, rest = {}) => readEntry(factOf(text, { category: "project", ...rest }), "space").topic;
    expect(topic("Project uses PostgreSQL", { key: "db", value: "PostgreSQL" })).toBe("db");
    expect(topic("Rounding happens in src/money/round.ts")).toBe("money");
    expect(topic("Never deploy on Fridays")).toBe("deploy");
    expect(topic("User lives in Rome", { category: "identity" })).toBe("");
  });

  it("returns nothing of removed memories", () => {
    const texts = [
      "src/a/x.ts fails: TypeError",
      "We decided on src/a/y.ts",
      "Never edit src/b/x.ts",
      "I prefer x.ts short",
    ];
    const entries = texts.map((text, at) => entryOf(text, at));
    const anyStep = fc.record({ entry: fc.constantFrom(...entries), isAdded: fc.boolean(), isLooked: fc.boolean() });
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 20 }), (steps) => {
        const memoryIndex = new MemoryIndex();
        const left = new Map<string, MemoryIndexEntry>();
        for (const { entry, isAdded, isLooked } of steps) {
          if (isAdded) memoryIndex.put(entry);
          else memoryIndex.remove(entry.id);
          left.delete(entry.id);
          if (isAdded) left.set(entry.id, entry);
          if (isLooked) answersOf(memoryIndex, entries);
        }
        const fresh = new MemoryIndex();
        for (const entry of left.values()) fresh.put(entry);
        expect(answersOf(memoryIndex, entries)).toEqual(answersOf(fresh, entries));
      }),
    );
  });

  it("handles `__proto__` and similar names as words", () => {
    const memoryIndex = memoryIndexOf("__proto__ fails with a constructor error in src/__proto__/constructor.ts");
    expect(ids(memoryIndex.naming("src/__proto__/constructor.ts"))).toEqual(["m0"]);
    expect(ids(memoryIndex.within("src/__proto__"))).toEqual(["m0"]);
    expect(memoryIndex.topic("__proto__").count).toBe(1);
  });
});
