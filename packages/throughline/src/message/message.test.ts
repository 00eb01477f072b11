import { describe, expect, it } from "vitest";
import { freeIds } from "./message.ts";

describe("freeIds", () => {
  it("returns the id itself, then numbered ids, and no duplicates", () => {
    const freeId = freeIds(["b", "a-3"]);
    expect(["a", "a", "a", "b", "c"].map(freeId)).toEqual(["a", "a-2", "a-4", "b-2", "c"]);
  });

  it("makes a hundred thousand ids of one stem", () => {
    const freeId = freeIds([]);
    const ids = Array.from({ length: 100_000 }, () => freeId("a"));
    expect(new Set(ids).size).toBe(100_000);
  });
});
