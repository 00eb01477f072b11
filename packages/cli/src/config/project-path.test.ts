import { describe, expect, it } from "vitest";
import { isSameFolder, normalizeFolder, repositoryOfWorktree } from "./project-path.ts";

describe("normalizeFolder", () => {
  it.each(["win32", "darwin", "linux"] as const)("normalizes Windows paths on %s", (platform) => {
    for (const folder of [
      "C:\\Users\\me\\repo",
      "c:\\Users\\me\\repo\\",
      "c:/Users/me/repo",
      "C:\\Users\\me\\x\\..\\repo",
    ]) {
      expect(normalizeFolder(folder, platform)).toBe("C:\\Users\\me\\repo");
    }
    expect(normalizeFolder("\\\\server\\share\\repo\\", platform)).toBe("\\\\server\\share\\repo");
    expect(normalizeFolder("D:\\", platform)).toBe("D:\\");
  });

  it.each(["darwin", "linux"] as const)("normalizes Unix paths on %s", (platform) => {
    for (const folder of ["/home/me/repo", "/home/me/repo/", "/home//me/x/../repo"]) {
      expect(normalizeFolder(folder, platform)).toBe("/home/me/repo");
    }
    expect(normalizeFolder("/home/me/a\\b", platform)).toBe("/home/me/a\\b");
  });

  it.each(["shop", "", "C:shop", "~/shop"])("leaves the name %j alone", (name) => {
    for (const platform of ["win32", "darwin", "linux"] as const) expect(normalizeFolder(name, platform)).toBe(name);
  });
});

it("ignores case where the file system does", () => {
  expect(isSameFolder("C:\\Users\\Me", "C:\\users\\me", "win32")).toBe(true);
  expect(isSameFolder("/Users/Me", "/users/me", "darwin")).toBe(true);
  expect(isSameFolder("/home/Me", "/home/me", "linux")).toBe(false);
});

it.each([
  ["/home/ada/shop/.claude/worktrees/fix/src", "/home/ada/shop"],
  ["C:\\shop\\.claude\\worktrees\\fix", "C:\\shop"],
  ["C:\\shop\\.worktrees\\fix\\src", "C:\\shop"],
  ["C:\\shop\\worktrees\\fix", undefined],
])("finds the repository of the worktree %s", (folder, repository) => {
  expect(repositoryOfWorktree(folder)).toBe(repository);
});
