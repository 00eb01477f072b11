import { describe, expect, it } from "vitest";
import { findIdentifiers, isIdentifier } from "./find-identifiers.ts";

const found = (text: string) => [...findIdentifiers(text).keys()];

describe("findIdentifiers", () => {
  it("finds whole paths, symbols, ids, files and links", () => {
    expect(
      found(
        'open("/app/src/a.ts:12"), call parse_config or state.FilesTouched in README.md; see https://x.example/a?b=1. commit 6d61daa, `ENT-241`',
      ),
    ).toEqual([
      "/app/src/a.ts",
      "parse_config",
      "state.FilesTouched",
      "README.md",
      "https://x.example/a?b=1",
      "6d61daa",
      "ENT-241",
    ]);
  });

  it("finds Windows paths and a path within a revision", () => {
    expect(found("C:\\Users\\ada\\new.ts main/v1:src/a.ts")).toEqual(["C:\\Users\\ada\\new.ts", "main/v1:src/a.ts"]);
  });

  it("skips words, rules, tags and times", () => {
    expect(found("The word, a well-known one. ------- ..... </system> 2026-01-02T10:00:00.000Z 12345")).toEqual([]);
  });

  it("counts occurrences", () => {
    expect(findIdentifiers("fooBar fooBar").get("fooBar")).toBe(2);
  });

  it.each([
    ["one letter", "a".repeat(1_000_000), 0],
    ["base64", "QWxhZGRpbjpvcGVuIHNlc2FtZQ+/0Z".repeat(33_333), 0],
    ["hex", "deadbeef01".repeat(100_000), 0],
    ["minified JSON", `{${Array.from({ length: 60_000 }, (_, i) => `"key_${i}":${i}`).join(",")}}`, 400],
    ["dots and slashes", "./".repeat(500_000), 0],
    ["colons", "a:".repeat(500_000), 0],
  ])("takes at most a sample of a megabyte of %s", (_, text, most) => {
    expect(findIdentifiers(text).size).toBeLessThanOrEqual(most);
  });

  it("recognizes an identifier by its form", () => {
    expect(["a/b/c", "in_progress", "fooBar", "main.go", "v1beta"].every(isIdentifier)).toBe(true);
    expect(["word", "words", "Capital", "12345", "a".repeat(200)].some(isIdentifier)).toBe(false);
  });
});
