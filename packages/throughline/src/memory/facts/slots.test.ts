import { describe, expect, it } from "vitest";
import { isSingleValued, normalizeKey, readSlot } from "./slots.ts";

describe("a key", () => {
  it.each([
    "residence",
    "employer",
    "name",
    "age",
    "favorite_color",
    "db",
    "deploy_script",
    "available_budget",
    "status",
  ])("%s takes one value", (key) => {
    expect(isSingleValued(key)).toBe(true);
  });

  it.each(["hobbies", "languages", "likes", "pets", "tools", "allergies", "children", "Hobby", "spoken language"])(
    "%s has many values",
    (key) => {
      expect(isSingleValued(key)).toBe(false);
    },
  );

  it.each([
    ["Favourite colour", "favorite_color"],
    ["location", "residence"],
    ["Database", "db"],
    ["  Error-Handling ", "error_handling"],
  ])("%s is called %s", (key, name) => {
    expect(normalizeKey(key)).toBe(name);
  });
});

describe("readSlot", () => {
  it.each([
    ["User is based in Copenhagen", { key: "residence", value: "Copenhagen" }],
    ["Solo developer based in Copenhagen", { key: "residence", value: "Copenhagen" }],
    ["I'm currently living in Rome", { key: "residence", value: "Rome" }],
    ["User moved from Paris to Rome", { key: "residence", value: "Rome" }],
    ["User no longer lives in Paris", { key: "residence", former: "Paris" }],
    ["User used to live in Paris", { key: "residence", former: "Paris" }],
    ["User does not live in Rome any more.", { key: "residence", former: "Rome" }],
    ["User works as a nurse at Acme", { key: "occupation", value: "nurse" }],
    ["My favourite colour is blue", { key: "favorite_color", value: "blue" }],
    ["Project uses PostgreSQL", { key: "uses", value: "PostgreSQL", isChoice: true }],
    ["Project uses Redis for caching", { key: "caching", value: "Redis", isChoice: true }],
    [
      "The team decided to use PostgreSQL as the primary database because of JSON",
      { key: "db", value: "PostgreSQL", isChoice: true },
    ],
  ])("%s", (fact, slot) => {
    expect(readSlot(fact)).toEqual(slot);
  });

  it("returns nothing for unknown wording", () => {
    expect(readSlot("User once saw a comet over the lake")).toBeUndefined();
    expect(readSlot("")).toBeUndefined();
    expect(readSlot("User lives in ".repeat(1_000))).toBeUndefined();
  });
});
