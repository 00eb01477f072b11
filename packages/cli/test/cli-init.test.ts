import { existsSync } from "node:fs";
import { chmod, chown, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { agentProject } from "./agent-project.fixture.ts";
import { runMain } from "./cli-in-process.ts";
import { runCli, temporaryFolder } from "./run-cli.ts";

const folder = temporaryFolder();

const FILES = {
  "claude-code": ".claude/settings.json",
  codex: ".codex/hooks.json",
  opencode: ".opencode/plugins/throughline.js",
  "gemini-cli": ".gemini/settings.json",
  cursor: ".cursor/mcp.json",
  vscode: ".vscode/mcp.json",
} as const;
type Tool = keyof typeof FILES;
const TOOLS = Object.keys(FILES) as Tool[];
const WITH_HOOKS: Tool[] = ["claude-code", "codex"];
const JSON_WITH_HOOKS: Tool[] = [...WITH_HOOKS, "gemini-cli"];
const WITH_SERVERS = { cursor: "mcpServers", "gemini-cli": "mcpServers", vscode: "servers" } as const;

/** A project, the location of a tool's configuration, and commands that use both. */
function project(tool: Tool, content?: string | Uint8Array) {
  return agentProject(folder, tool, FILES[tool], content);
}

const OTHERS = `{
  "model":   "opus",
  "hooks": {
    "SessionStart": [
      { "matcher": "startup", "hooks": [{ "type": "command", "command": "echo // hello," }] }
    ],
    "Stop": [{ "hooks": [{ "type": "command", "command": "say done" }] }]
  }
}
`;

const KEPT: [name: string, content: string][] = [
  ["other hooks", OTHERS],
  ["the line breaks of Windows", OTHERS.replaceAll("\n", "\r\n")],
  ["an odd indentation", '{\n         "a" : [ 1,\n 2 ]\n     }\n'],
  ["tabs", '{\n\t"a": 1,\n\t"hooks": {}\n}\n'],
  ["no break at its end", '{"a":1}'],
  ["one line", '{ "hooks": { "SessionEnd": [ ] } }\n'],
  ["a mark of the byte order", '\ufeff{\n  "a": 1\n}\n'],
  ["nothing in it", "{}"],
  ["no byte in it", ""],
];

describe("throughline init", () => {
  it.each(TOOLS)("sets up %s in an empty project, and removes everything again", async (tool) => {
    const { root, file, run, read } = await project(tool);
    const done = await run("init", "--yes");
    expect(done).toMatchObject({ code: 0, stderr: "" });
    expect(done.stdout).toContain(`Undo: throughline uninstall ${tool} --dir ${root}\n`);
    expect(await read()).toContain(tool in WITH_SERVERS ? '"mcp"' : "--agent");
    const again = await run("init", "--yes");
    expect(again).toMatchObject({ code: 0, stderr: "" });
    expect(again.stdout).toContain("is already set up, in ");
    expect((await run("uninstall", "--yes")).code).toBe(0);
    expect(existsSync(file)).toBe(false);
    // Folders that were made for it are gone too.
    expect(await readdir(root)).toEqual([]);
    expect((await run("uninstall", "--yes")).stdout).toMatch(
      /^Nothing to remove: no Throughline entries in [^\n]+\.\n$/,
    );
  });

  describe.each(JSON_WITH_HOOKS)("%s", (tool) => {
    it.each(KEPT)("keeps a file with %s, byte for byte after uninstall", async (_, content) => {
      const { run, read } = await project(tool, content);
      const done = await run("init", "--yes");
      expect(done).toMatchObject({ code: 0, stderr: "" });
      const after = await read();
      expect(isWithin(content, after)).toBe(true);
      expect((await run("init", "--yes")).stdout).toContain("already");
      expect(await read()).toBe(after);
      expect((await run("uninstall", "--yes")).code).toBe(0);
      expect(await read()).toBe(content);
    });

    it("removes only its own entries from a file that was edited", async () => {
      const { run, read, file } = await project(tool, OTHERS);
      await run("init", "--yes");
      await writeFile(file, (await read()).replace("opus", "haiku").replace("say done", "say ready"));
      expect((await run("uninstall", "--yes")).code).toBe(0);
      const left = await read();
      expect(left).not.toContain("--agent");
      for (const words of ["haiku", "echo // hello,", "say ready"]) expect(left).toContain(words);
    });

    it("removes its entries without the install record", async () => {
      const { run, read, data } = await project(tool, OTHERS);
      await run("init", "--yes");
      await writeFile(path.join(data, "integrations.json"), "lost");
      expect((await run("uninstall", "--yes")).code).toBe(0);
      expect(await read()).not.toContain("--agent");
      expect(await read()).toContain("echo // hello,");
    });
  });

  describe.each(WITH_HOOKS)("%s, which reads plain JSON only,", (tool) => {
    it.each([
      ["a comment", '{\n  "a": 1, // one\n  "b": 2\n}\n', "Line 2 has a comment"],
      ["a comment in a list", '{\n  "a": [\n    /* none */\n  ]\n}\n', "Line 3 has a comment"],
      ["a trailing comma", '{\n  "a": "x, }",\n  "b": [1,\n  ]\n}\n', "Line 3 has a trailing comma"],
    ])("rejects a file with %s, which the agent would ignore, and prints the line", async (_, content, problem) => {
      const { run, read, file } = await project(tool, content);
      const { code, stdout, stderr } = await run("init", "--yes");
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toContain(`throughline: ${file}: ${problem}`);
      expect(stderr).toContain("ignores the whole file.\nFix the file and run the command again.");
      expect(await read()).toBe(content);
    });

    it("removes its hooks from a file that got comments", async () => {
      const { run, read, file } = await project(tool, OTHERS);
      await run("init", "--yes");
      await writeFile(file, `// mine\n${await read()}`);
      expect((await run("uninstall", "--yes")).code).toBe(0);
      expect(await read()).toBe(`// mine\n${OTHERS}`);
    });

    it.each([
      ['{ "a": 1', "Line 1 is not valid JSON"],
      ["[1, 2]", "The file does not contain a JSON object."],
      ['{ "hooks": "none" }', "The value of hooks is not an object."],
      [Uint8Array.of(0xff, 0xfe, 0x7b, 0), "The file is not UTF-8 text."],
    ])("rejects an invalid file and leaves it alone: %s", async (content, problem) => {
      const { run, file } = await project(tool, content);
      for (const command of ["init", "uninstall"]) {
        const { code, stdout, stderr } = await run(command, "--yes");
        expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
        expect(stderr).toContain(`throughline: ${file}: ${problem}`);
        expect(await readFile(file)).toEqual(Buffer.from(content));
      }
    });
  });

  it("writes the hooks that Claude Code supports", async () => {
    const { run, read, data } = await project("claude-code");
    await run("init", "--yes");
    const { hooks } = JSON.parse(await read());
    expect(Object.keys(hooks)).toEqual(["SessionStart", "PreCompact", "SessionEnd"]);
    const [{ hooks: end }] = hooks.SessionEnd;
    expect(end).toEqual([{ type: "command", command: expect.any(String), timeout: 60 }]);
    expect(end[0].command).toContain(` --data ${data} hook session-end --agent claude-code`);
  });

  it("writes hooks and the server of Gemini CLI, with timeouts in milliseconds, into one file", async () => {
    const { run, read, data } = await project("gemini-cli", OTHERS);
    await run("init", "--yes");
    const { hooks, mcpServers } = JSON.parse(await read());
    expect(hooks.SessionEnd).toEqual([
      { hooks: [{ type: "command", command: expect.stringContaining("hook session-end"), timeout: 60_000 }] },
    ]);
    expect(hooks.SessionStart).toHaveLength(2);
    expect(mcpServers.throughline).toEqual({
      command: expect.any(String),
      args: expect.arrayContaining(["--data", data, "mcp"]),
    });
    // The server alone can be taken out and put back.
    expect((await run("uninstall", "--mcp", "--yes")).code).toBe(0);
    expect(JSON.parse(await read())).toMatchObject({ hooks });
    expect(await read()).not.toContain("mcpServers");
    expect((await run("init", "--mcp", "--yes")).code).toBe(0);
    expect((await run("uninstall", "--yes")).code).toBe(0);
    expect(await read()).not.toMatch(/throughline|--agent/);
    expect(JSON.parse(await read())).toEqual(JSON.parse(OTHERS));
  });

  it("writes only hooks that Codex supports", async () => {
    const { run, read } = await project("codex");
    expect((await run("init", "--yes")).stdout).toContain("trust them: open /hooks");
    const { hooks } = JSON.parse(await read());
    expect(Object.keys(hooks)).toEqual(["SessionStart", "SessionEnd"]);
    expect(hooks.SessionEnd[0].hooks[0]).toMatchObject({
      timeout: 3,
      command: expect.stringContaining("--timeout 2.5"),
    });
  });

  it("shows a diff, and changes nothing without confirmation", async () => {
    const { run, read } = await project("claude-code", OTHERS);
    const dry = await run("init", "--dry-run");
    expect(dry).toMatchObject({ code: 0, stderr: "" });
    expect(dry.stdout).toMatch(/^--- .*settings\.json\n\+\+\+ .*settings\.json\n/);
    expect(dry.stdout).toMatch(/^\+ .*hook session-start --agent claude-code/m);
    expect(dry.stdout).toContain('\n      "SessionStart": [\n');
    const asked = await run("init");
    expect(asked.code).toBe(2);
    expect(asked.stderr).toContain(
      "Cannot ask for confirmation: standard input is not a terminal. Nothing was changed.\nAdd --yes",
    );
    expect(await read()).toBe(OTHERS);
  });

  it("prints JSON", async () => {
    const { root, run, file } = await project("claude-code", "{}\n");
    const planned = JSON.parse((await run("init", "--dry-run", "--json")).stdout);
    expect(planned).toMatchObject({ tool: "claude-code", needed: true, changed: false, dryRun: true, kept: [] });
    expect(planned.files).toMatchObject([
      { file, existed: true, needed: true },
      { file: path.join(root, ".mcp.json"), existed: false, needed: true },
      { file: path.join(root, ".claude/skills/remember/SKILL.md"), existed: false, needed: true },
    ]);
    for (const { diff } of planned.files) expect(diff.some((line: string) => line.startsWith("+"))).toBe(true);
    expect(JSON.parse((await run("init", "--yes", "--json")).stdout)).toMatchObject({ needed: true, changed: true });
    expect(JSON.parse((await run("init", "--yes", "--json")).stdout)).toMatchObject({ needed: false, changed: false });
    expect(JSON.parse((await run("uninstall", "--yes", "--json")).stdout)).toMatchObject({ changed: true });
  });

  it("replaces its entries if the data folder changed, and still removes all of them", async () => {
    const { root, file, run, read, data } = await project("claude-code", OTHERS);
    await run("init", "--yes");
    // The notes are unchanged; only the hooks are from an older version.
    await writeFile(file, (await read()).replaceAll("--agent claude-code", "--from claude-code --budget 10"));
    await run("init", "--yes");
    expect((await read()).match(/--agent claude-code/g)).toHaveLength(3);
    expect(await read()).not.toMatch(/--budget|--from/);
    await run("uninstall", "--yes");
    expect(await read()).not.toContain("--agent");
    expect(await readdir(root)).toEqual([".claude"]);
    expect(await readdir(data)).toEqual(["integrations.json"]);
  });

  it("keeps the permissions of a file", async () => {
    const { run, file } = await project("claude-code", "{}\n");
    await chmod(file, 0o664);
    await run("init", "--yes");
    expect((await stat(file)).mode & 0o777).toBe(0o664);
  });

  it("does not touch a plugin of others, or one that was edited", async () => {
    const strange = await project("opencode", "export default {}\n");
    expect(await strange.run("init", "--yes")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("not written by Throughline"),
    });
    expect((await strange.run("uninstall", "--yes")).stdout).toContain("Nothing to remove");
    expect(await strange.read()).toBe("export default {}\n");
    const { run, read, file } = await project("opencode");
    await run("init", "--yes");
    await writeFile(file, `${await read()}// mine\n`);
    expect(await run("uninstall", "--yes")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("edited after Throughline wrote it"),
    });
    expect((await run("init", "--yes")).stdout).toMatch(/^- \/\/ mine$/m);
    expect(await read()).not.toContain("// mine");
  });

  it.each([
    [["init"], "missing required argument 'agent'"],
    [["init", "emacs"], "Unknown agent: emacs.\nUse one of claude-code, opencode, codex, gemini-cli, cursor, vscode."],
    [["init", "codex", "--dir", "/nowhere/at/all"], "Not a folder: /nowhere/at/all"],
    [["init", "codex", "--dir", "", "--yes"], "--dir is empty."],
    [["init", "codex", "--dir", ".", "--global"], "--dir and --global cannot be combined."],
  ])("rejects %j", async (args, problem) => {
    const { code, stdout, stderr } = await runMain(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(problem);
  });

  it("writes to the user configuration with --global, as the real program", async () => {
    const home = folder.fresh("home");
    await mkdir(home);
    const env = { HOME: home, CLAUDE_CONFIG_DIR: "", CODEX_HOME: "", XDG_CONFIG_HOME: "", OPENCODE_CONFIG_DIR: "" };
    const options = { env: { ...env, THROUGHLINE_DATA: path.join(home, "data") } };
    const places: Record<Tool, string> = {
      ...FILES,
      opencode: ".config/opencode/plugins/throughline.js",
      vscode:
        process.platform === "darwin" ? "Library/Application Support/Code/User/mcp.json" : ".config/Code/User/mcp.json",
    };
    for (const tool of TOOLS) {
      expect(await runMain(["init", tool, "--global", "--yes"], options)).toMatchObject({ code: 0, stderr: "" });
      expect(existsSync(path.join(home, places[tool]))).toBe(true);
      expect(await runMain(["uninstall", tool, "--global", "--yes"], options)).toMatchObject({ code: 0, stderr: "" });
    }
    expect(await readdir(home)).toEqual(expect.arrayContaining(["data"]));
    expect(existsSync(path.join(home, ".claude"))).toBe(false);
  });

  it.runIf(process.getuid?.() === 0)("exits with 3 if the user may not write", async () => {
    const { root, file, read, data } = await project("claude-code", "{}\n");
    const uid = 65_534;
    await chmod(folder.path, 0o755);
    await mkdir(data);
    await chown(data, uid, uid);
    const { code, stderr } = await runCli(["init", "claude-code", "--dir", root, "--data", data, "--yes"], { uid });
    expect(code).toBe(3);
    expect(stderr).toContain(`Could not write ${file} (EACCES).`);
    expect(await read()).toBe("{}\n");
  });

  it.each([["init"], ["uninstall"], ["hook"]])("has help with an example: %s", async (command) => {
    const { code, stdout } = await runMain([command, "--help"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/\nExamples?:\n/);
    expect(stdout).toContain("--data <folder>");
  });

  it("is in the overview, unlike the hook command", async () => {
    const { stdout } = await runMain(["--help"]);
    expect(stdout).toMatch(/^ {2}init <agent>, mcp .*uninstall/m);
    expect(stdout).not.toMatch(/^ {2}hook\b/m);
  });
});

/** True if text was only inserted: the old text is still there, in order. */
function isWithin(text: string, whole: string): boolean {
  let at = 0;
  for (const character of whole) if (character === text[at]) at += 1;
  return at === text.length;
}
