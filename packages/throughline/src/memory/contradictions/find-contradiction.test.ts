import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../test/cases.ts";
import { claim, claimText } from "./claim.arbitrary.ts";
import type { ContradictionKind } from "./claim.ts";
import { findContradiction } from "./find-contradiction.ts";

function kindOf(a: string, b: string): ContradictionKind | undefined {
  return findContradiction({ text: a }, { text: b })?.kind;
}

describe("a contradiction in words", () => {
  it.each([
    ["I don't have any pets.", "My dog is called Rex."],
    ["We no longer use Redis.", "We use Redis for sessions."],
    ["Nobody on the team knows Rust.", "Ana on the team knows Rust."],
    ["The service has no authentication.", "The service has authentication."],
    ["There is no goat eating the hedge.", "A goat is eating the hedge."],
    ["No goat eats the hedge.", "Two goats are eating the green hedge."],
    ["I stopped eating meat.", "I eat meat."],
    ["I wish I had a garden.", "I have a garden behind the house."],
    ["I have no siblings.", "I have a brother."],
    ["I've never been to a workshop or a trade fair.", "I went to a trade fair in May."],
    ["I am a vegetarian.", "I eat chicken twice a week."],
    ["I speak French.", "I can't speak French."],
    ["Deploys happen on Fridays.", "Deploys never happen on Fridays."],
    ["The clerk in the booth sells tickets without a hat.", "The clerk in the booth sells tickets with a hat."],
  ])("sees a denial: %s / %s", (a, b) => {
    expect(kindOf(a, b)).toBe("negation");
  });

  it.each([
    ["I am single.", "I am married."],
    ["The cache is enabled in production.", "The cache is disabled in production."],
    ["Tests run in parallel.", "Tests run sequentially."],
    ["The user prefers dark mode.", "The user prefers light mode."],
    ["The shop is near the harbour.", "The shop is far from the harbour."],
    ["A porter is picking up the crate.", "A porter is putting down the crate."],
  ])("sees words that exclude each other: %s / %s", (a, b) => {
    expect(kindOf(a, b)).toBe("antonym");
  });

  it.each([
    ["I love coffee.", "I can't stand coffee."],
    ["Likes: long walks", "Dislikes: long walks"],
    ["The user likes short answers.", "The user does not like short answers."],
    ["I don't like olives or capers.", "I really enjoy capers."],
    ["Chess is so boring.", "Chess is great fun."],
  ])("sees opinions that differ: %s / %s", (a, b) => {
    expect(kindOf(a, b)).toBe("opinion");
  });

  it.each([
    ["I have two kids.", "I have three kids."],
    ["I am 34 years old.", "I am 29 years old."],
    ["The API limit is 100 requests per minute.", "The API limit is 120 requests per minute."],
    ["My budget is $700.", "My budget is $750."],
    ["The server listens on port 8080.", "The server listens on port 3000."],
    ["Coverage must be at least 80%.", "Coverage must be at least 90%."],
    ["The store holds more than 70 teas.", "The store holds 30 different teas."],
  ])("sees numbers that differ: %s / %s", (a, b) => {
    expect(kindOf(a, b)).toBe("number");
  });

  it.each([
    ["The deadline is May 20.", "The deadline is June 3."],
    ["The deadline is 2026-05-20.", "The deadline is May 21."],
    ["The deadline for the report is on Friday.", "The deadline for the report is on Monday."],
    ["I was born in 1990.", "I was born in 1985."],
  ])("sees dates that differ: %s / %s", (a, b) => {
    expect(kindOf(a, b)).toBe("date");
  });

  it.each([
    ["My favorite editor is Vim.", "My favorite editor is Emacs."],
    ["Winter is my favorite season.", "My favorite season is summer."],
    ["I live in Berlin.", "I live in Madrid."],
    ["My name is Ada.", "My name is Grace."],
  ])("sees one place filled twice: %s / %s", (a, b) => {
    expect(kindOf(a, b)).toBe("value");
  });

  it("finds the sentence that matters in a long message and reads no code", () => {
    const a = "Thanks! I want tests first. I have never used Kafka in this project. ```ts\nuseKafka();\n```";
    const b = "Here is the plan.\nI have been using Kafka since March, can you review the consumer?";
    expect(kindOf(a, b)).toBe("negation");
    expect(kindOf("We do not call useKafka here.", "```ts\nwe call useKafka here\n```")).toBeUndefined();
  });

  it("reads through curly quotes and characters that nobody sees", () => {
    expect(kindOf("I don’t own a car.", "I ow\u200bn a car.")).toBe("negation");
  });
});

describe("what is no contradiction", () => {
  it.each([
    ["another thing", "I like tea.", "I like coffee."],
    ["one sort of what is liked", "I don't like green tea.", "I like tea."],
    ["another thing counted", "I have two dogs.", "I have three cats."],
    ["what once was", "I used to smoke.", "I don't smoke."],
    ["what was and is not", "I was in the choir.", "I am not in the choir."],
    ["a part of the time", "I work at Acme.", "I don't work on Fridays."],
    ["another use", "We use Postgres for orders.", "We use Redis for caching."],
    ["a doubt", "I'm not sure whether we use Redis.", "We use Redis."],
    ["a question", "Do you have kids?", "I don't have kids."],
    ["a condition", "If it rains, I will not go out.", "I go out."],
    ["a wish", "I want to visit Japan.", "I have never been to Japan."],
    ["another person", "My brother has a dog.", "I don't have a dog."],
    ["another person's number", "My brother has two kids.", "I have three kids."],
    ["another holder of an opinion", "Ana does not like strong coffee at night.", "Bob likes strong coffee at night."],
    ["another period", "I run 5 km a day.", "I run 30 km a week."],
    ["a number that is part of a name", "Version 1 supports Node 18.", "Version 2 supports Node 22."],
    ["what is counted in the subject", "Two ships are leaving the harbour.", "Three ships are leaving the harbour."],
    ["a bound that holds", "The team has more than 5 engineers.", "The team has 8 engineers."],
    ["something done twice", "I went to the gym on Monday.", "I went to the gym on Friday."],
    ["another meeting", "The meeting on Monday is long.", "The meeting on Friday is short."],
    ["two things told apart", "The old API is slow.", "The new API is fast."],
    ["a more exact denial", "A clerk is reading a book.", "The clerk is not reading a thick book by the open window."],
    ["a wider word for somebody", "The person is not feeding the ducks.", "A sailor is feeding the ducks."],
    ["an answer that begins with no", "No, I have a cat.", "I have a cat."],
    ["part of a list", "I have no dog, just a cat.", "I have a cat."],
    ["a denial of a denial", "It is not true that nobody uses the cache.", "Everybody uses the cache."],
  ])("leaves %s: %s / %s", (_, a, b) => {
    expect(kindOf(a, b)).toBeUndefined();
    expect(kindOf(b, a)).toBeUndefined();
  });
});

describe("claims with a slot", () => {
  const db = (value: string, more = {}) => ({ text: `The db is ${value}.`, key: "db", value, ...more });

  it("sees the same slot with another value", () => {
    const finding = findContradiction(db("PostgreSQL"), db("MySQL", { key: "DB" }));
    expect(finding).toMatchObject({ kind: "value", reason: "db: one says PostgreSQL, the other MySQL." });
  });

  it("takes another name, or a more exact value, for the same", () => {
    expect(findContradiction(db("PostgreSQL"), db("postgres 16"))).toBeUndefined();
  });

  it("sees that a value is denied", () => {
    expect(findContradiction(db("MySQL"), db("not MySQL"))?.kind).toBe("value");
  });

  it("leaves keys that take many values, and other subjects", () => {
    expect(findContradiction(db("MySQL", { takesMany: true }), db("Redis"))).toBeUndefined();
    expect(findContradiction(db("MySQL", { subject: "billing" }), db("Redis", { subject: "search" }))).toBeUndefined();
  });
});

describe("claims in time", () => {
  const [old, now] = ["I live in Berlin.", "I live in Madrid."];

  it("takes a later state for a change", () => {
    expect(findContradiction({ text: old, validFrom: 1, validTo: 5 }, { text: now, validFrom: 5 })).toBeUndefined();
    expect(findContradiction({ text: old, validTo: 5 }, { text: now, validFrom: 9 })).toBeUndefined();
  });

  it("sees two states at once", () => {
    expect(findContradiction({ text: old, validFrom: 1, validTo: 6 }, { text: now, validFrom: 5 })?.kind).toBe("value");
    expect(findContradiction({ text: old }, { text: now, validFrom: 5 })?.kind).toBe("value");
  });
});

describe("any two claims", () => {
  it("give the same answer in either order", () => {
    fc.assert(
      fc.property(claim, claim, (a, b) => {
        expect(findContradiction(a, b)?.kind).toBe(findContradiction(b, a)?.kind);
      }),
      { numRuns: cases(300) },
    );
  });

  it("never contradict themselves", () => {
    fc.assert(
      fc.property(claimText, (text) => {
        expect(kindOf(text, ` ${text}\n`)).toBeUndefined();
      }),
    );
  });

  it("come with a confidence from 0 to 1 and a reason", () => {
    fc.assert(
      fc.property(claim, claim, (a, b) => {
        const finding = findContradiction(a, b);
        if (finding === undefined) return;
        expect(finding.confidence).toBeGreaterThan(0);
        expect(finding.confidence).toBeLessThanOrEqual(1);
        expect(finding.reason).not.toBe("");
      }),
    );
  });
});
