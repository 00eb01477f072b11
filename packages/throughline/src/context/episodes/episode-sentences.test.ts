import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plainSentences } from "./episode-sentences.ts";

describe("the sentences of a reply", () => {
  it("join hard-wrapped lines", () => {
    const body =
      "Orders are kept in the database, since a queue would need another machine that nobody\nwants to look after. It is sent to\nStripe. The total that we show to customers in the basket of\nAda's shop was wrong.\n\nCloses the cart\n- first item of a list\n- second item of a list";
    expect(plainSentences(body)).toEqual([
      "Orders are kept in the database, since a queue would need another machine that nobody wants to look after.",
      "It is sent to Stripe.",
      "The total that we show to customers in the basket of Ada's shop was wrong.",
      "Closes the cart.",
      "First item of a list.",
      "Second item of a list.",
    ]);
  });

  it("join a line that begins with code or a number to the previous line, and keep the first word of a clause", () => {
    const body =
      "Now that the parser has no state, it is safe to share, which was not true for the helper\n`parseLine()` before.";
    const numbered =
      "Sites that block the default user agent of the client would return\n403, which the reader showed as\n/feed/errors in the list.";
    expect(plainSentences(numbered)).toEqual([
      "Sites that block the default user agent of the client would return 403, which the reader showed as /feed/errors in the list.",
    ]);
    expect(plainSentences(body)).toEqual([
      "Now that the parser has no state, it is safe to share, which was not true for the helper parseLine() before.",
    ]);
  });

  it("describe actions, without Markdown, code, tables and headings", () => {
    const reply = [
      "Done. I've added a **flag** to `setup.go`.",
      "## Summary",
      "- Removed [the old hook](https://example.com/hook)",
      "- [x] Renamed the table to orders",
      "```ts",
      "const added = true; // Added nothing here",
      "```",
      "| File | Change |",
      "> quoted words of somebody else",
    ].join("\n");
    expect(plainSentences(reply)).toEqual([
      "Added a flag to setup.go.",
      "Removed the old hook.",
      "Renamed the table to orders.",
    ]);
  });

  it("keep the case of an identifier at the start", () => {
    expect(plainSentences("compareKey() was wrong for wildcards.\n\nthe order was wrong too")).toEqual([
      "compareKey() was wrong for wildcards.",
      "The order was wrong too.",
    ]);
  });

  it("exclude questions, offers and courtesies", () => {
    const reply =
      "Would you like me to deploy it? Let me know. Thank you for waiting. I understand the problem. All tests pass now.";
    expect(plainSentences(reply)).toEqual([]);
  });

  it("keep the subject of a clause that is not a report", () => {
    expect(plainSentences("We use sessions since tokens were too large.")).toEqual([
      "We use sessions since tokens were too large.",
    ]);
  });

  it("are bounded single lines that end with a period", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 600 }), (reply) => {
        for (const sentence of plainSentences(reply)) {
          expect(sentence.length).toBeLessThanOrEqual(321);
          expect(sentence).toMatch(/^[^\n]+[.!?…]$/);
        }
      }),
    );
  });
});
