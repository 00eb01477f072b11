import path from "node:path";
import { describe, expect, it } from "vitest";
import { projectOf, resolveProject } from "./project.ts";
import { git, projectFolder } from "../workspace/project.fixture.ts";

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
