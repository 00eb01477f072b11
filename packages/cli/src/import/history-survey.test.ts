import { describe, expect, it } from "vitest";
import { RuleLog } from "./history-survey.ts";

const said = (own: string, sessionId: string, at = 1, project = "/shop") => {
  return { own, at, sessionId, project, isReply: true };
};

function timesOf(log: RuleLog): readonly (readonly [string, number])[] {
  return log.repeated().map(({ text, times }) => [text, times] as const);
}

describe("rules that the user gave again", () => {
  it("are found in another session of the project, also in other words", () => {
    const log = new RuleLog();
    log.add(said("Always run the linter before you commit.", "one"));
    log.add(said("Please always run the linter before every commit!", "two", 2));
    expect(timesOf(log)).toEqual([["Please always run the linter before every commit!", 2]]);
  });

  it("count once per session, as long as they are in the window", () => {
    const log = new RuleLog();
    for (const at of [1, 2, 3]) log.add(said("Never push to the main branch.", "one", at));
    expect(log.repeated()).toEqual([]);
  });

  it("count again after a compaction whose summary lost them", () => {
    for (const [summary, times] of [
      ["The cart is done.", [2]],
      ["The user wants us to never push to the main branch.", []],
    ] as const) {
      const log = new RuleLog();
      log.add(said("Never push to the main branch.", "one"));
      log.compaction("one", summary);
      log.add(said("I said never push to the main branch.", "one", 2));
      expect(log.repeated().map((rule) => rule.times)).toEqual(times);
    }
  });

  it("belong to one project", () => {
    const log = new RuleLog();
    log.add(said("Never push to the main branch.", "one", 1, "/shop"));
    log.add(said("Never push to the main branch.", "two", 2, "/blog"));
    expect(log.repeated()).toEqual([]);
  });

  it.each([
    ["Never push to the main branch.", "Never push broken images to the registry."],
    ["Never change the layout of the cart page.", "Never change the layout of the order page."],
    ["Never push.", "Never push to the main branch."],
  ])("are different rules: %s %s", (first, second) => {
    const log = new RuleLog();
    log.add(said(first, "one"));
    log.add(said(second, "two", 2));
    expect(log.repeated()).toEqual([]);
  });
});
