import { expect, it } from "vitest";
import { titleFrom } from "./branches.ts";

it.each([
  ["Plan the beds", "Plan the beds"],
  ["What does `roof-planner` do, **exactly**?", "What does roof-planner do, exactly?"],
  ["# Notes\n\n> We met", "Notes We met"],
  ["snake_case and 2 * 3 stay", "snake_case and 2 * 3 stay"],
  [" \n ", "New chat"],
])("the title of %j is %j", (text, title) => {
  expect(titleFrom(text)).toBe(title);
});

it("a long title ends with a whole word", () => {
  expect(titleFrom("A very long first message that goes on and on about everything")).toBe(
    "A very long first message that goes on and on…",
  );
});
