import { describe, expect, it } from "vitest";
import { isShortStatement, rememberCandidates } from "./ask-to-remember.tsx";

describe("the candidates of a message to remember", () => {
  it("is never a whole answer", () => {
    expect(isShortStatement({ role: "assistant", text: "Lisbon." })).toBe(false);
    expect(isShortStatement({ role: "user", text: "I live in Lisbon." })).toBe(true);
    expect(isShortStatement({ role: "user", text: "One thing.\nAnother thing." })).toBe(false);
  });

  it("is offered sentence by sentence, without marks, headings, code and questions", () => {
    const answer = [
      "## Plan",
      "You live in **Lisbon** and work in the mornings. What else is there?",
      "1. The beds are `25 cm` deep.",
      "```sql",
      "select everything from somewhere;",
      "```",
      "Three things, in this order:",
      "Ok.",
    ].join("\n");
    expect(rememberCandidates(answer)).toEqual([
      "You live in Lisbon and work in the mornings.",
      "The beds are 25 cm deep.",
    ]);
  });
});
