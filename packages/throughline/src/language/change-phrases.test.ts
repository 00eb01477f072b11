import { describe, expect, it } from "vitest";
import { findChanges, statesChange } from "./change-phrases.ts";

describe("statesChange", () => {
  it.each([
    "Oh wait, actually it is Thursday",
    "[Ada]: Update: the price is $5",
    "Change of plans, we meet at noon",
    "I no longer smoke",
    "We don’t use npm anymore",
    "She used to live in Rome",
    "Use tabs instead of spaces",
    "We switched to pnpm",
    "This overrides the earlier rule",
    "From now on answer in German",
    "The office is now in Porto",
    "I live in Porto now!",
    "So now I live in Porto",
    "El equipo pasó de Jira a Linear",
  ])("finds a change in: %s", (text) => {
    expect(statesChange(text)).toBe(true);
  });

  it.each([
    "I live in Porto",
    "I am busy right now",
    "I know now that it works",
    "The update is ready",
    "Move it to the shelf",
  ])("finds nothing in: %s", (text) => {
    expect(statesChange(text)).toBe(false);
  });
});

describe("findChanges", () => {
  it("reads an ended state, and not its denial", () => {
    expect(findChanges("I quit the choir")).toEqual([{ old: "the choir" }]);
    expect(findChanges("I won't quit the choir")).toEqual([]);
    expect(findChanges("Never stop singing")).toEqual([]);
  });
});
