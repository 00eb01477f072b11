import { expect, it } from "vitest";
import { hasFilter, NO_FILTERS, readFilters, toQuery, writeFilters } from "./filter-query.ts";

it("writes filters and search words into the address, and reads them again", () => {
  const filters = { ...NO_FILTERS, kind: "fact", project: "", person: "Zoë & Ben", status: "*", age: "older" } as const;
  const address = writeFilters(filters, "when do we deploy? ");
  expect(readFilters(address)).toEqual({ filters, words: "when do we deploy? " });
  expect(writeFilters(NO_FILTERS, "")).toBe("");
});

it("ignores values of an address that it does not know", () => {
  expect(readFilters("kind=poem&status=gone&age=1&q=a").filters).toEqual(NO_FILTERS);
  expect(hasFilter(readFilters("kind=poem").filters)).toBe(false);
  expect(hasFilter(readFilters("kind=fact").filters)).toBe(true);
});

it("asks for every status while searching, and for a range of ages", () => {
  expect(toQuery(NO_FILTERS, "")).toEqual({ status: "current" });
  expect(toQuery(NO_FILTERS, "deploy")).toEqual({ query: "deploy" });
  const { since, before } = toQuery({ ...NO_FILTERS, age: "older" }, "");
  expect([since, typeof before]).toEqual([undefined, "string"]);
});
