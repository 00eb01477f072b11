import { describe, expect, it } from "vitest";
import { Lru } from "./lru.ts";

describe("Lru", () => {
  it("drops the entry that was not used for longest", () => {
    const lru = new Lru<string, number>({ maxSize: 2 });
    lru.set("a", 1);
    lru.set("b", 2);
    expect(lru.get("a")).toBe(1);
    lru.set("c", 3);
    expect(["a", "b", "c"].map((key) => lru.get(key))).toEqual([1, undefined, 3]);
  });

  it("keeps the total size within its limit, and the last entry however large it is", () => {
    const lru = new Lru<string, string>({ maxSize: 5, sizeOf: (text) => text.length });
    for (const text of ["aa", "bb", "c"]) lru.set(text, text);
    expect(lru.values()).toEqual(["aa", "bb", "c"]);
    lru.set("aa", "aaa");
    expect(lru.values()).toEqual(["c", "aaa"]);
    lru.set("long", "0123456789");
    expect(lru.values()).toEqual(["0123456789"]);
    lru.set("d", "d");
    expect(lru.values()).toEqual(["d"]);
  });

  it("reports evicted entries, but not deleted or replaced ones", () => {
    const evicted: [string, number][] = [];
    const lru = new Lru<string, number>({ maxSize: 2, onEvict: (value, key) => void evicted.push([key, value]) });
    lru.set("a", 1);
    lru.set("a", 2);
    lru.set("b", 3);
    expect(lru.delete("b")).toBe(true);
    expect(lru.delete("b")).toBe(false);
    lru.set("c", 4);
    lru.set("d", 5);
    expect(evicted).toEqual([["a", 2]]);
    lru.clear();
    expect(lru.values()).toEqual([]);
    lru.set("e", 6);
    lru.set("f", 7);
    expect(evicted).toEqual([["a", 2]]);
  });
});
