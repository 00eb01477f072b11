import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import Markdown from "./markdown.tsx";
import { steadyTail } from "./steady-tail.ts";

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

  it("leaves code and whole sentences as they are", () => {
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
