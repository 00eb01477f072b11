import fc from "fast-check";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { cases } from "../../../../../../packages/throughline/test/cases.ts";
import Markdown, { safeLink, splitBlocks, steadyTail } from "./markdown.tsx";

const render = (text: string, isStreaming = false) =>
  renderToStaticMarkup(createElement(Markdown, { text, isStreaming }));

describe("safeLink", () => {
  it.each(["https://example.org/a?b#c", "http://localhost:1234", "mailto:a@example.org", "HTTPS://EXAMPLE.ORG"])(
    "follows %s",
    (address) => {
      expect(safeLink(address)).toBe(address);
    },
  );

  it.each([
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    " javascript:alert(1)",
    "java\nscript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:x",
    "blob:https://example.org/1",
    "file:///etc/passwd",
    "//example.org",
    "/settings",
    "#top",
    "",
    undefined,
  ])("does not follow %j", (address) => {
    expect(safeLink(address)).toBeUndefined();
  });

  it("accepts only web and mail links", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.webUrl(),
          fc.string().map((rest) => `javascript:${rest}`),
        ),
        (address) => {
          expect(safeLink(address) ?? "https:").toMatch(/^[\s\0-\x20]*(?:https?|mailto):/i);
        },
      ),
    );
  });
});

describe("Markdown", () => {
  it("shows HTML as text", () => {
    const html = render('<script>alert(1)</script>\n\nA <img src=x onerror="alert(1)"> b');
    expect(html).not.toMatch(/<(?:script|img)/);
    expect(html).toContain("&lt;script&gt;");
  });

  it("opens links in a new tab without a referrer", () => {
    expect(render("[a](https://example.org)")).toBe(
      '<p><a href="https://example.org" target="_blank" rel="noreferrer noopener">a</a></p>',
    );
  });

  it("shows a link that must not be followed as its text", () => {
    expect(render("[a](javascript:alert(1)) [b](/relative)")).toBe("<p><span>a</span> <span>b</span></p>");
  });

  it("never loads a picture, and shows its link instead", () => {
    const html = render("![A cat](https://example.org/cat.png?who=me) ![x](data:image/png;base64,AAAA)");
    expect(html).not.toContain("<img");
    expect(html).toContain('<a href="https://example.org/cat.png?who=me"');
    expect(html).toContain("Picture: A cat");
    expect(html).not.toContain("base64");
  });

  it("names the language of a block of code", () => {
    expect(render("```ts\nconst a = 1;\n```")).toContain('aria-label="Code, ts"');
  });

  it("never renders an element that loads or runs content", () => {
    const piece = fc.constantFrom(
      "<",
      ">",
      "script",
      "img",
      " src=",
      "iframe",
      "](",
      "![",
      "[",
      ")",
      "javascript:",
      '"',
      "\n",
      "`",
      "https://a.b",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const html = render(pieces.join(""));
        expect(html).not.toMatch(/<(?:script|img|iframe|style|object|embed|link|form)\b/i);
        expect(html).not.toMatch(/href="(?!https?:|mailto:)/i);
      }),
      { numRuns: cases(100) },
    );
  });
});

const pieces = fc.constantFrom(
  "A paragraph with **bold** and `code`.",
  "# A heading",
  "- one\n- two",
  "- one\n\n- two, after a blank line",
  "1. first\n\n   more of it\n\n2. second",
  "2. a list that begins with two",
  "```ts\nconst a = 1;\n\nconst b = 2;\n```",
  "~~~\n```\n\ntext\n~~~",
  "> a quote\n> goes on",
  "> another quote",
  "| a | b |\n| - | - |\n| 1 | 2 |",
  "    indented code\n\n    goes on",
  "---",
  "***",
  "**Bold** begins it",
  "Over\n===",
  "- a list\n\n  ```js\n  inside();\n\n  more();\n  ```",
  "[a](https://example.org) link",
  "<div>html</div>",
  "[a]: https://example.org",
  "[a] refers",
  "```\nnever closed",
);

describe("splitBlocks", () => {
  it("returns blocks that join to the original text", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(pieces).map((all) => all.join("\n\n")),
        ),
        (text) => {
          expect(splitBlocks(text).join("")).toBe(text);
        },
      ),
    );
  });

  it("cuts between paragraphs, and not within a list or a block of code", () => {
    expect(splitBlocks("a\n\nb\n\n- c\n\n- d\n\n```\ne\n\nf\n```\n\ng").length).toBe(4);
  });

  it("does not change the rendering", () => {
    const shown = (html: string) => html.replace(/\n+/g, "");
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 8 }), (all) => {
        const text = all.join("\n\n");
        const whole = renderToStaticMarkup(createElement(Markdown, { text: `[zzz]: https://example.org\n\n${text}` }));
        expect(shown(render(text))).toBe(shown(whole));
      }),
      { numRuns: cases(60) },
    );
  });
});

describe("steadyTail", () => {
  it.each([
    ["This is **bo", "This is **bo**"],
    ["This is **", "This is "],
    ["Use `npm", "Use `npm`"],
    ["Use `", "Use "],
    ["See [the docs](https://exam", "See the docs"],
    ["See [the do", "See the do"],
    ["~~old", "~~old~~"],
    ["~~old~", "~~old~~"],
    ["This is **bold*", "This is **bold**"],
    ["Rows:\n\n| a | b |\n", "Rows:\n"],
    ["A list:\n-", "A list:\n"],
    ["A title\n==", "A title\n"],
    ["1", ""],
    ["Rows:\n\n| a | b", "Rows:\n"],
    ["Rows:\n\n| a | b |\n| -", "Rows:\n"],
    ["arr[0", "arr[0"],
  ])("makes %j steady", (text, steady) => {
    expect(steadyTail(text)).toBe(steady);
  });

  it("leaves code and whole sentences unchanged", () => {
    for (const text of ["```ts\nconst a = `", "A **whole** sentence with `code`.", "| a |\n| - |\n| 1"]) {
      expect(steadyTail(text)).toBe(text);
    }
  });

  it("never shows a bare mark while an answer is written letter by letter", () => {
    const answer =
      "Use **bold words** and `code` with [a link](https://example.org) here.\n\n- one\n- two **x**\n\nEnd.";
    for (let length = 1; length <= answer.length; length += 1) {
      const html = renderToStaticMarkup(createElement(Markdown, { text: answer.slice(0, length), isStreaming: true }));
      const shown = html.replace(/<[^>]*>/g, "");
      expect(shown).not.toMatch(/\*\*|`|\]\(|https:/);
      expect(html).not.toContain("<h2");
    }
  });
});
