import { describe, expect, it } from "vitest";
import { cleanPath, folderOf, fromRoot, groupPaths, isSameFile, pathEnd, placeNames } from "./file-paths.ts";

it.each([
  ["/srv/shop/src/a.ts", "/srv/shop", "src/a.ts"],
  ["/srv/shop/src/a.ts", "/srv/shop/", "src/a.ts"],
  ["C:\\shop\\src\\a.ts", "C:\\shop", "src/a.ts"],
  ["c:\\Shop\\src\\a.ts", "C:\\shop", "src/a.ts"],
  ["\\\\server\\share\\src\\a.ts", "\\\\server\\share\\", "src/a.ts"],
  ["/srv/Shop/src/a.ts", "/srv/shop", "/srv/Shop/src/a.ts"],
  ["/srv/shopping/src/a.ts", "/srv/shop", "/srv/shopping/src/a.ts"],
  ["src/a.ts", "/srv/shop", "src/a.ts"],
  ["/srv/shop/src/a.ts", undefined, "/srv/shop/src/a.ts"],
  ["shop/a.ts", "shop", "shop/a.ts"],
])("%s in %s is %s", (path, root, told) => {
  expect(fromRoot(path, root)).toBe(told);
});

describe("paths", () => {
  it("are normalized", () => {
    for (const path of ["./src/a.ts", "src\\a.ts", " src//a.ts ", "src/a.ts:12:3", "src/a.ts:7"]) {
      expect(cleanPath(path)).toBe("src/a.ts");
    }
  });

  it("of one folder are listed together", () => {
    expect(groupPaths(["src/a.ts", "README.md", "src/b.ts", "docs/x.md", "LICENSE"])).toBe(
      "src/{a.ts, b.ts}, README.md, LICENSE, docs/x.md",
    );
    expect(groupPaths([])).toBe("");
  });

  it("match if one is a suffix of the other", () => {
    expect(isSameFile("/home/ada/shop/src/a.ts", "src/a.ts")).toBe(true);
    expect(isSameFile("a.ts", "src/a.ts")).toBe(true);
    expect(isSameFile("data.ts", "src/a.ts")).toBe(false);
    expect(isSameFile("lib/a.ts", "src/a.ts")).toBe(false);
    expect(isSameFile("src/a.ts", "src/b.ts")).toBe(false);
    expect(["a.ts", "src/a.ts", "shop/src/a.ts"].map(pathEnd)).toEqual(["a.ts", "src/a.ts", "src/a.ts"]);
  });

  it("yield only specific names as topics", () => {
    expect(placeNames("packages/shop/src/auth/loginForm.test.ts")).toEqual({
      folders: ["shop", "auth"],
      file: ["login", "Form"],
    });
    expect(placeNames("src/index.ts")).toEqual({ folders: [], file: [] });
    expect(folderOf("README.md")).toBe("");
  });
});
