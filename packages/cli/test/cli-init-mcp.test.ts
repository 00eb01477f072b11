import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { runMain } from "./cli-in-process.ts";
import { temporaryFolder } from "./run-cli.ts";

const folder = temporaryFolder();

// The file and the key under which each tool configures MCP servers, and its form of a server that is started.
type Case = [tool: string, flags: readonly string[], place: string, list: string];
const CURSOR: Case = ["cursor", [], ".cursor/mcp.json", "mcpServers"];
const VSCODE: Case = ["vscode", [], ".vscode/mcp.json", "servers"];
const CLAUDE_CODE: Case = ["claude-code", ["--mcp"], ".mcp.json", "mcpServers"];
const OPENCODE: Case = ["opencode", ["--mcp"], "opencode.json", "mcp"];

/** A project with the settings file of a tool, and commands that use both. */
async function project([tool, flags, place]: Case, content?: string) {
  const root = folder.fresh("project");
  const data = folder.fresh("data");
  const file = path.join(root, place);
  await mkdir(path.dirname(file), { recursive: true });
  if (content !== undefined) await writeFile(file, content);
  const run = (command: string, ...args: string[]) =>
    runMain([command, tool, ...flags, "--dir", root, "--data", data, ...args]);
  return { root, data, file, run, read: () => readFile(file, "utf8") };
}

/** A file with comments and another server, as these tools allow. */
function others(list: string): string {
  return `{
  // what we use
  "theme": "dark",
  "${list}": {
    "files": { "command": "npx", "args": ["-y", "files"] }, // theirs
  },
}
`;
}

describe.each([CURSOR, VSCODE, CLAUDE_CODE, OPENCODE])("throughline init %s %j", (...tool) => {
  const [, , , list] = tool;

  it("writes how the server is started", async () => {
    const { run, read, data } = await project(tool);
    expect(await run("init", "--yes")).toMatchObject({ code: 0, stderr: "" });
    const { [list]: servers } = JSON.parse(await read());
    expect(Object.keys(servers)).toEqual(["throughline"]);
    const { type, command, args = [] } = servers.throughline;
    const words = [command, args].flat();
    expect(type).toBe(tool[0] === "opencode" ? "local" : "stdio");
    expect(words.slice(words.indexOf("--data"), words.indexOf("mcp") + 1)).toEqual(["--data", data, "mcp"]);
    const named = words.slice(words.indexOf("mcp") + 1);
    const isNamed = tool[0] === "cursor" || tool[0] === "vscode";
    expect(named).toEqual(isNamed ? ["--project", `\${workspaceFolder}`] : []);
  });

  it.each([
    ["comments and other servers", others(list)],
    ["the line breaks of Windows", others(list).replaceAll("\n", "\r\n")],
    ["no servers", '{\n\t"a": 1\n}\n'],
    ["an empty list", `{ "${list}": {} }`],
    ["nothing in it", "{}"],
    ["no byte in it", ""],
  ])("keeps a file with %s, byte for byte after uninstall", async (_, content) => {
    const { run, read } = await project(tool, content);
    expect(await run("init", "--yes")).toMatchObject({ code: 0, stderr: "" });
    const after = await read();
    expect(after).toContain('"throughline": {');
    expect((await run("init", "--yes")).stdout).toContain("is already set up");
    expect(await read()).toBe(after);
    expect(await run("uninstall", "--yes")).toMatchObject({ code: 0, stderr: "" });
    expect(await read()).toBe(content);
  });

  it("removes only its own entries from a file that was edited, also without the install record", async () => {
    for (const isNoteLost of [false, true]) {
      const { run, read, file, data } = await project(tool, others(list));
      await run("init", "--yes");
      await writeFile(file, (await read()).replace("dark", "light"));
      if (isNoteLost) await writeFile(path.join(data, "integrations.json"), "lost");
      expect((await run("uninstall", "--yes")).code).toBe(0);
      const left = await read();
      expect(left).not.toContain("throughline");
      for (const words of ["// what we use", "light", '["-y", "files"] }', "// theirs"]) expect(left).toContain(words);
    }
  });

  it("rewrites its entry if the data folder changed", async () => {
    const first = await project(tool, others(list));
    await first.run("init", "--yes");
    const { run, read, data } = await project(tool, await first.read());
    await run("init", "--yes");
    expect(await read()).toContain(data);
    expect(await read()).not.toContain(first.data);
    expect((await read()).match(/"throughline": \{/g)).toHaveLength(1);
    expect(await read()).toContain("// theirs");
  });

  it.each([
    [
      `{ "${list}": { "throughline": { "url": "https://example.com/mcp" } } }`,
      "a server named throughline that Throughline did not write",
    ],
    [`{ "${list}": [] }`, `The value of ${list} is not an object.`],
    ["[]", "The file does not contain a JSON object."],
    ["{", "Line 1 is not valid JSON"],
  ])("rejects %s and leaves it alone", async (content, problem) => {
    const { run, read, file } = await project(tool, content);
    const { code, stdout, stderr } = await run("init", "--yes");
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(`throughline: ${file}: `);
    expect(stderr).toContain(problem);
    expect(await read()).toBe(content);
  });

  it("shows a diff, and changes nothing without confirmation", async () => {
    const { run, read } = await project(tool, others(list));
    const { code, stdout } = await run("init", "--dry-run");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\+ {5}"throughline": \{$/m);
    expect((await run("init")).code).toBe(2);
    expect(await read()).toBe(others(list));
  });
});

describe("throughline init --mcp", () => {
  it("writes to OpenCode's .jsonc file if there is one", async () => {
    const { root, run } = await project(OPENCODE);
    await writeFile(path.join(root, "opencode.jsonc"), "{ /* mine */ }\n");
    expect((await run("init", "--yes")).code).toBe(0);
    expect(await readdir(root)).toEqual(["opencode.jsonc"]);
    expect((await run("uninstall", "--yes")).code).toBe(0);
    expect(await readFile(path.join(root, "opencode.jsonc"), "utf8")).toBe("{ /* mine */ }\n");
  });

  it("removes a file that it created, even if OpenCode added its schema", async () => {
    const { root, run, read, file } = await project(OPENCODE);
    await run("init", "--yes");
    const schema = { $schema: "https://opencode.ai/config.json" };
    await writeFile(file, JSON.stringify({ ...schema, ...JSON.parse(await read()) }, null, 2));
    expect((await run("uninstall", "--yes")).code).toBe(0);
    expect(await readdir(root)).toEqual([]);
  });

  it.each([
    ["another entry", '{ "$schema": "https://opencode.ai/config.json", "theme": "dark", "mcp": {} }'],
    ["a comment", '{\n  // mine\n  "$schema": "https://opencode.ai/config.json",\n  "mcp": {}\n}'],
    ["another schema", '{ "$schema": "https://example.com/mine.json", "mcp": {} }'],
  ])("keeps a file that it created if the user put %s into it", async (_, content) => {
    const { run, read, file } = await project(OPENCODE);
    await run("init", "--yes");
    const { mcp } = JSON.parse(await read());
    await writeFile(file, content.replace('"mcp": {}', `"mcp": ${JSON.stringify(mcp)}`));
    expect((await run("uninstall", "--yes")).code).toBe(0);
    expect(await read()).not.toContain("throughline");
    expect(await read()).toContain("$schema");
  });

  it("keeps an existing file with only a schema", async () => {
    const content = '{ "$schema": "https://opencode.ai/config.json" }\n';
    const { run, read } = await project(OPENCODE, content);
    await run("init", "--yes");
    expect((await run("uninstall", "--yes")).code).toBe(0);
    expect(await read()).toBe(content);
  });

  it("prints the undo command with --mcp", async () => {
    const { run, root } = await project(CLAUDE_CODE);
    expect((await run("init", "--yes")).stdout).toContain(
      `Undo: throughline uninstall claude-code --mcp --dir ${root}\n`,
    );
  });

  it.each([
    [["init", "codex", "--mcp"], "codex mcp add throughline -- ", " mcp\n"],
    [["uninstall", "codex", "--mcp"], "codex mcp remove throughline", "\n"],
    [["init", "claude-code", "--mcp", "--global"], "claude mcp add --scope user throughline -- ", " mcp\n"],
    [["uninstall", "claude-code", "--mcp", "--global"], "claude mcp remove --scope user throughline", "\n"],
  ])("prints the agent's own command if it does not edit the configuration: %j", async (args, beginning, end) => {
    const { code, stdout, stderr } = await runMain(args);
    expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
    expect(stderr).toContain(`Nothing was written.\nRun: ${beginning}`);
    expect(stderr.endsWith(end)).toBe(true);
    const { command, changed } = JSON.parse((await runMain([...args, "--json"])).stdout);
    expect(changed).toBe(false);
    expect(command.startsWith(beginning)).toBe(true);
  });
});
