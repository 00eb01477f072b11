import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../test/cases.ts";
import { countTokens } from "../../tokens/count-tokens.ts";
import { EMPTY_LEDGER } from "../ledger.ts";
import { anySession, anySpeech, ledgerOf, user } from "../session.arbitrary.ts";
import { renderLedger } from "./render-ledger.ts";
import { readWords } from "./render-quotes.ts";

const BUDGET = 100_000;

describe("user quotes read from a rendered ledger", () => {
  it("equal those of the ledger, in order", () => {
    const sessions = fc.oneof(
      fc.array(anySpeech, { maxLength: 5 }).map((list) => list.map((text) => user(text))),
      anySession,
    );
    fc.assert(
      fc.property(sessions, (messages) => {
        const ledger = ledgerOf(...messages);
        const rendered = renderLedger(ledger, { budget: BUDGET, count: countTokens, words: BUDGET });
        const { requests, constraints } = readWords(rendered);
        expect(requests.map(({ state }) => state)).toEqual(ledger.requests.map(({ state }) => state));
        for (const [index, { text }] of ledger.requests.entries()) {
          const read = requests[index]?.text ?? "";
          expect(read.slice(0, text.length)).toBe(text);
          // A block of code that the user left open is closed at the end of the entry.
          expect(read.slice(text.length)).toMatch(/^(\n(`{3,}|~{3,}))?$/);
        }
        expect(constraints.map(({ text }) => text)).toEqual(ledger.constraints.map(({ text }) => text));
      }),
      { numRuns: cases(80) },
    );
  });

  it("include the number of omitted ones", () => {
    const many = Array.from({ length: 600 }, (_, i) => user(`Request ${i}.`));
    const rendered = renderLedger(ledgerOf(...many), { budget: 2_000, count: countTokens, words: 1_000 });
    const { requests, droppedCounts } = readWords(rendered);
    expect(requests.length + droppedCounts.requests).toBe(600);
  });

  it.each(["", "hello", "### Requests\n# no entry", `### Requests\n- Open: ${"x".repeat(9_000)}`])(
    "are empty for text that is no ledger: %j",
    (text) => {
      expect(readWords(text)).toMatchObject({ requests: [], constraints: [] });
    },
  );

  it("are empty for an empty ledger", () => {
    const rendered = renderLedger(EMPTY_LEDGER, { budget: BUDGET, count: countTokens });
    expect(readWords(rendered).requests).toEqual([]);
  });
});
