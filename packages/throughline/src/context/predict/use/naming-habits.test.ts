import { describe, expect, it } from "vitest";
import { NamingHabits } from "./naming-habits.ts";
import { readPath } from "./path-parts.ts";

function habitsOf(...baskets: readonly (readonly string[])[]): NamingHabits {
  const habits = new NamingHabits();
  for (const paths of baskets) {
    const files = paths.map(readPath);
    for (const [at, file] of files.entries()) habits.learn(file, files.slice(0, at));
  }
  return habits;
}

describe("companions", () => {
  it("names the test of a file that nobody has seen, as the project names its tests", () => {
    const habits = habitsOf(["src/cart.ts", "src/cart.test.ts"], ["src/price.ts", "src/price.test.ts"]);
    expect(habits.companions(readPath("src/deep/new.ts"), 5)).toEqual(["src/deep/new.test.ts"]);
    expect(habits.companions(readPath("src/deep/new.test.ts"), 5)).toEqual(["src/deep/new.ts"]);
  });

  it("follows tests into another folder, and folders that stand for each other", () => {
    const habits = habitsOf(
      ["lib/cart.py", "lib/tests/test_cart.py"],
      ["docs/react/guide/one.md", "docs/vue/guide/one.md"],
    );
    expect(habits.companions(readPath("lib/user.py"), 5)).toEqual(["lib/tests/test_user.py"]);
    expect(habits.companions(readPath("docs/react/reference/two.md"), 5)).toContain("docs/vue/reference/two.md");
  });

  it("says nothing of names that every folder has, and of habits that it has not seen", () => {
    const habits = habitsOf(["src/index.ts", "src/index.test.ts"]);
    expect(habits.companions(readPath("lib/index.ts"), 5)).toEqual([]);
    expect(habits.companions(readPath("lib/a.go"), 5)).toEqual([]);
  });
});

describe("strength", () => {
  it("grows with how often files lie so to each other, and lies between 0 and 1", () => {
    const pairs = Array.from({ length: 40 }, (_, at) => [`p/${at}/package.json`, `p/${at}/CHANGELOG.md`]);
    const strength = (count: number) =>
      habitsOf(...pairs.slice(0, count)).strength(readPath("q/package.json"), readPath("q/CHANGELOG.md"));
    expect(strength(0)).toBe(0);
    expect(strength(5)).toBeGreaterThan(strength(1));
    expect(strength(40)).toBeGreaterThan(strength(5));
    expect(strength(40)).toBeLessThan(1);
  });

  it("forgets what is not done any more", () => {
    const old = Array.from({ length: 20 }, (_, at) => [`old${at}.ts`, `old${at}.spec.ts`]);
    const now = Array.from({ length: 200 }, (_, at) => [`now${at}.ts`, `now${at}.test.ts`]);
    const habits = habitsOf(...old, ...now);
    const [file, spec, test] = ["cart.ts", "cart.spec.ts", "cart.test.ts"].map(readPath);
    if (file === undefined || spec === undefined || test === undefined) return;
    expect(habits.strength(file, test)).toBeGreaterThan(10 * habits.strength(file, spec));
  });
});
