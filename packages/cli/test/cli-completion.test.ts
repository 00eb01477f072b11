import { execFile, execFileSync } from "node:child_process";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { builtProgram } from "../../throughline/test/built.ts";
import { runMain } from "./cli-in-process.ts";
import { temporaryFolder } from "./run-cli.ts";

const folder = temporaryFolder();

/** Completions offered for the last word. */
async function wordsFor(...line: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await runMain(["completion", "words", "--", ...line]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout.split("\n").filter((word) => word !== "");
}

describe("throughline completion words", () => {
  it("offers every command, including those that share a line of the help", async () => {
    const offered = await wordsFor("");
    const { stdout } = await runMain(["--help"]);
    const listed = [...stdout.matchAll(/^ {2}(\S.*?) {2}/gm)].flatMap(([, term = ""]) =>
      term.split(", ").map((one) => one.split(" ")[0] ?? ""),
    );
    expect(listed.length).toBeGreaterThan(25);
    for (const name of [...listed, "uninstall"]) expect(offered).toContain(name);
    expect(offered.filter((word) => word.startsWith("-"))).toEqual([]);
  });

  it.each([
    [["-"], ["--help", "--data", "--version"]],
    [
      ["token", ""],
      ["create", "list", "revoke"],
    ],
    [
      ["contradictions", "resolve", "x", "--resolution", ""],
      ["a_wins", "b_wins", "both_valid", "merged"],
    ],
    [
      ["contradictions", "resolve", "x", "-r", "a"],
      ["a_wins", "b_wins", "both_valid", "merged"],
    ],
    [
      ["export", "--format", ""],
      ["json", "markdown"],
    ],
    [
      ["export", "--format", "=", ""],
      ["json", "markdown"],
    ],
    [
      ["--data", "folder", "export", "-f", ""],
      ["json", "markdown"],
    ],
    [
      ["export", "--data", "token", "-f", ""],
      ["json", "markdown"],
    ],
    [
      ["init", ""],
      ["claude-code", "opencode", "codex", "gemini-cli", "cursor", "vscode"],
    ],
    [
      ["completion", ""],
      ["bash", "zsh", "fish", "words"],
    ],
    // A file name, or free text.
    [["import", ""], []],
    [["inspect", "--format", "codex", ""], []],
    [["export", "--output", ""], []],
    [["--data", ""], []],
    [["remember", "--", "-"], []],
  ])("after %j offers %j", async (line, words) => {
    expect((await wordsFor(...line)).toSorted()).toEqual(words.toSorted());
  });

  it("offers the options of a command and the global ones, and nothing else if nothing can follow", async () => {
    for (const line of [
      ["doctor", "--"],
      ["doctor", ""],
    ]) {
      expect((await wordsFor(...line)).toSorted()).toEqual(["--data", "--help", "--json", "--version"].toSorted());
    }
    expect(await wordsFor("import", "file", "--")).toContain("--remember");
    expect(await wordsFor("import", "--session=x", "--")).toContain("--remember");
  });

  it("offers nothing for unknown words", async () => {
    for (const shell of ["tcsh", ""]) {
      const { code, stderr } = await runMain(["completion", shell]);
      expect(code).toBe(2);
      expect(stderr).toContain("Allowed choices are bash, zsh, fish");
    }
  });
});

function isThere(shell: string): boolean {
  try {
    execFileSync(shell, ["-c", "exit 0"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

describe("the completion script", () => {
  let env: NodeJS.ProcessEnv;
  beforeAll(async () => {
    // The shell finds the program by its name on the PATH.
    const programs = folder.fresh("programs");
    await mkdir(programs);
    const program = path.join(programs, "throughline");
    await writeFile(program, `#!/bin/sh\nexec "${process.execPath}" "${builtProgram()}" "$@"\n`);
    await chmod(program, 0o755);
    env = { ...process.env, PATH: `${programs}${path.delimiter}${process.env.PATH}` };
  });

  async function ask(shell: string, script: string): Promise<string[]> {
    const { stdout, stderr } = await promisify(execFile)(shell, ["-c", script], { env });
    expect(stderr).toBe("");
    return stdout.split("\n").filter((word) => word !== "");
  }

  it.runIf(isThere("bash"))("works in bash", async () => {
    const script = await folder.file("completion.bash", (await runMain(["completion", "bash"])).stdout);
    const complete = (...words: string[]) => {
      const list = ["throughline", ...words].map((word) => `'${word}'`).join(" ");
      return ask(
        "bash",
        `source '${script}'; COMP_WORDS=(${list}); COMP_CWORD=${words.length}; _throughline; printf '%s\\n' "\${COMPREPLY[@]}"`,
      );
    };
    expect(await complete("token", "")).toEqual(["create", "list", "revoke"]);
    expect(await complete("export", "--format", "=", "m")).toEqual(["markdown"]);
    expect((await complete("export", "--format", "=")).toSorted()).toEqual(["json", "markdown"]);
    // Bash completes file names itself.
    expect(await complete("import", "")).toEqual([]);
    expect(await ask("bash", "source <(throughline completion bash); complete -p throughline")).toEqual([
      "complete -o default -F _throughline throughline",
    ]);
  });

  it.runIf(isThere("zsh"))("works in zsh", async () => {
    const complete = (...words: string[]) => {
      const list = ["throughline", ...words].map((word) => `'${word}'`).join(" ");
      return ask(
        "zsh",
        `compdef() { :; }; compadd() { print -l -- "\${found[@]}"; }; _files() { print files; }; source <(throughline completion zsh); words=(${list}); CURRENT=${words.length + 1}; _throughline`,
      );
    };
    expect(await complete("token", "")).toEqual(["create", "list", "revoke"]);
    expect(await complete("import", "")).toEqual(["files"]);
  });

  it.runIf(isThere("fish"))("works in fish", async () => {
    const complete = (line: string) => ask("fish", `throughline completion fish | source; complete -C '${line}'`);
    expect(await complete("throughline token ")).toEqual(["create", "list", "revoke"]);
    expect(await complete("throughline export --format m")).toEqual(["markdown"]);
  });
});
