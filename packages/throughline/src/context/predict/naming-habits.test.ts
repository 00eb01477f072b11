import { describe, expect, it } from "vitest";
import { isSpecific, NamingHabits, readPath, readWords } from "./naming-habits.ts";

function habitsOf(...baskets: readonly (readonly string[])[]): NamingHabits {
  const habits = new NamingHabits();
  for (const paths of baskets) {
    const files = paths.map(readPath);
    for (const [at, file] of files.entries()) habits.learn(file, files.slice(0, at));
  }
  return habits;
}

describe("companions", () => {
  it("predicts the test of a new file by the naming of the project", () => {
    const habits = habitsOf(["src/cart.ts", "src/cart.test.ts"], ["src/price.ts", "src/price.test.ts"]);
    expect(habits.companions(readPath("src/deep/new.ts"), 5)).toEqual(["src/deep/new.test.ts"]);
    expect(habits.companions(readPath("src/deep/new.test.ts"), 5)).toEqual(["src/deep/new.ts"]);
  });

  it("predicts companions in parallel folders", () => {
    const habits = habitsOf(
      ["lib/cart.py", "lib/tests/test_cart.py"],
      ["docs/react/guide/one.md", "docs/vue/guide/one.md"],
    );
    expect(habits.companions(readPath("lib/user.py"), 5)).toEqual(["lib/tests/test_user.py"]);
    expect(habits.companions(readPath("docs/react/reference/two.md"), 5)).toContain("docs/vue/reference/two.md");
  });

  it("predicts nothing for generic names and unseen habits", () => {
    const habits = habitsOf(["src/index.ts", "src/index.test.ts"]);
    expect(habits.companions(readPath("lib/index.ts"), 5)).toEqual([]);
    expect(habits.companions(readPath("lib/a.go"), 5)).toEqual([]);
  });
});

describe("strength", () => {
  it("grows with the number of equal pairs, from 0 to 1", () => {
    const pairs = Array.from({ length: 40 }, (_, at) => [`p/${at}/package.json`, `p/${at}/CHANGELOG.md`]);
    const strength = (count: number) =>
      habitsOf(...pairs.slice(0, count)).strength(readPath("q/package.json"), readPath("q/CHANGELOG.md"));
    expect(strength(0)).toBe(0);
    expect(strength(5)).toBeGreaterThan(strength(1));
    expect(strength(40)).toBeGreaterThan(strength(5));
    expect(strength(40)).toBeLessThan(1);
  });

  it("decays for habits that are not used anymore", () => {
    const old = Array.from({ length: 20 }, (_, at) => [`old${at}.ts`, `old${at}.spec.ts`]);
    const now = Array.from({ length: 200 }, (_, at) => [`now${at}.ts`, `now${at}.test.ts`]);
    const habits = habitsOf(...old, ...now);
    const [file, spec, test] = ["cart.ts", "cart.spec.ts", "cart.test.ts"].map(readPath);
    if (file === undefined || spec === undefined || test === undefined) return;
    expect(habits.strength(file, test)).toBeGreaterThan(10 * habits.strength(file, spec));
  });
});

describe("readPath", () => {
  it.each([
    ["src/auth/login.ts", "login", "*.ts"],
    ["src/auth/login.test.ts", "login", "*.test.ts"],
    ["cmd/cli/clean_test.go", "clean", "*_test.go"],
    ["lib/parse.h", "parse", "*.h"],
    ["lib/parse.c", "parse", "*.c"],
    ["tests/test_views.py", "views", "test_*.py"],
    ["ui/Button.stories.tsx", "button", "*.stories.tsx"],
    ["api/user.types.d.ts", "user", "*.types.d.ts"],
    ["Makefile", "makefile", "*"],
    [".gitignore", ".gitignore", "*"],
    ["test.ts", "test", "*.ts"],
  ])("finds what %s is about", (path, core, frame) => {
    expect(readPath(path)).toMatchObject({ path, core, frame });
  });

  it("splits folders, name and extension", () => {
    expect(readPath("a/b/C.tsx")).toMatchObject({
      folders: ["a", "b"],
      folder: "a/b",
      name: "C.tsx",
      extension: "tsx",
    });
    expect(readPath("C")).toMatchObject({ folders: [], folder: "", name: "C", extension: "" });
  });
});

describe("readWords", () => {
  it("splits names in any case style into normalized, distinct words", () => {
    expect(readWords("src/userSettings/HTTPClient_test-2")).toEqual([
      "src",
      "user",
      "setting",
      "http",
      "client",
      "test",
    ]);
    expect(readWords("über/日本/class")).toEqual(["über", "日本", "class"]);
  });
});

describe("isTelling", () => {
  it("separates generic names from specific ones", () => {
    expect(["index", "readme", "x"].map(isSpecific)).toEqual([false, false, false]);
    expect(["login", "parse"].map(isSpecific)).toEqual([true, true]);
  });
});
