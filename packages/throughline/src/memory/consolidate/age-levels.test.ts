import { describe, expect, it } from "vitest";
import { DAY } from "../facts/fact-rules.ts";
import { factOf, NOW } from "../facts/memory.arbitrary.ts";
import { ageLevels } from "./age-levels.ts";

const story = `Debugged the auth flow for two hours. ${"Tried this and that in the login form. ".repeat(8)}Root cause: token expiry check used wrong timezone. Fixed by normalizing to UTC. Added a regression test.`;

function episode(days: number, more = {}) {
  const levels = { full: story, summary: "Fixed auth", compressed: "auth", index: "auth" };
  return factOf(story, { kind: "episode", levels, lastSeenAt: NOW - days * DAY, ...more });
}

describe("an episode", () => {
  it.each([
    [6, undefined],
    [7, undefined],
    [8, "summary"],
    [30, "summary"],
    [31, "compressed"],
  ] as const)("of %i days is given out by: %s", (days, level) => {
    expect(ageLevels(episode(days), NOW).servedLevel).toBe(level);
  });

  it("keeps all of its text and the levels that somebody has written", () => {
    expect(ageLevels(episode(40), NOW)).toEqual({ ...episode(40), servedLevel: "compressed" });
  });

  it("gets the levels that it lacks", () => {
    const bare = episode(8, { levels: { full: story, summary: story, compressed: "", index: "auth" } });
    const { levels } = ageLevels(bare, NOW);
    expect(levels).toMatchObject({ full: story, index: "auth" });
    expect(levels.summary).toContain("Root cause: token expiry check used wrong timezone.");
    expect(levels.summary.length).toBeLessThan(story.length);
    expect(levels.compressed).not.toBe("");
  });

  it("is whole again once it is spoken of, and stays whole where it is pinned", () => {
    expect(ageLevels(episode(1, { servedLevel: "compressed" }), NOW)).toEqual(episode(1));
    expect(ageLevels(episode(40, { pinned: true }), NOW).servedLevel).toBeUndefined();
  });
});

describe("any other memory", () => {
  it("stays as it is", () => {
    const fact = factOf(story, { lastSeenAt: 0 });
    expect(ageLevels(fact, NOW)).toBe(fact);
  });
});
