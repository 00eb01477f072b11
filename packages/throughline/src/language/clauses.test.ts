import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitClauses } from "./clauses.ts";

const split = (text: string, sharedSubjects = false): string[] =>
  splitClauses(text, { sharedSubjects }).map((clause) => clause.text);

describe("splitClauses", () => {
  it.each([
    ["I live in Porto, but my sister is in Rome.", ["I live in Porto", "my sister is in Rome"]],
    ["i like tea and i hate milk. you too", ["i like tea", "i hate milk", "you too"]],
    ["I like tea and milk, bread and jam", ["I like tea and milk, bread and jam"]],
    ["I live in Porto but work in Lisbon", ["I live in Porto but work in Lisbon"]],
    ["He called “Bo” - it’s a dog", ["He called “Bo”", "it's a dog"]],
    ["I'm a nurse what about you?", ["I'm a nurse", "what about you"]],
    ["And so I moved", ["And so I moved"]],
    ["I live in St. Louis now", ["I live in St. Louis now"]],
    ["私は東京に住んでいます。猫が好きです。", ["私は東京に住んでいます", "猫が好きです"]],
  ])("cuts %j where a new subject begins", (text, clauses) => {
    expect(split(text)).toEqual(clauses);
  });

  it.each([
    ["I live in Porto but work in Lisbon", ["I live in Porto", "but work in Lisbon"]],
    ["I have a dog and do not want a cat; he barks", ["I have a dog", "and do not want a cat", "he barks"]],
    ["I was there...it was good", ["I was there", "it was good"]],
  ])("cuts %j also where the subject is shared, if asked to", (text, clauses) => {
    expect(split(text, true)).toEqual(clauses);
  });

  it("tells which clause shares the subject of the one before", () => {
    const clauses = splitClauses("I have a dog and do not want a cat", { sharedSubjects: true });
    expect(clauses.map(({ sharesSubject }) => sharesSubject)).toEqual([false, true]);
  });

  it.each([
    ["I have a cat, do you like cats?", [false, true]],
    ["My sister moved and I stayed?", [false, true]],
    ["Do you like it, I made it myself?", [true, false]],
    ["I like cats.", [false]],
    ["本当ですか？", [true]],
  ])("tells which clause of %j asks", (text, asks) => {
    expect(splitClauses(text).map(({ isQuestion }) => isQuestion)).toEqual(asks);
  });

  it("gives the text before a clause, its words and the number of its sentence", () => {
    expect(splitClauses("Hi. If it rains, I don't go.")[2]).toMatchObject({
      text: "I don't go",
      start: 17,
      before: "If it rains, ",
      sentence: 1,
      words: [{ text: "i" }, { text: "do" }, { text: "not" }, { text: "go" }],
    });
  });

  it("skips longer sentences if asked to", () => {
    expect(splitClauses(`${"word ".repeat(200)}. I like tea.`, { maxSentenceLength: 100 })).toMatchObject([
      { text: "I like tea" },
    ]);
  });

  it("gives positions that hold the clauses, in any text", () => {
    const words = fc.constantFrom(
      "i",
      "and",
      "you",
      ",",
      "but",
      "is",
      "not",
      ". ",
      "…",
      "?",
      "\n",
      "cat",
      "'",
      "。",
      "—",
    );
    fc.assert(
      fc.property(fc.array(words), fc.boolean(), (parts, sharedSubjects) => {
        const text = parts.join(" ");
        for (const clause of splitClauses(text, { sharedSubjects })) {
          expect(text.slice(clause.start, clause.start + clause.text.length)).toBe(clause.text);
        }
      }),
    );
  });
});
