import { describe, expect, it } from "vitest";
import { runMain } from "./cli-in-process.ts";

/** All commands and subcommands. */
async function allCommands(): Promise<string[][]> {
  const namesOf = async (...before: string[]) => {
    const { stdout } = await runMain(["completion", "words", "--", ...before, ""]);
    return stdout.split("\n").filter((word) => word !== "" && !word.startsWith("-"));
  };
  const withCommands = ["contradictions", "jobs", "memories", "token"];
  const all = (await namesOf()).map((name) => [name]);
  for (const name of withCommands) all.push(...(await namesOf(name)).map((one) => [name, one]));
  return all;
}

const commands = await allCommands();

/** Commands that change stored data or files of other programs. */
const CHANGING = [
  ...["init", "uninstall", "import", "learn", "compact", "restore", "forget", "sync", "consolidate", "undo", "purge"],
  ...["migrate-legacy", "contradictions resolve", "token revoke", "jobs retry"],
];

describe("help", () => {
  it("exists for every command", () => {
    expect(commands.map((names) => names.join(" "))).toEqual(
      expect.arrayContaining([
        ...["serve", "mcp", "import", "inspect", "compact", "remember", "recall", "forget", "consolidate"],
        ...[
          "contradictions",
          "learn",
          "export",
          "backup",
          "doctor",
          "token",
          "init",
          "uninstall",
          "config",
          "completion",
        ],
        ...["token create", "token list", "token revoke", "jobs retry", "contradictions resolve"],
      ]),
    );
  });

  it.each(commands.map((args) => ({ name: args.join(" "), args })))(
    "of $name has an example and fits 80 columns",
    async ({ name, args }) => {
      const { code, stdout, stderr } = await runMain([...args, "--help"]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toMatch(/\nExamples?:\n {2}\S/);
      expect(stdout).toContain("throughline ");
      expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
      expect(stdout).toContain("--data <folder>");
      if (CHANGING.includes(name)) expect(stdout).toContain("--dry-run");
    },
  );

  it("of the program lists every command except those for programs", async () => {
    const { stdout } = await runMain(["--help"]);
    for (const [name] of commands) {
      if (name !== "hook") expect(stdout).toMatch(new RegExp(`[ (:]${name}\\b`));
    }
  });

  it("of a group of commands is printed to stderr if its command is missing", async () => {
    const { code, stdout, stderr } = await runMain(["token"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("throughline token create");
  });

  it.each([
    ["claude", "Unknown agent: claude (did you mean claude-code?)."],
    ["Gemini", "Unknown agent: Gemini (did you mean gemini-cli?)."],
    ["emacs", "Unknown agent: emacs."],
  ])("names the agents for the unknown agent %s", async (agent, message) => {
    for (const command of ["init", "uninstall"]) {
      const { code, stdout, stderr } = await runMain([command, agent]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toBe(
        `throughline: ${message}\nUse one of claude-code, opencode, codex, gemini-cli, cursor, vscode.\n`,
      );
    }
  });

  it("is suggested for a misspelled command", async () => {
    const { code, stdout, stderr } = await runMain(["tokn", "list"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("(Did you mean token?)\nSee `throughline --help`.");
  });

  it.each([
    [["context", "--in", "."], "--in was renamed. Use --dir."],
    [["init", "codex", "--user"], "--user was renamed. Use --global."],
    [["token", "create", "--user", "ada", "--for", "shop"], "--for was renamed. Use --project."],
    [["token", "create", "--user", "ada", "--until", "2999-01-31"], "--until was renamed. Use --expires."],
    [["export", "--out", "memories.json"], "--out was renamed. Use --output."],
  ])("names the present flag for an earlier one: %j", async (args, message) => {
    const { code, stdout, stderr } = await runMain(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
    const [flag = ""] = message.split(" ");
    const names = args.slice(
      0,
      args.findIndex((arg) => arg.startsWith("-")),
    );
    const { stdout: words } = await runMain(["completion", "words", "--", ...names, "--"]);
    expect(words.split("\n")).not.toContain(flag);
  });

  it("of the failing command is suggested for a wrong or missing argument", async () => {
    const port = await runMain(["serve", "--port", "99999"]);
    expect(port.stderr).toMatch(
      /'99999' is invalid\. Expected a port from 0 to 65535\.\nSee `throughline serve --help`\.\n$/,
    );
    const user = await runMain(["token", "create"]);
    expect(user.stderr).toMatch(/'--user <id>' not specified\nSee `throughline token create --help`\.\n$/);
  });
});
