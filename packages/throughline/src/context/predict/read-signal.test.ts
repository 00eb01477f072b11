import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findMentions } from "./find-mentions.ts";
import { branchSignal, branchWords, errorSignature, hourOf, projectPath, readSignal } from "./read-signal.ts";
import { UseIndex } from "./use-index.ts";

describe("projectPath", () => {
  it.each([
    ["src/a.ts", "src/a.ts"],
    ["./src//a.ts", "src/a.ts"],
    ["src\\b\\a.ts", "src/b/a.ts"],
    ["src/x/../a.ts", "src/a.ts"],
    [" odd name\t.ts", " odd name\t.ts"],
  ])("brings %j into one form", (path, clean) => expect(projectPath(path)).toBe(clean));

  it.each([
    "/etc/passwd",
    "../a.ts",
    "src/../../a.ts",
    "C:\\a.ts",
    "~/a.ts",
    "",
    ".",
    "a/..",
    "a\0b",
    ".git/HEAD",
    "x/.git/y.json",
    "a".repeat(401),
  ])("refuses %j", (path) => expect(projectPath(path)).toBeUndefined());

  it("returns no path outside the project for any input", () => {
    const names = fc.array(fc.constantFrom("..", ".", "a", "", "b c", "\\", "/"), { maxLength: 8 });
    fc.assert(
      fc.property(names, (parts) => {
        const path = projectPath(parts.join("/"));
        expect(path?.split("/").some((name) => name === ".." || name === "." || name === "") ?? false).toBe(false);
        expect(path === undefined ? path : projectPath(path)).toBe(path);
      }),
    );
  });
});

describe("errorSignature", () => {
  const same: [string, string][] = [
    [
      "TypeError: Cannot read properties of undefined (reading 'name')",
      "TypeError: Cannot read properties of undefined (reading 'id')",
    ],
    ["Error: ENOENT: no such file, open '/home/a/x.txt'", "Error: ENOENT: no such file, open '/srv/b/y.txt'"],
    ["src/a.ts(3,5): error TS2345: Argument", "lib/b/c.ts(120,33): error TS2345: Argument"],
    ["Error: commit 9f8e7d6c5b4a not found", "Error: commit 0a1b2c3d4e5f not found"],
    ["\u001b[31mError: timeout after 30s\u001b[0m", "Error: timeout after 5s"],
    ["info\n  at x\npanic: nil map in worker 7", "panic: nil map in worker 12\nmore"],
    ["Error: GET https://a.example/x?q=1 failed", "Error: GET https://b.example/y failed"],
  ];
  it.each(same)("is the same for %j and %j", (a, b) => {
    expect(errorSignature(a)).toBe(errorSignature(b));
    expect(errorSignature(a)).not.toBe(undefined);
  });

  it("differs for different errors", () => {
    expect(errorSignature("TypeError: x is not a function")).not.toBe(errorSignature("RangeError: invalid length"));
  });

  it("is short, and empty for an empty message", () => {
    expect(errorSignature(" \n ")).toBeUndefined();
    fc.assert(fc.property(fc.string({ maxLength: 3_000 }), (text) => (errorSignature(text) ?? "").length <= 160));
    expect(errorSignature(`error ${"a/".repeat(200_000)}`)?.length).toBeLessThanOrEqual(160);
  });
});

describe("branches", () => {
  it("yield words of the task, or none", () => {
    expect(branchWords("ada/fix-loginRedirect")).toEqual(["fix", "login", "redirect"]);
    expect(branchSignal("ada/fix-login")).toEqual(["branch ada/fix-login"]);
    for (const trunk of ["main", "master", "develop", ""])
      expect([branchWords(trunk), branchSignal(trunk)]).toEqual([[], []]);
  });
});

describe("findMentions", () => {
  const index = new UseIndex();
  for (const path of ["src/auth/login.ts", "src/auth/login.test.ts", "src/index.ts", "web/index.ts"]) index.know(path);
  const found = (text: string, near: readonly string[] = []) => [...findMentions(text, index, near).keys()].sort();

  it("finds known files by their paths, their ends and their names", () => {
    expect(found("open src/auth/login.ts:12, please")).toEqual(["src/auth/login.ts"]);
    expect(found("see `auth/login.test.ts`.")).toEqual(["src/auth/login.test.ts"]);
    expect(found('{"file":"login.ts"}')).toEqual(["src/auth/login.ts"]);
    expect(found("C:\\work\\src\\auth\\login.ts")).toEqual(["src/auth/login.ts"]);
    expect(found("index.ts")).toEqual(["src/index.ts", "web/index.ts"]);
  });

  it("derives the root from known files to name the others", () => {
    const text = "/home/ada/shop/src/auth/login.ts\n/home/ada/shop/src/cart/price.ts\n/etc/other.ts";
    expect(found(text)).toEqual(["src/auth/login.ts", "src/cart/price.ts"]);
  });

  it("reads paths in diffs and lists", () => {
    expect(found("--- a/src/new.ts\n+++ b/src/new.ts\n- ./lib/more.ts")).toEqual(["lib/more.ts", "src/new.ts"]);
  });

  it("resolves an unknown name near current files, and skips names that are no files", () => {
    expect(found("add fresh.ts", ["src/auth", ""])).toEqual(["fresh.ts", "src/auth/fresh.ts"]);
    expect(found("strings.Contains(x) v1.2.3 example.com ../out.ts ... .ts")).toEqual([]);
  });

  it("returns the count of mentions and the distance from the end", () => {
    const mentions = findMentions("src/index.ts and src/index.ts again", index, []);
    expect(mentions.get("src/index.ts")).toEqual({ times: 2, distance: 18, isBare: false });
  });

  it("reads a long text fast, and only its end", () => {
    const long = `src/index.ts ${"a.b/".repeat(300_000)} src/auth/login.ts`;
    expect(found(long)).toEqual(["src/auth/login.ts"]);
    expect(found(".".repeat(500_000))).toEqual([]);
  });
});

describe("readSignal", () => {
  it("omits files outside the project", () => {
    const { file, recentFiles } = readSignal({ fileOpened: "/etc/hosts", recentFiles: ["../a.ts", "./b.ts"] }, 0);
    expect([file, recentFiles]).toEqual([undefined, ["b.ts"]]);
  });

  it("reads the hour of the day", () => {
    expect(hourOf(Date.UTC(2026, 0, 5, 9, 59))).toBe(9);
  });
});
