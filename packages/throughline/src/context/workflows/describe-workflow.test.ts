import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { generalizeCommand, placeholder } from "./describe-workflow.ts";

describe("one command for many", () => {
  const cases: [what: string, commands: string[], told: string][] = [
    ["what never varies", ["pnpm test --coverage", "pnpm test --coverage"], "pnpm test --coverage"],
    [
      "hashes",
      ["docker build -t app:1a2b3c4 .", "docker build -t app:9f8e7d6 ."],
      `docker build -t app:${placeholder("SHA")} .`,
    ],
    [
      "short hashes that differ",
      ["docker build -t app:abc", "docker build -t app:def"],
      `docker build -t app:${placeholder("SHA")}`,
    ],
    ["versions", ["npm version 1.2.3", "npm version 1.3.0"], `npm version ${placeholder("VERSION")}`],
    ["messages", ['git commit -m "fix: one"'], `git commit -m "${placeholder("MESSAGE")}"`],
    ["branches", ["git push origin feature/a"], `git push origin ${placeholder("BRANCH")}`],
    ["the main branch", ["git push origin main"], "git push origin main"],
    ["a folder before the verb", ["git -C /home/ada/app commit -m x"], `git commit -m "${placeholder("MESSAGE")}"`],
    ["what is mostly the same", ["mise run test", "mise run test", "mise run test:ci"], "mise run test"],
    ["paths", ["go test ./cmd/a", "go test ./cmd/b", "go test ./lib/c"], `go test ./${placeholder("PATH")}`],
    [
      "what a flag names",
      ["helm upgrade app --set one", "helm upgrade app --set two"],
      `helm upgrade app --set ${placeholder("SET")}`,
    ],
    ["the most frequent form", ["go test -v ./...", "pnpm test", "pnpm test"], "pnpm test"],
  ];
  it.each(cases)("keeps or replaces %s", (_, commands, told) => {
    expect(generalizeCommand(commands)).toBe(told);
  });

  it("does not depend on the order", () => {
    const commands = fc.array(
      fc.constantFrom(
        "pnpm test",
        "pnpm test a.ts",
        "pnpm test b.ts",
        "docker build -t a:1",
        "docker build -t b:2 .",
        "go test",
      ),
      { minLength: 1, maxLength: 12 },
    );
    fc.assert(
      fc.property(commands, (given) => {
        expect(generalizeCommand(given.toReversed())).toBe(generalizeCommand(given));
      }),
    );
  });
});
