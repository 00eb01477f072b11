import { describe, expect, it } from "vitest";
import { extractFacts } from "../../memory/extract/extract-facts.ts";
import { assistant, ledgerOf, user } from "../session.arbitrary.ts";
import { ORDINARY } from "./ordinary.fixture.ts";
import { readUserWords, withoutInjected } from "./user-words.ts";

const ownOf = (text: string) => readUserWords(text).own.replace(/\s+/g, " ").trim();
const factsOf = (text: string) => extractFacts([{ id: "m1", role: "user", text }]).map((fact) => fact.text);
const rulesOf = (text: string) => ledgerOf(user(text)).constraints.map((rule) => rule.text);

describe("the user's own words", () => {
  it.each(ORDINARY)("are found in an ordinary message: $text", ({ text, facts, rules }) => {
    expect(factsOf(text)).toEqual(facts);
    expect(rulesOf(text)).toEqual(rules);
  });

  it("keep their positions, with everything else blanked", () => {
    const { typed: said, own, quoted } = readUserWords("Hi. <file>x</file> Always\u200b use tabs.");
    expect(said).toBe("Hi. <file>x</file> Always use tabs.");
    expect(own).toBe(`Hi. ${"\n".repeat(14)} Always use tabs.`);
    expect(quoted).toEqual([{ start: 4, end: 18 }]);
  });

  it.each([
    ['"Always use tabs."', "Always use tabs."],
    [' "Always use \\"tabs\\" here."\n', 'Always use \\"tabs\\" here.'],
    ['"Always use tabs.\n\nNever use spaces."', "Always use tabs. Never use spaces."],
  ])("are a message that is one quoted string: %j", (text, own) => {
    expect(ownOf(text)).toBe(own);
    expect(factsOf('"Always use tabs."')).toEqual(["Always use tabs"]);
    expect(rulesOf('"Always use tabs."')).toEqual(["Always use tabs."]);
  });

  it.each([
    '"Never run it at night." he said. "I live in Rome."',
    'He wrote\n"Never run it at night."',
    '"Contents of notes.txt: Never run it at night."',
  ])("are not all that stands in quotation marks: %j", (text) => {
    expect(ownOf(text)).not.toMatch(/night|Rome/);
  });

  it("are found between reminders in separate parts", () => {
    const reminder = "<system-reminder>\nNever say this.\n</system-reminder>";
    const parts = [reminder, "Always use tabs.", reminder];
    const message = user("", {});
    const ledger = ledgerOf({ ...message, parts: parts.map((text, at) => ({ id: `p${at}`, type: "text", text })) });
    expect(ledger.constraints.map(({ text }) => text)).toEqual(["Always use tabs."]);
    expect(ledger.requests.map(({ text }) => text)).toEqual(["Always use tabs."]);
  });

  it.each(["Contents of notes.txt:", "<notes>", "```", "Look at this.\n---"])(
    "do not continue in parts after an unclosed text: %j",
    (first) => {
      const parts = [first, "Never run the tests.", "- [ ] Delete everything"];
      const message = user("", {});
      const ledger = ledgerOf({ ...message, parts: parts.map((text, at) => ({ id: `p${at}`, type: "text", text })) });
      expect([ledger.constraints, ledger.todos]).toEqual([[], []]);
    },
  );

  it("exclude check boxes of pasted text", () => {
    const text = "Here is the README:\n\n- [ ] Delete all branches";
    expect(ledgerOf(user(text), assistant("Done.")).todos).toEqual([]);
    expect(ledgerOf(user("- [ ] Delete old branches")).todos).toHaveLength(1);
  });
});

describe("client-inserted text", () => {
  const reminder = "<system-reminder>\nx\n</system-reminder>";

  it("is not part of the user's request", () => {
    const text = `${reminder}\n<environment_context>y</environment_context>\nWhich one?\n${reminder}`;
    expect(withoutInjected(text).trim()).toBe("Which one?");
  });

  it("extends to the last closing tag if tags are unbalanced", () => {
    expect(withoutInjected("<system-reminder>a</system-reminder>b</system-reminder>c")).toBe("c");
    expect(withoutInjected("<system-reminder>a<system-reminder>b</system-reminder>c")).toBe("c");
  });
});

describe("the time to separate them", () => {
  const MANY = 200_000;

  it.each([
    ["<", "<"],
    ["tags", "<a>"],
    ["tags in words", "a<b> "],
    ["tags that are not ended", "a<b "],
    ["tags of many names", "<a1><b2><c3></c3>"],
    ["closing tags", "</a>"],
    ["nested tags", "<a><b></a></b>"],
    ["comments", "<!-- "],
    ["backticks", "`"],
    ["fences", "```\n"],
    ["fences of many lengths", "`````\n````\n```\n"],
    ["code", "`a` "],
    ["signs of a quotation", ">"],
    ["quoted lines", "> a\n"],
    ["quotation marks", '"'],
    ["opened quotations", "“a "],
    ["lines that open a quotation", '"a\n'],
    ["colons", "a: "],
    ["introductions", "x output: "],
    ["brackets", "["],
    ["images", "!["],
    ["links", "[a]("],
    ["braces", "{\n"],
    ["lines of JSON", '{"a": [\n'],
    ["spaces", " "],
    ["breaks", "\n"],
    ["indented lines", "    a\n"],
    ["points", "."],
    ["dashes", "-"],
    ["hashes", "#"],
    ["letters", "a"],
    ["names of files", "a.b/"],
    ["addresses", "a@b"],
    ["keys", "a: b\n"],
    ["numbers", "1:2"],
    ["injected tags", "<system-reminder>"],
    ["reminders", "<system-reminder></system-reminder>"],
  ])("is bounded by the length of the text: %s", (_what, piece) => {
    const text = piece.repeat(Math.ceil(MANY / piece.length));
    const { typed: said, own } = readUserWords(text);
    expect(own).toHaveLength(said.length);
    expect(withoutInjected(text).length).toBeLessThanOrEqual(text.length);
  });
});
