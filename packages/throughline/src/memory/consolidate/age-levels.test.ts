import { describe, expect, it } from "vitest";
import { DAY } from "../../internal/time.ts";
import { factOf, NOW } from "../facts/memory.arbitrary.ts";
import { ageLevels } from "./plan-consolidation.ts";

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
  ] as const)("of %i days is served at level %s", (days, level) => {
    expect(ageLevels(episode(days), NOW).servedLevel).toBe(level);
  });

  it("keeps its full text and its existing levels", () => {
    expect(ageLevels(episode(40), NOW)).toEqual({ ...episode(40), servedLevel: "compressed" });
  });

  it("gets its missing levels", () => {
    const bare = episode(8, { levels: { full: story, summary: story, compressed: "", index: "auth" } });
    const { levels } = ageLevels(bare, NOW);
    expect(levels).toMatchObject({ full: story, index: "auth" });
    expect(levels.summary).toContain("Root cause: token expiry check used wrong timezone.");
    expect(levels.summary.length).toBeLessThan(story.length);
    expect(levels.compressed).not.toBe("");
  });

  it("is served in full after a new mention, and always if it is pinned", () => {
    expect(ageLevels(episode(1, { servedLevel: "compressed" }), NOW)).toEqual(episode(1));
    expect(ageLevels(episode(40, { pinned: true }), NOW).servedLevel).toBeUndefined();
  });
});

describe("a memory of another kind", () => {
  it("stays unchanged", () => {
    const fact = factOf(story, { lastSeenAt: 0 });
    expect(ageLevels(fact, NOW)).toBe(fact);
  });
});
