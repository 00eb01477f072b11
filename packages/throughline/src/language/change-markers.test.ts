import { describe, expect, it } from "vitest";
import { hasChangeMarker, withoutAnyMore } from "./change-markers.ts";

describe("hasChangeMarker", () => {
  it.each([
    ["correction", "Oh wait, actually it is Thursday"],
    ["correction", "[Ada]: Update: the price is $5"],
    ["correction", "Change of plans, we meet at noon"],
    ["end", "I no longer smoke"],
    ["end", "We don’t use npm anymore"],
    ["end", "She used to live in Rome"],
    ["replacement", "Use tabs instead of spaces"],
    ["replacement", "We switched to pnpm"],
    ["replacement", "This overrides the earlier rule"],
    ["new-state", "From now on answer in German"],
    ["new-state", "The office is now in Porto"],
    ["new-state", "I live in Porto now!"],
    ["new-state", "So now I live in Porto"],
  ] as const)("finds a %s in: %s", (kind, text) => {
    expect(hasChangeMarker(text)).toBe(true);
    expect(hasChangeMarker(text, [kind])).toBe(true);
  });

  it.each([
    "I live in Porto",
    "I am busy right now",
    "I know now that it works",
    "The update is ready",
    "Move it to the shelf",
  ])("finds nothing in: %s", (text) => {
    expect(hasChangeMarker(text)).toBe(false);
  });

  it("looks only for the given kinds", () => {
    expect(hasChangeMarker("I no longer smoke", ["replacement", "correction"])).toBe(false);
  });
});

describe("withoutAnyMore", () => {
  it("removes the words at the end", () => {
    expect(withoutAnyMore("does not smoke anymore")).toBe("does not smoke");
    expect(withoutAnyMore("does not smoke any more")).toBe("does not smoke");
    expect(withoutAnyMore("anymore of this")).toBe("anymore of this");
  });
});
