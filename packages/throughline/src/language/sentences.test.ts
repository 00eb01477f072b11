import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isProse, readProse, splitSentences } from "./sentences.ts";

const split = (text: string, anyCase = false): string[] => splitSentences(text, { anyCase }).map((each) => each.text);

describe("splitSentences", () => {
  it.each([
    ["It works. We ship it today!", ["It works.", "We ship it today!"]],
    ["Dr. Lee met J. Smith at 9 a.m. Monday.", ["Dr. Lee met J. Smith at 9 a.m. Monday."]],
    [
      "We chose plan B. Never skip it, as in a => c. Then go.",
      ["We chose plan B.", "Never skip it, as in a => c.", "Then go."],
    ],
    ["See No. 5. He said no. I agree.", ["See No. 5.", "He said no.", "I agree."]],
    ["It costs 3.5 M. and runs node.js. Fine", ["It costs 3.5 M. and runs node.js.", "Fine"]],
    ['"Stop!" (Really.) Then go.', ['"Stop!"', "(Really.)", "Then go."]],
    ["first line\n\n second line", ["first line", "second line"]],
    ["今日は晴れ。明日は雨！本当？はい", ["今日は晴れ。", "明日は雨！", "本当？", "はい"]],
    ["यह काम करता है। हम तैयार हैं।", ["यह काम करता है।", "हम तैयार हैं।"]],
    ["هل هذا صحيح؟ نعم.", ["هل هذا صحيح؟", "نعم."]],
    ["", []],
  ])("splits %j", (text, sentences) => {
    expect(split(text)).toEqual(sentences);
  });

  it("starts a sentence with a lower-case letter only with the option", () => {
    expect(split("i like it. you too?")).toEqual(["i like it. you too?"]);
    expect(split("i like it. you too?", true)).toEqual(["i like it.", "you too?"]);
  });

  it("returns positions of all sentences, omitting only white space, in any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.boolean(), (text, anyCase) => {
        const sentences = splitSentences(text, { anyCase });
        for (const { text: said, start, end } of sentences) expect(text.slice(start, end)).toBe(said);
        expect(
          sentences
            .map(({ text: said }) => said)
            .join("")
            .replace(/\s/g, ""),
        ).toBe(text.replace(/\s/g, ""));
      }),
    );
  });
});

describe("isProse", () => {
  it.each([
    ["The cache is never cleared.", true],
    ["if (a[0]) { b = c; }", false],
    ["1234", false],
    ["word", false],
    ["File: src/main.ts:12", false],
    ["Added a test.", true],
    ["キャッシュは消さない", true],
  ])("%s: %s", (sentence, expected) => {
    expect(isProse(sentence)).toBe(expected);
  });
});

describe("readProse", () => {
  it("keeps a numbered title in bold with its sentence", () => {
    expect(readProse("**1. New parser** - It reads all dates. It is fast.")).toEqual([
      "**1. New parser** - It reads all dates.",
      "It is fast.",
    ]);
  });

  const markdown = [
    "# The plan",
    "- [x] Renamed the **table**. Added a test.",
    "1. Run `npm test` first.",
    "```ts",
    "const never = commit; // never commit this",
    "```",
    "| a | b |",
    "> somebody else said this",
    "    at run (file.ts:3)",
    "---",
    "The total that we show to customers in the basket of the old",
    "Lisbon shop was wrong.",
  ].join("\n");

  it("leaves out code, quotations, tables, stack traces, rules and list marks", () => {
    expect(readProse(markdown)).toEqual([
      "Renamed the **table**.",
      "Added a test.",
      "Run `npm test` first.",
      "The total that we show to customers in the basket of the old",
      "Lisbon shop was wrong.",
    ]);
  });

  it("reads headings if asked to", () => {
    expect(readProse(markdown, { headings: true })[0]).toBe("The plan");
  });

  it("joins wrapped lines and removes inline markup if asked to", () => {
    expect(readProse(markdown, { plain: true })).toEqual([
      "Renamed the table.",
      "Added a test.",
      "Run npm test first.",
      "The total that we show to customers in the basket of the old Lisbon shop was wrong.",
    ]);
  });

  it("ignores an unclosed code block to the end", () => {
    expect(readProse("Never push to main.\n~~~\nnever read this line")).toEqual(["Never push to main."]);
  });
});
