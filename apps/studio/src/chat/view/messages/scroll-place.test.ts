import { describe, expect, it } from "vitest";
import { isAtEnd, isLeaving } from "./scroll-place.ts";

const place = { scrollTop: 400, scrollHeight: 1_000, clientHeight: 600 };

describe("isAtEnd", () => {
  it("forgives a few pixels", () => {
    expect([isAtEnd(place), isAtEnd({ ...place, scrollTop: 390 }), isAtEnd({ ...place, scrollTop: 380 })]).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe("isLeaving", () => {
  it("sees that the person scrolls up, also while an answer grows", () => {
    expect(isLeaving(place, { ...place, scrollTop: 300 })).toBe(true);
    expect(isLeaving(place, { ...place, scrollTop: 300, scrollHeight: 1_100 })).toBe(true);
  });

  it("does not blame the person for a list that shrinks or a composer that does", () => {
    expect(isLeaving(place, { ...place, scrollTop: 300, scrollHeight: 900 })).toBe(false);
    expect(isLeaving(place, { ...place, scrollTop: 392, clientHeight: 608 })).toBe(false);
  });

  it("does not see scrolling down as leaving", () => {
    expect(isLeaving({ ...place, scrollTop: 100 }, { ...place, scrollTop: 200 })).toBe(false);
  });
});
