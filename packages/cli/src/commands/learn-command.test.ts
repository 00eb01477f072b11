import { readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { inflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { express, noise } from "../../../throughline/src/context/patterns/script-projects.fixture.ts";
import { longTest } from "../../../throughline/test/long-tests.ts";
import { memoryCommands } from "../../test/cli-in-process.ts";
import { endOf, startCli, temporaryFolder } from "../../test/run-cli.ts";
import { git, projectFolder, writeFiles } from "../workspace/project.fixture.ts";

const folder = temporaryFolder();
const files = { ...express, ...noise };
const HINT = "endpoint: route→zod→result→json";

/** Type of an object in a git folder: `commit`, `tree` or `blob`. */
function typeOf(file: string): string {
  return inflateSync(readFileSync(file)).toString("latin1").split(" ")[0] ?? "";
}

describe("throughline learn", () => {
  it("prints the patterns with example files, and stores them for the folder", async () => {
    const { run, json } = memoryCommands(folder.fresh());
    const root = projectFolder(files);
    const { code, stdout, stderr } = await run("learn", "--dir", root);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(
      `${Object.keys(files).length} files of ${root}: ${Object.keys(files).length} new or changed.`,
    );
    expect(stdout).toContain(`  new     ${HINT}\n`);
    expect(stdout).toContain("API endpoint, in 4 of 4 files; src/routes/invoices.ts:7");
    const kept = await json("memories", "--kind", "pattern", "-p", root);
    expect(kept.map((memory: { levels: { compressed: string } }) => memory.levels.compressed)).toContain(HINT);
  });

  it("reads only changed files, and reports known patterns", async () => {
    const { json, run } = memoryCommands(folder.fresh());
    const root = projectFolder(files);
    const first = await json("learn", "--dir", root, "-p", "shop");
    expect(first).toMatchObject({ dryRun: false, project: "shop", files: { parsed: Object.keys(files).length } });
    const again = await json("learn", "--dir", root, "-p", "shop");
    expect(again).toMatchObject({ files: { parsed: 0 }, closed: [] });
    expect(again.patterns[0]).toMatchObject({ hint: HINT, outcome: "unchanged", memoryId: first.patterns[0].memoryId });
    expect((await run("learn", "--dir", root, "-p", "shop")).stdout).toContain(`  known   ${HINT}\n`);
  });

  it("recognizes a project in another checkout, and keeps its folders apart", async () => {
    const { json } = memoryCommands(folder.fresh());
    const [one, other] = [projectFolder({}), projectFolder({})];
    for (const root of [one, other]) {
      writeFiles(path.join(root, "server"), files);
      git(root, "init");
    }
    const learn = (root: string) => json("learn", "--dir", path.join(root, "server"), "-p", "shop");
    const first = await learn(one);
    expect((await learn(other)).files.parsed).toBe(0);
    const whole = await json("learn", "--dir", one, "-p", "shop");
    expect(whole.patterns[0].memoryId).not.toBe(first.patterns[0].memoryId);
  });

  it("stores nothing in a dry run, not even a folder", async () => {
    const { run, json } = memoryCommands(folder.fresh());
    const root = projectFolder(files);
    const { stdout } = await run("learn", "--dir", root, "--dry-run");
    expect(stdout).toContain(`  new     ${HINT}\n`);
    expect(stdout).toMatch(/Dry run, nothing was stored\.\n$/);
    expect(await json("memories", "-p", root)).toEqual([]);
  });

  it("keeps the patterns and warns if git cannot read the history", async () => {
    const { run, json } = memoryCommands(folder.fresh());
    const root = projectFolder({});
    writeFiles(root, files);
    git(root, "init");
    git(root, "add", ".");
    git(root, "commit", "-m", "first");
    for (const { name, parentPath } of readdirSync(path.join(root, ".git/objects"), {
      recursive: true,
      withFileTypes: true,
    })) {
      const object = path.join(parentPath, name);
      // Only commits stay readable.
      if (/^[0-9a-f]{38}$/.test(name) && typeOf(object) !== "commit") rmSync(object, { force: true });
    }
    const { code, stdout } = await run("learn", "--dir", root, "-p", "shop");
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringContaining("Warning: Git could not read the history"),
    });
    expect((await json("memories", "--kind", "pattern", "-p", "shop")).length).toBeGreaterThan(0);
  });

  it("says so if there is nothing to learn", async () => {
    const { run } = memoryCommands(folder.fresh());
    const { code, stdout } = await run("learn", "--dir", projectFolder({ "README.md": "# Hello" }));
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("No patterns found.") });
  });

  it("rejects a path that is not a folder", async () => {
    const { run } = memoryCommands(folder.fresh());
    expect(await run("learn", "--dir", "/no/such/folder")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Not a folder"),
    });
    expect(await run("learn", "shop")).toMatchObject({
      code: 2,
      stderr: "throughline: Unexpected argument: shop.\nSelect the folder with --dir.\n",
    });
  });

  longTest("keeps its progress when it is stopped, and continues from there", async () => {
    const data = folder.fresh();
    const many = Array.from({ length: 600 }, (_, i) => [
      `src/part-${i}.ts`,
      `export const part${i} = call(${i});\n`.repeat(40),
    ]);
    const root = projectFolder({ ...files, ...Object.fromEntries(many) });
    const child = startCli(["learn", "--dir", root, "--data", data]);
    child.stderr.on("data", (text: Buffer) => {
      if (String(text).includes("30%")) child.kill("SIGINT");
    });
    const { code, stdout, stderr } = await endOf(child);
    expect({ code, stdout }).toEqual({ code: 130, stdout: "" });
    expect(stderr).toContain("Stopped. Everything read so far is stored; run the same command again to continue.");
    const { stdout: rest } = await memoryCommands(data).run("learn", "--dir", root, "--json");
    const learned = JSON.parse(rest);
    expect(learned.files.parsed).toBeLessThan(learned.files.files);
    expect(learned.patterns[0].hint).toBe(HINT);
  });

  it("shows progress for many files", async () => {
    const { run } = memoryCommands(folder.fresh());
    const many = Object.fromEntries(Array.from({ length: 120 }, (_, i) => [`src/f${i}.ts`, `export const x = ${i};`]));
    const { stderr } = await run("learn", "--dir", projectFolder(many));
    expect(stderr).toMatch(/^Learning… 10%\n(?:Learning… \d+%\n)+Learning… 100%\n$/);
  });
});
