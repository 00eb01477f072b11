import { describe, expect, it } from "vitest";
import { formatAge, personName, projectName } from "./format-age.ts";

const NOW = Date.parse("2026-11-18T12:00:00Z");
const ago = (hours: number) => formatAge(new Date(NOW - hours * 3_600_000).toISOString(), NOW, "en");

describe("the age of a memory", () => {
  it("has the largest unit that fits", () => {
    expect([ago(0), ago(2), ago(49), ago(24 * 15), ago(24 * 70), ago(24 * 800)]).toEqual([
      "now",
      "2 hours ago",
      "2 days ago",
      "2 weeks ago",
      "2 months ago",
      "2 years ago",
    ]);
  });
});

describe("the name of a project", () => {
  it("is the last two folders of its path", () => {
    const names = ["/home/ada/shop/", "C:\\work\\shop", "shop", "/"].map(projectName);
    expect(names).toEqual(["ada/shop", "work/shop", "shop", "/"]);
  });
});

describe("the name of a person", () => {
  it('is "You" for the only user', () => {
    expect(["local", "user", "Ben"].map((name) => personName(name, "You"))).toEqual(["You", "You", "Ben"]);
  });
});
