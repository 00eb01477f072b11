import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { memoryCommands } from "../../test/cli-in-process.ts";
import { temporaryFolder } from "../../test/run-cli.ts";
import { git, projectFolder, writeFiles } from "../workspace/project.fixture.ts";
import { pathIn } from "./context-command.ts";

const folder = temporaryFolder();
const TEXT = "We decided to sign tokens twice in src/auth/login.ts.";

/** A project with two files that change together, and memories about it. */
async function shop() {
  const root = projectFolder({});
  git(root, "init");
  for (let at = 0; at < 4; at += 1) {
    writeFiles(root, {
      "src/auth/login.ts": `export const login = ${at};`,
      "src/auth/token.ts": `export const t = ${at};`,
    });
    git(root, "add", "--all");
    git(root, "commit", "--message", `Change ${at}`);
  }
  const on = memoryCommands(folder.fresh());
  const id = await on.keep(TEXT, "--project", root, "--scope", "project-shared");
  return { ...on, root, id };
}

describe("the path of a file in a project", () => {
  it("has / as its separator on every platform", () => {
    expect(pathIn("C:\\shop", "C:\\shop\\src\\a.ts", path.win32)).toBe("src/a.ts");
    expect(pathIn("C:\\shop", "c:\\Shop\\src\\a.ts", path.win32)).toBe("src/a.ts");
    expect(pathIn("\\\\server\\share", "\\\\server\\share\\src\\a.ts", path.win32)).toBe("src/a.ts");
    expect(pathIn("/shop", "/shop/src/a.ts", path.posix)).toBe("src/a.ts");
    expect(pathIn("/shop", "/shop/..config/a.ts", path.posix)).toBe("..config/a.ts");
  });

  it("is kept if the file is outside of the project", () => {
    expect(pathIn("C:\\shop", "D:\\other\\a.ts", path.win32)).toBe("D:/other/a.ts");
    expect(pathIn("/shop", "/other/a.ts", path.posix)).toBe("/other/a.ts");
  });
});

describe("throughline context", () => {
  it("shows the context for a file, its cost, and the predicted files", async () => {
    const { run, root } = await shop();
    const { code, stdout, stderr } = await run("context", "src/auth/login.ts", "--dir", root);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(TEXT);
    expect(stdout).toMatch(/\n\d+ of 8,000 tokens: critical \d+, relevant \d+, background \d+, index \d+\.\n/);
    expect(stdout).toMatch(/\nLikely next:\n +\d+% {2}src\/auth\/token\.ts {2}.*used together with login\.ts/);
    expect(stdout).not.toContain("Why each memory is included:");
  });

  it("explains each memory, however the path of the file is written", async () => {
    const { run, root, id } = await shop();
    for (const file of ["src/auth/login.ts", path.join(root, "src/auth/login.ts")]) {
      const { stdout } = await run("context", file, "--dir", root, "--why");
      expect(stdout).toContain(`  ${TEXT}\n      ${id}  critical · active-decision · full · `);
      expect(stdout).toContain("names src/auth/login.ts");
    }
  });

  it("stays within the budget, and prints everything as JSON", async () => {
    const { json, root, id } = await shop();
    const shown = await json("context", "-q", "How are tokens signed?", "--dir", root, "-b", "400");
    expect(shown).toMatchObject({ project: root, receipt: { budget: 400 } });
    expect(shown.tokenCount).toBeLessThanOrEqual(400);
    expect(shown.receipt.items.map((item: { id: string }) => item.id)).toContain(id);
    const nothing = await json("context", "--dir", root, "-b", "1");
    expect(nothing).toMatchObject({ context: "", tokenCount: 0 });
  });

  it("reads the files and the history of a project that is named by its path, not those of the current folder", async () => {
    const [here, there] = [await shop(), await shop()];
    const other = path.join(projectFolder({}), "moved");
    const shown = await there.json("context", "--project", other);
    expect(shown).toMatchObject({ project: other, files: [] });
    const { files } = await here.json("context", path.join(here.root, "src/auth/login.ts"), "--project", here.root);
    expect(files.map((file: { path: string }) => file.path)).toContain("src/auth/token.ts");
  });

  it("counts the use of a memory", async () => {
    const { run, json, root, id } = await shop();
    await run("context", "src/auth/login.ts", "--dir", root);
    const memories = await json("memories", "--project", root);
    expect(memories).toMatchObject([{ id, usage: { retrieved: 1 } }]);
  });

  it("predicts files from the history alone on the first run, and creates nothing", async () => {
    const { root } = await shop();
    const on = memoryCommands(path.join(folder.fresh(), "none"));
    const { code, stdout } = await on.run("context", "src/auth/login.ts", "--dir", root);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /## Files likely needed\n- src\/auth\/token\.ts\n[\s\S]*\nLikely next:\n.* src\/auth\/token\.ts /,
    );
    expect(existsSync(on.data)).toBe(false);
  });

  it("rejects a path that is not a folder", async () => {
    const { run } = memoryCommands(folder.fresh());
    const { code, stderr } = await run("context", "--dir", "nowhere");
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("Not a folder: nowhere") });
  });
});
