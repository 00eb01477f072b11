import { existsSync } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { agentProject } from "./agent-project.fixture.ts";
import { runMain } from "./cli-in-process.ts";
import { temporaryFolder } from "./run-cli.ts";

const folder = temporaryFolder();

/** The folders in which the agents look for skills, in a project and below the home. */
const SKILLS = {
  "claude-code": [".claude", ".claude"],
  codex: [".agents", ".agents"],
  cursor: [".cursor", ".cursor"],
  "gemini-cli": [".gemini", ".gemini"],
  opencode: [".opencode", ".config/opencode"],
  vscode: [".github", ".copilot"],
} as const;
type Tool = keyof typeof SKILLS;
const TOOLS = Object.keys(SKILLS) as Tool[];
const AFTER = "skills/remember/SKILL.md";
const OWN = "---\nname: remember\ndescription: Mine.\n---\n\nWrite it into NOTES.md.\n";

/** A project, its skill, and commands that use both. */
function project(tool: Tool, content?: string) {
  return agentProject(folder, tool, path.join(SKILLS[tool][0], AFTER), content);
}

describe.each(TOOLS)("/remember for %s", (tool) => {
  it("is written as an agent skill, and removed again", async () => {
    const { root, data, run, read } = await project(tool);
    expect(await run("init", "--yes")).toMatchObject({ code: 0, stderr: "" });
    const skill = await read();
    // The limits of the Agent Skills standard: one line each, at most 1,024 characters, no ": " that YAML would read.
    const [, name, description = ""] = /^---\nname: (.+)\ndescription: (.+)\n---\n\n# /.exec(skill) ?? [];
    expect(name).toBe("remember");
    expect(description.length).toBeLessThan(1_024);
    expect(description).not.toMatch(/: |^["'[{&*!|>%@`]| #/);
    expect(skill).toContain(` --data ${data} remember --project . <<'END'`);
    expect((await run("uninstall", "--yes")).code).toBe(0);
    expect(await readdir(root)).toEqual([]);
  });

  it("leaves the user's own file of that name alone, and reports it", async () => {
    const { file, run, read } = await project(tool, OWN);
    const done = await run("init", "--yes");
    expect(done).toMatchObject({ code: 0, stderr: "" });
    expect(done.stdout).toContain(`Kept your own ${file}; /remember runs it.\n`);
    expect(await read()).toBe(OWN);
    expect((await run("uninstall", "--yes")).stdout).not.toContain(file);
    expect(await read()).toBe(OWN);
  });

  it("keeps a file that the user edited, and removes the rest", async () => {
    const { root, file, run, read } = await project(tool);
    await run("init", "--yes");
    const edited = `${await read()}\nAlso tell me a joke.\n`;
    await writeFile(file, edited);
    expect((await run("init", "--yes")).stdout).toContain("Kept your own");
    expect((await run("uninstall", "--yes")).stdout).toContain(
      `Kept ${file}, because it was edited. Delete it if you no longer need it.\n`,
    );
    expect(await readdir(root)).toEqual([SKILLS[tool][0]]);
    expect(await read()).toBe(edited);
  });

  it("replaces the file if the data folder changed, also without the install record", async () => {
    const { root, run, read } = await project(tool);
    await run("init", "--yes");
    const data = folder.fresh("data");
    expect((await runMain(["init", tool, "--dir", root, "--data", data, "--yes"])).code).toBe(0);
    expect(await read()).toContain(` --data ${data} remember`);
  });

  it("is written to the user's folder with --global", async () => {
    const home = folder.fresh("home");
    await mkdir(home);
    const env = {
      HOME: home,
      CLAUDE_CONFIG_DIR: "",
      CODEX_HOME: "",
      GEMINI_CLI_HOME: "",
      XDG_CONFIG_HOME: "",
      OPENCODE_CONFIG_DIR: "",
      THROUGHLINE_DATA: path.join(home, "data"),
    };
    const file = path.join(home, SKILLS[tool][1], AFTER);
    const done = await runMain(["init", tool, "--global", "--yes"], { env });
    expect(done).toMatchObject({ code: 0, stderr: "" });
    expect(existsSync(file)).toBe(true);
    expect((await runMain(["uninstall", tool, "--global", "--yes"], { env })).code).toBe(0);
    expect(await readdir(home)).toEqual(["data"]);
  });
});

describe("throughline init", () => {
  it("changes nothing if one of the files cannot be changed", async () => {
    const { root, run } = await project("claude-code");
    await writeFile(path.join(root, ".mcp.json"), "{ broken");
    const { code, stderr } = await run("init", "--yes");
    expect(code).toBe(2);
    expect(stderr).toContain(".mcp.json: Line 1 is not valid JSON");
    expect(await readdir(root)).toEqual([".mcp.json"]);
  });

  it("writes only the server with --mcp", async () => {
    const { root, run } = await project("claude-code");
    await run("init", "--mcp", "--yes");
    expect(await readdir(root)).toEqual([".mcp.json"]);
  });

  it.each([
    ["codex", [], "codex mcp add throughline -- ", "codex mcp remove throughline"],
    [
      "claude-code",
      ["--global"],
      "claude mcp add --scope user throughline -- ",
      "claude mcp remove --scope user throughline",
    ],
  ] as const)("prints the commands that add and remove the server of %s", async (tool, flags, add, remove) => {
    const home = folder.fresh("home");
    await mkdir(home);
    const where = flags.length > 0 ? flags : ["--dir", home];
    const env = { HOME: home, CLAUDE_CONFIG_DIR: "" };
    const args = [tool, ...where, "--data", folder.fresh("data"), "--yes"];
    expect((await runMain(["init", ...args], { env })).stdout).toContain(` the memory tools too: ${add}`);
    expect((await runMain(["uninstall", ...args], { env })).stdout).toContain(`remove them too: ${remove}\n`);
  });
});
