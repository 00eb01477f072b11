import { describe, expect, it } from "vitest";
import { isSpecific, readPath, readWords } from "./path-parts.ts";

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

  it("takes folders, name and extension apart", () => {
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
  it("splits names as people write them, in one form and each word once", () => {
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
  it("tells names that every folder has from those that say something", () => {
    expect(["index", "readme", "x"].map(isSpecific)).toEqual([false, false, false]);
    expect(["login", "parse"].map(isSpecific)).toEqual([true, true]);
  });
});
