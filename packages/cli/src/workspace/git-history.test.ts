import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import type { Commit } from "../../../throughline/src/ports/workspace.ts";
import { SOAK } from "../../../throughline/test/cases.ts";
import { type GitHistoryOptions, gitHistory } from "./git-history.ts";
import { commitAll, git, projectFolder, writeFiles } from "./project.fixture.ts";
import { currentBranch, gitState } from "./run-git.ts";

type Files = Readonly<Record<string, string>>;

function repository(files: Files = {}): string {
  const root = projectFolder(files);
  git(root, "init");
  return root;
}

function commit(root: string, message: string, files: Files = {}): string {
  writeFiles(root, files);
  git(root, "add", "--all");
  git(root, "commit", "--allow-empty", "--message", message);
  return execFileSync("git", ["rev-parse", "HEAD"], { cwd: root, encoding: "utf8" }).trim();
}

async function historyOf(root: string, options?: GitHistoryOptions): Promise<Commit[]> {
  const commits: Commit[] = [];
  for await (const one of gitHistory(root, options)) commits.push(one);
  return commits;
}

const subjects = (commits: readonly Commit[]): string[] => commits.map(({ subject }) => subject);
const longText = Array.from({ length: 40 }, (_, line) => `line ${line}`).join("\n");

describe("gitHistory", () => {
  it("returns commits from oldest to newest, with author, time, message and files", async () => {
    const root = repository({ "a.ts": "1", "b/c.ts": "1" });
    const first = commit(root, "first\n\nBecause of this.\nAnd that.");
    commit(root, "second", { "a.ts": "2" });
    const [one, two] = await historyOf(root);
    expect(one).toMatchObject({ id: first, author: "Ada", subject: "first", body: "Because of this.\nAnd that." });
    expect(one?.files.toSorted()).toEqual(["a.ts", "b/c.ts"]);
    expect(Math.abs(Date.now() - (one?.at ?? 0))).toBeLessThan(3_600_000);
    expect(two).toMatchObject({ subject: "second", body: "", files: ["a.ts"], renames: [], removed: [] });
  });

  it("follows renames and reports deletions", async () => {
    const root = repository({ "old.ts": longText, "gone.ts": "1" });
    commit(root, "first");
    git(root, "mv", "old.ts", "new.ts");
    rmSync(path.join(root, "gone.ts"));
    commit(root, "second", { "new.ts": `${longText}\none more` });
    expect((await historyOf(root)).at(-1)).toMatchObject({
      files: ["new.ts"],
      renames: [{ from: "old.ts", to: "new.ts" }],
      removed: ["gone.ts"],
    });
  });

  it("keeps every character of a path and of a message", async () => {
    const names = [
      'quo"te.ts',
      "line\nbreak.ts",
      "tab\t.ts",
      "ü/日本.ts",
      "-n",
      " space .ts",
      "M",
      "R100",
      "*.ts",
      "\u0001x",
    ];
    const root = repository();
    commit(root, "\u0001 M\nR100 ü", Object.fromEntries(names.map((name) => [name, name])));
    const [only] = await historyOf(root);
    expect(only?.files.toSorted()).toEqual(names.toSorted());
    expect(only?.body).toBe("R100 ü");
  });

  it("returns only commits after a given one, and all if that one is no longer part of the history", async () => {
    const root = repository();
    commit(root, "first", { "a.ts": "1" });
    const since = commit(root, "second", { "a.ts": "2" });
    commit(root, "third", { "a.ts": "3" });
    expect(subjects(await historyOf(root, { since }))).toEqual(["third"]);
    git(root, "reset", "--hard", "HEAD~2");
    commit(root, "other", { "a.ts": "4" });
    expect(subjects(await historyOf(root, { since }))).toEqual(["first", "other"]);
    expect(subjects(await historyOf(root, { since: "0".repeat(40) }))).toEqual(["first", "other"]);
  });

  it("returns the newest commits up to a limit, oldest first", async () => {
    const root = repository();
    for (const name of ["1", "2", "3", "4"]) commit(root, name, { "a.ts": name });
    expect(subjects(await historyOf(root, { limit: 2 }))).toEqual(["3", "4"]);
  });

  it("returns both sides of a merge, and the current commit last, so that it can be resumed from", async () => {
    const root = repository();
    commit(root, "base", { "a.ts": "1" });
    git(root, "switch", "--create", "side");
    commit(root, "on the side", { "b.ts": "1" });
    git(root, "switch", "main");
    commit(root, "on main", { "c.ts": "1" });
    git(root, "merge", "--no-ff", "--message", "merge", "side");
    const commits = await historyOf(root);
    expect(subjects(commits).toSorted()).toEqual(["base", "merge", "on main", "on the side"]);
    expect(commits.at(-1)).toMatchObject({ subject: "merge", files: [] });
    expect(await historyOf(root, { since: commits.at(-1)?.id ?? "" })).toEqual([]);
  });

  it("returns paths from the given folder, even if it is part of a larger repository", async () => {
    const root = repository();
    commit(root, "first", { "app/src/a.ts": "1", "other/b.ts": "1" });
    commit(root, "elsewhere", { "other/b.ts": "2" });
    const commits = await historyOf(path.join(root, "app"));
    expect(commits.map(({ files }) => files)).toEqual([["src/a.ts"], []]);
  });

  it.runIf(SOAK > 1)("reads a change of thousands of files, and keeps some of them", async () => {
    const root = projectFolder({});
    const files = Object.fromEntries(Array.from({ length: 5_200 }, (_, at) => [`f/${at}.ts`, `${at}`]));
    commitAll(root, [{ message: "giant", files }]);
    expect((await historyOf(root))[0]?.files).toHaveLength(5_000);
  });

  it.each(["--output=x", "HEAD; ls", "main", "", "abc"])("rejects %j as a commit id", async (since) => {
    const root = repository();
    commit(root, "first", { "a.ts": "1" });
    await expect(historyOf(root, { since })).rejects.toMatchObject({ code: "invalid-option" });
    expect(readdirSync(root).toSorted()).toEqual([".git", "a.ts"]);
  });

  it.each([0, -1, 1.5, Number.NaN])("rejects a limit of %d", async (limit) => {
    await expect(historyOf(repository(), { limit })).rejects.toMatchObject({ code: "invalid-option" });
  });

  it("stops when it is aborted, and when the reader stops", async () => {
    const root = repository();
    for (const name of ["1", "2", "3"]) commit(root, name, { "a.ts": name });
    const controller = new AbortController();
    const reading = async () => {
      for await (const _ of gitHistory(root, { signal: controller.signal })) controller.abort(new Error("enough"));
    };
    await expect(reading()).rejects.toThrow("enough");
    for await (const { subject } of gitHistory(root)) {
      expect(subject).toBe("1");
      break;
    }
  });

  it("reports if git fails", async () => {
    const root = repository();
    const first = commit(root, "first", { "a.ts": "1" });
    commit(root, "second", { "a.ts": "2" });
    rmSync(path.join(root, ".git/objects", first.slice(0, 2), first.slice(2)), { force: true });
    await expect(historyOf(root)).rejects.toMatchObject({ code: "workspace" });
  });

  it("starts no program from a repository's settings", async () => {
    const root = repository();
    commit(root, "first", { "a.ts": "1" });
    const script = path.join(root, "started.sh");
    writeFileSync(script, `#!/bin/sh\ntouch ${path.join(root, "started")}\n`);
    chmodSync(script, 0o755);
    for (const name of ["core.fsmonitor", "core.pager", "diff.external", "core.askPass", "core.sshCommand"]) {
      git(root, "config", name, script);
    }
    git(root, "config", "core.hooksPath", root);
    git(root, "config", "log.showSignature", "true");
    git(root, "config", "gpg.program", script);
    expect(subjects(await historyOf(root))).toEqual(["first"]);
    expect(existsSync(path.join(root, "started"))).toBe(false);
  });

  it("reads the given folder, regardless of git's environment variables", async () => {
    const root = repository();
    commit(root, "mine", { "a.ts": "1" });
    const other = repository();
    commit(other, "other", { "b.ts": "1" });
    process.env.GIT_DIR = path.join(other, ".git");
    expect(subjects(await historyOf(root))).toEqual(["mine"]);
  });
});

describe("a folder without a history", () => {
  it("is classified, and read as empty", async () => {
    const plain = projectFolder({ "a.ts": "1" });
    const empty = repository();
    expect(await gitState(plain)).toEqual({ state: "none" });
    expect(await gitState(path.join(plain, "not-there"))).toEqual({ state: "none" });
    expect(await gitState(empty)).toEqual({ state: "empty" });
    for (const root of [plain, empty]) expect(await historyOf(root)).toEqual([]);
  });

  it("may be on a machine without git", async () => {
    const root = repository();
    commit(root, "first", { "a.ts": "1" });
    process.env.PATH = path.join(root, "nowhere");
    expect(await gitState(root)).toEqual({ state: "no-git" });
    expect(await historyOf(root)).toEqual([]);
    expect(await currentBranch(root)).toBe("main");
  });

  it("starts at the edge of a shallow clone, whose oldest commit does not count as a change of every file", async () => {
    const root = repository();
    commit(root, "first", { "a.ts": "1", "b.ts": "1" });
    commit(root, "second", { "a.ts": "2" });
    commit(root, "third", { "b.ts": "2" });
    const clone = path.join(projectFolder({}), "clone");
    git(root, "clone", "--depth=2", pathToFileURL(root).href, clone);
    expect(await gitState(clone)).toMatchObject({ state: "ready", isShallow: true });
    expect((await historyOf(clone)).map(({ subject, files }) => [subject, files])).toEqual([
      ["second", []],
      ["third", ["b.ts"]],
    ]);
  });
});

describe("currentBranch", () => {
  it("returns the branch, also before its first commit, and nothing in detached state", async () => {
    const root = repository();
    expect(await currentBranch(root)).toBe("main");
    commit(root, "first", { "a.ts": "1" });
    git(root, "switch", "--create", "feature/ü-1");
    expect(await currentBranch(root)).toBe("feature/ü-1");
    git(root, "switch", "--detach");
    expect(await currentBranch(root)).toBeUndefined();
    expect(await currentBranch(projectFolder({}))).toBeUndefined();
  });

  it("is that of the worktree, in all of its folders", async () => {
    const root = repository();
    commit(root, "first", { "src/a.ts": "1" });
    git(root, "worktree", "add", "-b", "other", path.join(root, "tree"));
    expect(await currentBranch(path.join(root, "src"))).toBe("main");
    expect(await currentBranch(path.join(root, "tree", "src"))).toBe("other");
  });
});

const { PATH } = process.env;
afterEach(() => {
  delete process.env.GIT_DIR;
  process.env.PATH = PATH;
});
