import { describe, expect, it } from "vitest";
import { UniqueIds } from "./session-writer.ts";

describe("UniqueIds", () => {
  it("numbers a taken id, also if that number is taken too", () => {
    const ids = new UniqueIds();
    expect(["a", "a~2", "a", "a", "b"].map((wanted) => ids.take(wanted))).toEqual(["a", "a~2", "a~3", "a~4", "b"]);
  });

  it("takes constant time per equal id", () => {
    const ids = new UniqueIds();
    for (let i = 0; i < 100_000; i += 1) ids.take("same");
    expect(ids.take("same")).toBe("same~100001");
  });
});
