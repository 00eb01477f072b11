import { describe, expect, it } from "vitest";
import { formatAge, projectName } from "./format-age.ts";

const NOW = Date.parse("2026-11-18T12:00:00Z");
const ago = (hours: number) => formatAge(new Date(NOW - hours * 3_600_000).toISOString(), NOW);

describe("the age of a memory", () => {
  it("has the largest unit that fits", () => {
    expect([ago(0), ago(2), ago(49), ago(24 * 15), ago(24 * 70), ago(24 * 800)]).toEqual([
      "this minute",
      "2 hr. ago",
      "2 days ago",
      "2 wk. ago",
      "2 mo. ago",
      "2 yr. ago",
    ]);
  });
});

describe("the name of a project", () => {
  it("is the last folder of its path", () => {
    expect(["/home/ada/shop/", "C:\\work\\shop", "shop", "/"].map(projectName)).toEqual(["shop", "shop", "shop", "/"]);
  });
});
