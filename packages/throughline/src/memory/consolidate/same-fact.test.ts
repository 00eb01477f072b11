import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../test/cases.ts";
import { factOf } from "../facts/memory.arbitrary.ts";
import { haveSameMeaning, haveSameWords } from "./same-fact.ts";

const db = (value: string, text = `The db is ${value}.`) => factOf(text, { key: "db", value });

describe("equivalent facts", () => {
  it.each([
    ["User has two dogs", "User has two puppies"],
    ["We decided to use PostgreSQL as the primary database", "The team chose Postgres as main database"],
  ])("%s = %s", (a, b) => {
    expect(haveSameMeaning(factOf(a), factOf(b))).toBe(true);
  });

  it("may differ in detail for single-valued keys", () => {
    expect(haveSameMeaning(factOf("User lives in Lisbon"), factOf("User lives in Lisbon, Portugal"))).toBe(true);
    expect(haveSameMeaning(db("Postgres"), db("PostgreSQL 16"))).toBe(true);
  });
});

describe("similar facts that are not equivalent", () => {
  it.each([
    ["User has two dogs", "User has three dogs"],
    ["User has 2 dogs and 3 cats", "User has 3 dogs and 2 cats"],
    ["User likes cats", "User likes dogs"],
    ["User likes tea", "User does not like tea"],
    ["User does not like tea but likes coffee", "User does not like coffee but likes tea"],
    ["User likes tea", "User hates tea"],
    ["User likes tea", "User likes green tea"],
    ["User is allergic to nuts", "User is allergic to pine nuts"],
    ["User lives in Lisbon", "User lives in Oslo"],
    ["User prefers tabs over spaces", "User prefers spaces over tabs"],
    ["Ann taught Bob to sail", "Bob taught Ann to sail"],
    ["The cache is enabled", "The cache is disabled"],
    ["The meeting is before lunch", "The meeting is after lunch"],
    ["The budget is $30", "The budget is €30"],
    ["Coverage is 80%", "Coverage is 90%"],
    ["User writes C++", "User writes C#"],
    ["User works in IT", "User works"],
    ["User likes 🍕", "User likes 🍔"],
    ["用户喜欢茶", "用户喜欢咖啡"],
    ["I ride horses", "I used to ride horses"],
    ["I work in finance", "I worked in finance"],
    ["I have a cat", "I had a cat"],
    ["I live in Spain", "I have been to Spain"],
    ["My job is difficult", "His job is difficult"],
    ["I fish", "I have fish"],
    ["I am a child", "I have children"],
    ["I do not work", "I do not have to work"],
    ["I like live music", "I like music"],
    ["I am a single dad", "My dad is single"],
    ["I have a boyfriend", "My boyfriend has a girlfriend"],
    ["Deploys run from main to staging", "Deploys run from staging to main"],
    ["User flew from Rome to Oslo", "User flew from Oslo to Rome"],
  ])("%s ≠ %s", (a, b) => {
    for (const isSame of [haveSameMeaning, haveSameWords]) {
      expect(isSame(factOf(a), factOf(b))).toBe(false);
      expect(isSame(factOf(b), factOf(a))).toBe(false);
    }
  });

  it("include facts with another key, value or category", () => {
    const text = "It is on.";
    expect(haveSameWords(db("MySQL", text), db("Postgres", text))).toBe(false);
    expect(haveSameWords(db("MySQL", text), factOf(text, { key: "cache", value: "MySQL" }))).toBe(false);
    expect(haveSameWords(factOf(text), factOf(text, { category: "project" }))).toBe(false);
    expect(haveSameWords(db("MySQL", text), db("mysql", text))).toBe(true);
  });
});

const claimText = fc
  .tuple(
    fc.constantFrom("I", "We", "My sister", "The service", "Ana"),
    fc.constantFrom("use", "have", "like", "do not use", "never had", "no longer use"),
    fc.constantFrom("a dog", "two cats", "three cats", "coffee", "port 8080", "Redis or Kafka"),
  )
  .map((words) => words.join(" "));

describe("equivalence of facts", () => {
  it("is symmetric", () => {
    fc.assert(
      fc.property(claimText, claimText, (a, b) => {
        expect(haveSameMeaning(factOf(a), factOf(b))).toBe(haveSameMeaning(factOf(b), factOf(a)));
        expect(haveSameWords(factOf(a), factOf(b))).toBe(haveSameWords(factOf(b), factOf(a)));
      }),
      { numRuns: cases(80) },
    );
  });
});
