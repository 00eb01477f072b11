import path from "node:path";
import { describe, expect, it } from "vitest";
import { git, projectFolder } from "../workspace/project.fixture.ts";
import { isSameFolder, normalizeFolder, projectOf, repositoryOfWorktree, resolveProject } from "./project.ts";

describe("the project of a folder", () => {
  it("is the repository it is in", () => {
    const root = projectFolder({ "src/deep/a.ts": "1" });
    git(root, "init");
    for (const folder of [root, path.join(root, "src"), path.join(root, "src/deep"), path.join(root, "not/there")]) {
      expect(projectOf(folder)).toEqual({ id: root, root, isRepository: true });
    }
  });

  it("is the main repository for a worktree, with the worktree's files", () => {
    const root = projectFolder({ "a.ts": "1" });
    git(root, "init");
    git(root, "add", "--all");
    git(root, "commit", "--message", "first");
    const other = path.join(projectFolder({}), "other");
    git(root, "worktree", "add", other);
    expect(projectOf(path.join(other, "src"))).toEqual({ id: root, root: other, isRepository: true });
  });

  it("is the submodule itself", () => {
    const root = projectFolder({ "lib/.git": "gitdir: ../.git/modules/lib" });
    git(root, "init");
    expect(projectOf(path.join(root, "lib"))).toMatchObject({
      id: path.join(root, "lib"),
      root: path.join(root, "lib"),
    });
  });

  it.each(["C:\\Users\\ada\\shop", "shop", ""])("is the path itself if it belongs to another machine: %j", (folder) => {
    expect(projectOf(folder)).toEqual({ id: folder, root: folder, isRepository: false });
  });

  it("is the same for every way to write a Windows folder", () => {
    for (const folder of ["C:\\shop", "c:\\shop\\", "c:/shop", "C:\\shop\\.claude\\worktrees\\fix"]) {
      expect(projectOf(folder).id).toBe("C:\\shop");
      expect(resolveProject(folder, { cwd: "/work", home: "/home/ada" }).id).toBe("C:\\shop");
    }
  });

  it("is the folder itself outside of a repository", () => {
    const folder = projectFolder({});
    expect(projectOf(folder)).toEqual({ id: folder, root: folder, isRepository: false });
    expect(projectOf(`${folder}/`)).toEqual({ id: folder, root: folder, isRepository: false });
  });

  it.each([
    ["/home/ada/gone/.worktrees/fix", "/home/ada/gone"],
    ["/home/ada/gone/.claude/worktrees/fix/src", "/home/ada/gone"],
    ["/home/ada/gone/worktrees/fix", "/home/ada/gone/worktrees/fix"],
  ])("is the repository of a deleted worktree: %s", (folder, id) => {
    expect(projectOf(folder)).toEqual({ id, root: folder, isRepository: false });
  });

  it("is the text itself if it is not a valid path", () => {
    const folder = `/${"p".repeat(5_000)}`;
    expect(projectOf(folder)).toEqual({ id: folder, root: folder, isRepository: false });
  });
});

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
