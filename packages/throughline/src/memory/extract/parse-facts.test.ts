import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseFacts } from "./parse-facts.ts";

const lisbon = { fact: "User lives in Lisbon", category: "identity", confidence: "high", updates_previous: false };
const one = JSON.stringify([lisbon]);

describe("parseFacts", () => {
  it.each([
    ["a plain list", one],
    ["a fence", `\`\`\`json\n${one}\n\`\`\``],
    ["prose around it", `Sure! Here are the facts:\n${one}\nLet me know if you need more.`],
    ["an object around it", JSON.stringify({ facts: [lisbon] })],
    ["one object", JSON.stringify(lisbon)],
    ["a reply that broke off", `${one.slice(0, -1)}, {"fact": "User has a dog", "category": "iden`],
    ["a broken object around it", `{"facts": [${JSON.stringify(lisbon)}`],
    ["commas at the end", `[${JSON.stringify(lisbon).replace("}", ",}")},]`],
    [
      "single quotes",
      "[{'fact': 'User lives in Lisbon', 'category': 'identity', 'confidence': 'high', 'updates_previous': False}]",
    ],
    ["names without quotes", '[{fact: "User lives in Lisbon", category: "identity", confidence: "high"}]'],
    ["curly quotes", "[{“fact”: “User lives in Lisbon”, “category”: “identity”, “confidence”: “high”}]"],
    ["lines of their own", `${JSON.stringify(lisbon)}\n${JSON.stringify(lisbon)}`],
  ])("reads %s", (_, reply) => {
    expect(parseFacts(reply).facts).toEqual([
      { fact: "User lives in Lisbon", category: "identity", updatesPrevious: false },
    ]);
  });

  it.each([
    ["another category", { ...lisbon, category: "secret" }],
    ["no category", { ...lisbon, category: undefined }],
    ["low confidence", { ...lisbon, confidence: "low" }],
    ["no confidence", { ...lisbon, confidence: undefined }],
    ["no fact", { ...lisbon, fact: "  " }],
    ["a fact that is no text", { ...lisbon, fact: { a: 1 } }],
    ["far too much", { ...lisbon, fact: "x ".repeat(400) }],
    ["only signs", { ...lisbon, fact: "!!! ---" }],
  ])("drops what has %s", (_, object) => {
    expect(parseFacts(JSON.stringify([object]))).toEqual({ facts: [], dropped: 1, isAnswer: true });
  });

  it("removes duplicate facts", () => {
    const again = { ...lisbon, fact: "The user is living in Lisbon." };
    expect(parseFacts(JSON.stringify([lisbon, again])).facts).toHaveLength(1);
  });

  it("removes invisible characters", () => {
    const hidden = { ...lisbon, fact: "User lives\u200b in\nLisbon\u0007" };
    expect(parseFacts(JSON.stringify([hidden])).facts[0]?.fact).toBe("User lives in Lisbon");
  });

  it("distinguishes an empty list from a missing one", () => {
    expect(parseFacts("[]")).toEqual({ facts: [], dropped: 0, isAnswer: true });
    expect(parseFacts("There is nothing: []").isAnswer).toBe(true);
    expect(parseFacts("I could not find any facts.").isAnswer).toBe(false);
    expect(parseFacts("42").isAnswer).toBe(false);
  });

  it("reads any string without an error, and gives only what is valid", () => {
    const pieces = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      '"',
      "'",
      ",",
      ":",
      "\\",
      "fact",
      "category",
      "high",
      "identity",
      one,
      "```",
    );
    const anyReply = fc.oneof(
      fc.string(),
      fc.json(),
      fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(anyReply, (reply) => {
        for (const { fact, category } of parseFacts(reply).facts) {
          expect(fact.length).toBeLessThanOrEqual(300);
          expect(["identity", "preference", "project"]).toContain(category);
        }
      }),
    );
  });

  it("keeps all complete entries of a truncated list", () => {
    const places = ["Lisbon", "Rome", "Oslo", "Lima"];
    const list = JSON.stringify(places.map((place) => ({ ...lisbon, fact: `User lives in ${place}` })));
    fc.assert(
      fc.property(fc.nat(list.length), (length) => {
        const cut = list.slice(0, length);
        expect(parseFacts(cut).facts).toHaveLength(cut.split("}").length - 1);
      }),
    );
  });
});
