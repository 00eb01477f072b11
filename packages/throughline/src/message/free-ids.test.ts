import { describe, expect, it } from "vitest";
import { freeIds } from "./free-ids.ts";

describe("freeIds", () => {
  it("gives the id itself, then the same with a number, and none that is taken", () => {
    const freeId = freeIds(["b", "a-3"]);
    expect(["a", "a", "a", "b", "c"].map(freeId)).toEqual(["a", "a-2", "a-4", "b-2", "c"]);
  });

  it("gives a hundred thousand ids of one stem", () => {
    const freeId = freeIds([]);
    const ids = Array.from({ length: 100_000 }, () => freeId("a"));
    expect(new Set(ids).size).toBe(100_000);
  });
});
