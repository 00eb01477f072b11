import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countTokens } from "../../tokens/count-tokens.ts";
import { anyMemoryFacts, anyMessage, memoryFactOf, NOW } from "../memory-fact.arbitrary.ts";
import type { MemoryFact } from "../memory-fact.ts";
import { formatMemoryForPrompt } from "./memory-prompt.ts";
import { explainSelection, selectMemoriesForInjection } from "./select-memories.ts";

const work = memoryFactOf("Migrating the shop to Postgres");
const taste = memoryFactOf("Prefers direct answers", { category: "preference" });
const editor = memoryFactOf("Prefers Vim for editing", { category: "preference", confidence: 0.6 });
const home = memoryFactOf("Lives in Lisbon", { category: "identity" });
const all = [home, editor, taste, work];

function idsFor(message?: string, budget = 500): string[] {
  return selectMemoriesForInjection(all, budget, message).map(({ id }) => id);
}

describe("selectMemoriesForInjection", () => {
  it("returns all facts in order of priority without a message", () => {
    expect(idsFor()).toEqual([work.id, taste.id, editor.id, home.id]);
  });

  it("puts pinned facts first", () => {
    const pinned = { ...home, pinned: true };
    const chosen = selectMemoriesForInjection([work, taste, pinned], 500, "Explain closures");
    expect(chosen.map(({ id }) => id)).toEqual([home.id, work.id, taste.id]);
  });

  it("sorts by confidence, then by recency", () => {
    const sure = memoryFactOf("A", { confidence: 0.9, lastSeen: NOW - 5 });
    const late = memoryFactOf("B", { lastSeen: NOW });
    const early = memoryFactOf("C", { lastSeen: NOW - 1 });
    expect(selectMemoriesForInjection([early, late, sure], 500)).toEqual([sure, late, early]);
  });

  it.each([
    "Where is the nearest train station?",
    "What is my name?",
    "who am I",
    "Do we have a plan?",
    "What's the timezone?",
    "which time zone?",
    "I'm bored",
    "What do you know?",
    "Anything local (near here)?",
  ])("includes identity for “%s”", (message) => {
    expect(idsFor(message)).toContain(home.id);
  });

  it("returns all facts to a question for them", () => {
    expect(idsFor("What do you know about me?")).toEqual([work.id, taste.id, editor.id, home.id]);
  });

  it.each([
    "Explain closures in JavaScript",
    "Meet the imminent deadline for the army",
    "What is async I/O?",
    "Build a local-first app with event-based sync",
    "for (let i = 0; i < 3; i++) sum += a[i]",
    "Reliving alive delivery",
  ])("excludes identity for “%s”", (message) => {
    expect(idsFor(message)).not.toContain(home.id);
  });

  it("puts preferences that share a word before those with more confidence", () => {
    const roomFor = (...facts: MemoryFact[]) => countTokens(formatMemoryForPrompt(facts)) + 50;
    expect(idsFor("How is editing done in Vim?", roomFor(work, editor))).toEqual([work.id, editor.id]);
    expect(idsFor("How is sorting done?", roomFor(work, taste))).toEqual([work.id, taste.id]);
  });

  it("fills the remaining budget with other preferences", () => {
    const tight = countTokens(formatMemoryForPrompt([work, home])) + 50;
    expect(idsFor("Where do I live?", tight)).toEqual([work.id, home.id]);
    expect(idsFor("Where do I live?")).toEqual([work.id, taste.id, editor.id, home.id]);
  });

  it("adds preferences that share no word up to 350 tokens only, and none to thanks", () => {
    const many = Array.from({ length: 60 }, (_, n) =>
      memoryFactOf(`Prefers option number ${n} of the list`, { category: "preference" }),
    );
    const tokensFor = (currentMessage: string) => explainSelection(many, 500, { currentMessage }).tokens;
    expect(tokensFor("Explain closures")).toBeGreaterThan(300 - 20);
    expect(tokensFor("Explain closures")).toBeLessThanOrEqual(350);
    expect(tokensFor("Which option of the list?")).toBeGreaterThan(400);
    expect(tokensFor("Thanks!")).toBe(0);
  });

  it("stops within 50 tokens of the budget", () => {
    const many = Array.from({ length: 60 }, (_, n) => memoryFactOf(`Working on part number ${n} of the plan`));
    const { tokens, chosen } = explainSelection(many, 300);
    expect(tokens).toBeGreaterThanOrEqual(250);
    expect(countTokens(formatMemoryForPrompt(chosen.slice(0, -1).map(({ fact }) => fact)))).toBeLessThan(250);
  });

  it("skips a fact that does not fit for one that does", () => {
    const long = memoryFactOf("word ".repeat(300), { pinned: true });
    expect(selectMemoriesForInjection([long, work], 60)).toEqual([work]);
  });
});

describe("explainSelection", () => {
  it("gives a short reason", () => {
    const facts = [{ ...editor, pinned: true }, work, taste, home];
    const { chosen } = explainSelection(facts, 500, { currentMessage: "Which postgres version do I have?" });
    expect(Object.fromEntries(chosen.map(({ fact, reason }) => [fact.id, reason]))).toEqual({
      [editor.id]: "Pinned",
      [work.id]: 'Active project (matched "postgres")',
      [taste.id]: "Preference",
      [home.id]: "You asked about yourself",
    });
  });

  it("names the matching words and the matching place", () => {
    const reasons = (message: string) =>
      explainSelection([taste, home], 500, { currentMessage: message }).chosen.map(({ reason }) => reason);
    expect(reasons("Give direct answers")[0]).toBe('Preference (matched "direct", "answers")');
    expect(reasons("Where is the tower?")).toContain("You asked about a place");
  });

  it("explains near misses too", () => {
    const { nearMisses } = explainSelection([home, work, taste], 25, { currentMessage: "Explain closures" });
    expect(nearMisses.map(({ fact, reason }) => [fact.id, reason])).toEqual([
      [taste.id, "This fact does not fit in the limit of 25 tokens"],
      [home.id, "About you, but the message isn't"],
    ]);
  });
});

describe("any selection", () => {
  it("respects the budget and returns each fact once, chosen or missed", () => {
    fc.assert(
      fc.property(anyMemoryFacts, fc.integer({ min: 0, max: 500 }), anyMessage, (facts, budget, message) => {
        const options = message === undefined ? {} : { currentMessage: message };
        const { chosen, nearMisses, tokens } = explainSelection(facts, budget, options);
        const text = formatMemoryForPrompt(chosen.map(({ fact }) => fact));
        expect(tokens).toBe(countTokens(text));
        expect(tokens).toBeLessThanOrEqual(budget);
        const ids = [...chosen, ...nearMisses].map(({ fact }) => fact.id);
        expect(ids.toSorted()).toEqual(facts.map(({ id }) => id).toSorted());
      }),
    );
  });

  it("does not depend on the order of the facts", () => {
    fc.assert(
      fc.property(
        anyMemoryFacts,
        fc.integer({ min: 100, max: 500 }),
        anyMessage,
        fc.nat(),
        (facts, budget, message, turn) => {
          const at = turn % Math.max(1, facts.length);
          const other = [...facts.slice(at), ...facts.slice(0, at)].reverse();
          expect(selectMemoriesForInjection(other, budget, message)).toEqual(
            selectMemoriesForInjection(facts, budget, message),
          );
        },
      ),
    );
  });
});
