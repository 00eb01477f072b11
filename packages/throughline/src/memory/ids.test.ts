import { expect, it } from "vitest";
import { newId } from "./ids.ts";

it("ids sort by creation, even within one millisecond", () => {
  const ids = Array.from({ length: 5_000 }, () => newId("mem", 1_700_000_000_000));
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
});
