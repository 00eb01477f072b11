import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { factOf, NOW } from "../facts/memory.arbitrary.ts";
import { anyExport } from "./export.arbitrary.ts";
import { readPastedMemories } from "./read-pasted.ts";
import { renderMemoriesMarkdown } from "./render-markdown.ts";

const OWN_HEADINGS =
  /^(?:# Memories|## (?:About the user|Preferences|Projects|Other facts|Episodes|Patterns|Workflows|Past|Contradictions))$/;

/** The block marker that each line starts with, or an empty string. */
function beginnings(document: string): string[] {
  return document.split("\n").map((line) => /^\s*(?:#+ .*|[-+*>|=]|\d+[.)]|`{3}|~{3}|<)/.exec(line)?.[0] ?? "");
}

describe("renderMemoriesMarkdown", () => {
  it("groups memories by topic, with dates and source", () => {
    const document = renderMemoriesMarkdown(
      [
        factOf("User prefers tea", { category: "preference", confidence: 0.95, mentions: 3 }),
        factOf("User lives in Lisbon", { pinned: true, byHand: true, confidence: 0.6 }),
        factOf("User lived in Porto", { validTo: NOW }),
        factOf("User is called Bo", { archivedAt: NOW, mentions: 2 }),
        factOf("Fixed the build", { kind: "episode", source: { speaker: "Ana", quote: "it works" } }),
      ],
      [],
    );
    expect(document).toBe(`# Memories

## About the user

- User lives in Lisbon
  *since 1972-09-27 · pinned · added by you*

## Preferences

- User prefers tea
  *since 1972-09-27 · mentioned 3 times*

## Episodes

- Fixed the build
  *since 1972-09-27 · by Ana · “it works”*

## Past

- User lived in Porto
  *since 1972-09-27 · until 1972-09-27*
`);
  });

  it("shows the texts of contradicting memories", () => {
    const document = renderMemoriesMarkdown(
      [factOf("User has a cat", { id: "a" }), factOf("User has no pets", { id: "b" })],
      [{ id: "c", memoryA: "a", memoryB: "b", detectedAt: NOW, reason: "One denies it.", status: "open" }],
    );
    expect(document).toContain("- User has a cat ↔ User has no pets\n  *open · found 1972-09-27 · One denies it.*");
  });

  it("escapes Markdown and HTML in stored text", () => {
    const nasty = "# Big\n- item\n1. one\n> quote\n```\n<script>alert(1)</script> [x](http://y) | a |\n===\n* * *";
    const document = renderMemoriesMarkdown([factOf(nasty)], []);
    expect(beginnings(document).filter((each) => each !== "" && each !== "- " && each !== "-")).toEqual([
      "# Memories",
      "## About the user",
      "  *",
    ]);
    expect(document).not.toMatch(/(?<!\\)<script/);
  });

  it("contains only its own headings, for any stored text", () => {
    fc.assert(
      fc.property(anyExport, ({ memories, contradictions }) => {
        const lines = renderMemoriesMarkdown(memories, contradictions).split("\n");
        for (const line of lines) {
          if (/^#/.test(line)) expect(line).toMatch(OWN_HEADINGS);
          else expect(line).toMatch(/^(?:$|- |\s{2})/);
          expect(line).not.toMatch(/(?<!\\)<[a-z!/]/i);
        }
        const deleted = memories.filter(
          ({ archivedAt, validTo, supersededBy }) => archivedAt && !validTo && !supersededBy,
        );
        expect(lines.filter((line) => line.startsWith("- ")).length).toBe(
          memories.length - deleted.length + contradictions.length,
        );
      }),
    );
  });

  it("can be imported again as a list of facts", () => {
    const texts = [
      "User lives in Lisbon",
      "User's e-mail client is *mutt* [sic]",
      "User wrote 1. a plan\nand 2. a book",
    ];
    const { facts } = readPastedMemories(
      renderMemoriesMarkdown(
        texts.map((text) => factOf(text)),
        [],
      ),
    );
    expect(facts.map(({ text }) => text).sort()).toEqual(texts.map((text) => text.replace("\n", " ")).sort());
  });
});
