import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import packageJson from "../../throughline/package.json" with { type: "json" };
import { builtProgram } from "../../throughline/test/built.ts";
import { longTest } from "../../throughline/test/long-tests.ts";
import { createProgram } from "../src/main.ts";
import { runMain } from "./cli-in-process.ts";
import { endOf, runCli, startCli, temporaryFolder } from "./run-cli.ts";

const folder = temporaryFolder();
const file = folder.file;

function throughline(args: readonly string[], input = "") {
  return runMain(args, { input });
}

const chain = { parentUuid: null, sessionId: "s1", isSidechain: false, cwd: "/home/ada" };
const session = [
  { ...chain, type: "user", uuid: "u1", message: { role: "user", content: "Fix the build" } },
  {
    ...chain,
    type: "assistant",
    uuid: "a1",
    message: { id: "m1", content: [{ type: "tool_use", id: "t1", name: "Bash", input: { command: "make" } }] },
  },
  {
    ...chain,
    type: "system",
    uuid: "b1",
    subtype: "compact_boundary",
    compactMetadata: { trigger: "auto", preTokens: 150_000 },
  },
  {
    ...chain,
    type: "user",
    uuid: "u2",
    isCompactSummary: true,
    message: { role: "user", content: "So far: nothing." },
  },
]
  .map((line) => JSON.stringify(line))
  .concat("{broken")
  .join("\n");
/** A Codex rollout of two lines, compressed with zstd. */
const ZSTD =
  "KLUv/SDthQQAgokdHWA11gGAX7+At9wXPTYejZYwtwhkFu1uQATAgjsBRIyF6MfYD84N+B67QLcI6XVf9xAfK9fF6bOn+PgGpfrWvuu4ugf1SiJidHIAREGnk+UmnajHGAV9rPbtcG+pXp0+ZNbHA5QoCRIqDFQEDGQ4DZtafVvrJggAqgBkCEhOy+uRAVmQDzEjLOBO1uUB";

describe("throughline", () => {
  it("prints help that fits a screen", async () => {
    const { code, stdout } = await throughline(["--help"]);
    expect(code).toBe(0);
    for (const command of ["serve", "inspect"]) expect(stdout).toMatch(new RegExp(`^  ${command}\\b`, "m"));
    // Followed by the prompt.
    expect(stdout.split("\n").length).toBeLessThanOrEqual(24);
    expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it("loads the server only for commands that serve, and frequent commands from one file", async () => {
    const listed = 'process.on("exit", () => process.stderr.write([...loaded].join("\\n")));';
    const hooks = `import { registerHooks } from "node:module";
const loaded = new Set();
registerHooks({ load: (url, context, next) => { loaded.add(url); return next(url, context); } });
${listed}`;
    const node = ["--import", `data:text/javascript,${encodeURIComponent(hooks)}`];
    const { stderr } = await runCli(["memories", "--data", folder.fresh()], { node });
    // Node cannot import the file as a module.
    expect(stderr.match(/^file:.*$/gm)).toEqual([pathToFileURL(builtProgram()).href]);
  });

  describe("stores the compiled code of a frequent command", () => {
    const stored = (cache: string) =>
      readdirSync(cache, { recursive: true, encoding: "utf8" }).filter((name) => /throughline-\w{16}-/.test(name));
    const args = () => ["memories", "--data", folder.fresh()];

    it("once for each command", async () => {
      const NODE_COMPILE_CACHE = folder.fresh();
      const options = { env: { NODE_COMPILE_CACHE } };
      const first = await runCli(args(), options);
      expect(first.code).toBe(0);
      const [name = "", ...more] = stored(NODE_COMPILE_CACHE);
      expect(more).toEqual([]);
      const { mtimeMs } = statSync(path.join(NODE_COMPILE_CACHE, name));
      expect((await runCli(args(), options)).code).toBe(0);
      expect(statSync(path.join(NODE_COMPILE_CACHE, name)).mtimeMs).toBe(mtimeMs);
      await runCli(["recall", "x", "--data", folder.fresh()], options);
      expect(stored(NODE_COMPILE_CACHE)).toHaveLength(2);
    });

    it("and replaces a damaged one", async () => {
      const NODE_COMPILE_CACHE = folder.fresh();
      const options = { env: { NODE_COMPILE_CACHE } };
      await runCli(args(), options);
      const [name = ""] = stored(NODE_COMPILE_CACHE);
      const file = path.join(NODE_COMPILE_CACHE, name);
      const { length } = readFileSync(file);
      writeFileSync(file, readFileSync(file).subarray(0, length / 2));
      expect(await runCli(args(), options)).toMatchObject({ code: 0, stderr: "" });
      expect(readFileSync(file).length).toBeGreaterThan(length / 2);
    });

    it.skipIf(process.getuid === undefined)("and does not run one that others can write", async () => {
      const NODE_COMPILE_CACHE = folder.fresh();
      const options = { env: { NODE_COMPILE_CACHE } };
      await runCli(args(), options);
      const [name = ""] = stored(NODE_COMPILE_CACHE);
      const file = path.join(NODE_COMPILE_CACHE, name);
      chmodSync(file, 0o666);
      expect(await runCli(args(), options)).toMatchObject({ code: 0, stderr: "" });
      expect(statSync(file).mode & 0o022).toBe(0);
    });

    it("unless the caches of Node are disabled", async () => {
      const NODE_COMPILE_CACHE = folder.fresh();
      const env = { NODE_COMPILE_CACHE, NODE_DISABLE_COMPILE_CACHE: "1" };
      expect((await runCli(args(), { env })).code).toBe(0);
      expect(existsSync(NODE_COMPILE_CACHE) ? stored(NODE_COMPILE_CACHE) : []).toEqual([]);
    });
  });

  it("exits quietly when the reader closes the pipe", async () => {
    const child = startCli(["inspect", "-", "--json"]);
    child.stdout.destroy();
    child.stdin.end(session);
    expect(await endOf(child)).toMatchObject({ code: 0, stderr: "" });
  });

  it("prints the same help as the program, without loading it", async () => {
    const printed: string[] = [];
    createProgram()
      .configureOutput({ writeOut: (text) => printed.push(text), getOutHelpWidth: () => 80 })
      .outputHelp();
    expect((await runCli(["--help"])).stdout).toBe(printed.join(""));
  });

  it.each(["--version", "-V", "-v"])("prints its version: %s", async (flag) => {
    expect(await runCli([flag])).toMatchObject({ code: 0, stdout: `${packageJson.version}\n`, stderr: "" });
  });

  it("prints the help of `help` and `help COMMAND`", async () => {
    expect((await runCli(["help"])).stdout).toBe((await runCli(["--help"])).stdout);
    expect((await runCli(["help", "recall"])).stdout).toBe((await runCli(["recall", "--help"])).stdout);
  });

  it.each([["inspekt"], ["inspect"], ["inspect", "--formt", "x"], ["inspect", "--format", "x", "f"]])(
    "rejects bad usage with exit code 2: %s %s",
    async (...args) => {
      const { code, stdout, stderr } = await throughline(args);
      expect(code).toBe(2);
      expect(stdout).toBe("");
      expect(stderr).toContain("--help");
    },
  );
});

describe("throughline inspect", () => {
  it("prints sessions, messages, calls, tokens, compactions and the first violations", async () => {
    const { code, stdout, stderr } = await throughline(["inspect", await file("session.jsonl", session)]);
    expect(stderr).toBe("");
    expect(code).toBe(0);
    expect(stdout).toMatch(/claude-code, 1 session, [\d,]+ bytes/);
    expect(stdout).toMatch(/session s1 · \/home\/ada/);
    expect(stdout).toMatch(/messages +3 {2}user 2 · assistant 1; 1 from the user/);
    expect(stdout).toMatch(/tool calls +1 {2}Bash 1/);
    expect(stdout).toMatch(/tokens +\d+ {2}/);
    expect(stdout).toMatch(/compactions +1\n +before message 2, auto, 150,000 tokens before, summary 5/);
    expect(stdout).toMatch(
      /violations +1 {2}openai 1 · anthropic 1 · gemini 1\n +message 1, part 0: call "t1" has no result/,
    );
    expect(stdout).toMatch(/skipped +1 {2}broken 1\n +record 5: not JSON, or cut off/);
  });

  it("prints the same as JSON", async () => {
    const { stdout } = await throughline(["inspect", "--json", await file("session.jsonl", session)]);
    expect(JSON.parse(stdout)).toMatchObject({
      format: "claude-code",
      sessions: [
        {
          id: "s1",
          spoken: 1,
          toolCalls: { Bash: 1 },
          compactions: [
            { at: 2, trigger: "auto", tokensBefore: 150_000, summary: "So far: nothing.", summaryTokens: 5 },
          ],
          violations: { openai: 1, anthropic: 1, gemini: 1 },
        },
      ],
      skipped: { total: 1, byKind: { broken: 1 } },
    });
  });

  it("reads standard input and compressed files", async () => {
    expect((await throughline(["inspect", "-"], session)).stdout).toContain("session s1");
    const gzip = await file("session.bin", gzipSync(session));
    expect((await throughline(["inspect", gzip])).stdout).toContain("session s1");
    const zstd = await file("rollout.jsonl.zst", Buffer.from(ZSTD, "base64"));
    expect((await throughline(["inspect", zstd])).stdout).toContain("session packed");
  });

  it("warns about a model with an unknown context window", async () => {
    const { code, stdout } = await throughline(["inspect", "-", "--model", "acme-1"], session);
    expect(code).toBe(0);
    expect(stdout).toContain('Unknown model "acme-1"');
  });

  it.each([
    ["an empty file", "", "The transcript is empty."],
    ["a text that is no transcript", "Dear diary\n", "Unknown transcript format: it is not JSON."],
    ["a packed file that is cut off", gzipSync("x".repeat(9_999)).subarray(0, 20), "Could not decompress the file"],
  ])("exits with 2 for %s", async (_, content, problem) => {
    const { code, stdout, stderr } = await throughline(["inspect", await file("bad", content)]);
    expect(code).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toContain(problem);
    expect(stderr).not.toMatch(/^ +at /m);
  });

  it("names the file and --format if it cannot read it", async () => {
    const diary = await throughline(["inspect", await file("diary.txt", "Dear diary\n")]);
    expect(diary.stderr).toMatch(
      /diary\.txt: Unknown transcript format: it is not JSON\. Supported: claude-code, .*\n.*select its format with --format\./,
    );
    const other = await throughline(["inspect", await file("package.json", '{"name":"x"}'), "--format", "opencode"]);
    expect(other).toMatchObject({ code: 2, stdout: "" });
    expect(other.stderr).toMatch(
      /package\.json: Could not read any record of the transcript: record 1: .*\nIt was read as opencode\. .*--format/,
    );
    expect((await throughline(["inspect", "-"])).stderr).toContain("standard input: The transcript is empty.");
    const chatGpt = await throughline(["inspect", "-"], '[{"mapping":{},"current_node":"a"}]');
    expect(chatGpt.code).toBe(2);
    expect(chatGpt.stderr).toMatch(/this looks like a ChatGPT export\..*\n.*--memories/);
  });

  it("exits with 2 for a missing file or a folder, and names it", async () => {
    const missing = await throughline(["inspect", path.join(folder.path, "nowhere.jsonl")]);
    expect(missing).toMatchObject({ code: 2, stdout: "" });
    expect(missing.stderr).toMatch(/nowhere\.jsonl: the file does not exist/);
    const aFolder = await throughline(["inspect", folder.path]);
    expect(aFolder).toMatchObject({ code: 2, stdout: "" });
    expect(aFolder.stderr).toBe(`throughline: ${folder.path}: the path is a folder.\nGive a file.\n`);
  });

  longTest("needs memory for its counts, not for the size of the file", async () => {
    const line = JSON.stringify({ ...chain, type: "user", message: { role: "user", content: "word ".repeat(20_000) } });
    const large = await file("large.jsonl", Array.from({ length: 400 }, () => line).join("\n"));
    const args = ["inspect", large, "--format", "claude-code", "--json"];
    const { code, stdout } = await runCli(args, { node: ["--max-old-space-size=120"] });
    expect(code).toBe(0);
    expect(JSON.parse(stdout).bytes).toBeGreaterThan(39_000_000);
    expect(JSON.parse(stdout).sessions[0].messages).toEqual({ user: 400 });
  });
});

describe("throughline compact", () => {
  const long = Array.from({ length: 60 }, (_, i) => [
    {
      ...chain,
      type: "assistant",
      uuid: `a${i}`,
      message: {
        id: `m${i}`,
        content: [{ type: "tool_use", id: `t${i}`, name: "Read", input: { file_path: `/src/f${i}.ts` } }],
      },
    },
    {
      ...chain,
      type: "user",
      uuid: `r${i}`,
      message: {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: `t${i}`, content: `line ${i}\n`.repeat(200) }],
      },
    },
  ]).flat();
  const transcript = [
    { ...chain, type: "user", uuid: "u0", message: { role: "user", content: "Fix the build" } },
    ...long,
  ]
    .map((line) => JSON.stringify(line))
    .join("\n");

  it("prints token counts, the summary and the receipt", async () => {
    const { code, stdout, stderr } = await throughline(["compact", "-", "--budget", "3000"], transcript);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/before +[\d,]+ tokens/);
    expect(stdout).toMatch(/after +[\d,]+ of 3,000/);
    expect(stdout).toContain("## Session Summary (Compaction Round 1)");
    expect(stdout).toMatch(/Receipt\n +\d+ +system/);
  });

  it("prints the window as JSON", async () => {
    const { stdout } = await throughline(["compact", "-", "--budget", "3000", "--json"], transcript);
    const result = JSON.parse(stdout);
    expect(result.tokens.final).toBeLessThanOrEqual(3_000);
    expect(result.messages[0]).toEqual({ role: "user", content: [{ type: "text", text: "Fix the build" }] });
  });

  it("writes the summary for a person, and with --json for a model, which needs more names", async () => {
    const named = transcript.replaceAll("line 5\\n", "openShop closeShop fillCart emptyCart cartTotal shopOwner\\n");
    const forPerson = await throughline(["compact", "-", "--budget", "3000"], named);
    const forModel = await throughline(["compact", "-", "--budget", "3000", "--json"], named);
    expect(forPerson.stdout).not.toMatch(/^- Read: .*\(/m);
    expect(JSON.parse(forModel.stdout).summary).toMatch(/^- Read: .*\(/m);
  });

  it("names no handle in the summary of a file, because nothing is stored", async () => {
    const pasted = transcript.replace("Fix the build", `Fix the build. ${"word ".repeat(5_000)}`);
    const { stdout } = await throughline(["compact", "-", "--budget", "3000", "--note"], pasted);
    expect(stdout).toContain(" […] ");
    expect(stdout).not.toMatch(/recall/i);
  });

  it("counts the messages that are only in the summary, instead of listing them", async () => {
    const { stdout } = await throughline(["compact", "-", "--budget", "3000"], transcript);
    expect(stdout).toMatch(/^ +[\d,]+ {2}left out {6}the newest 20 messages that were compacted; --json lists them$/m);
    const whole = await throughline(["compact", "-", "--budget", "1000000"], transcript);
    expect(whole.stdout).toMatch(/^ +[\d,]+ {2}tail {10}\d+ messages$/m);
    expect(whole.stdout).toContain("nothing to do");
  });

  it("prints the summary alone with --note, and why there is none to stderr", async () => {
    const { code, stdout } = await throughline(["compact", "-", "--budget", "3000", "--note"], transcript);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^## Session Summary \(Compaction Round 1\)\n/);
    expect(stdout).not.toContain("Receipt");
    const whole = await throughline(["compact", "-", "--budget", "1000000", "--note"], transcript);
    expect(whole).toMatchObject({ code: 0, stdout: "" });
    expect(whole.stderr).toMatch(/^No note: the session fits the budget, with [\d,]+ of 1,000,000 tokens\.\n$/);
  });

  it("prints a note with --note that covers the last messages too, which a window keeps verbatim", async () => {
    const said = "The build failed because the lock file was old.";
    const content = [{ type: "text", text: said }];
    const last = { ...chain, type: "assistant", uuid: "a99", message: { id: "m99", content } };
    const answered = `${transcript}\n${JSON.stringify(last)}`;
    const note = await throughline(["compact", "-", "--budget", "3000", "--note"], answered);
    expect(note.stdout).toContain(`→ ${said}\n`);
    const window = await throughline(["compact", "-", "--budget", "3000"], answered);
    expect(window.stdout).not.toContain(said);
  });

  it("writes the summary for the kind of session that --profile names", async () => {
    const { stdout } = await throughline(
      ["compact", "-", "--budget", "3000", "--profile", "chat", "--note"],
      transcript,
    );
    expect(stdout).toMatch(/^## Earlier in this conversation\n/);
    const wrong = await throughline(["compact", "-", "--budget", "3000", "--profile", "poem"], transcript);
    expect(wrong).toMatchObject({ code: 2, stdout: "" });
  });

  it("asks for a file or a stored session", async () => {
    const neither = await throughline(["compact", "--budget", "3000"]);
    expect(neither).toMatchObject({ code: 2, stdout: "" });
    expect(neither.stderr).toContain("Give a transcript file, or --session with the id of a stored session.");
    const both = await throughline(["compact", "--session", "s1", "--format", "codex", "--budget", "3000"]);
    expect(both).toMatchObject({ code: 2, stdout: "" });
    expect(both.stderr).toContain("--format applies to files only");
  });

  it("rejects an invalid budget, and names the messages that do not fit a small one", async () => {
    expect(await throughline(["compact", "-", "--budget", "many"], transcript)).toMatchObject({ code: 2, stdout: "" });
    const { code, stderr } = await throughline(["compact", "-", "--budget", "10"], transcript);
    expect(code).toBe(2);
    expect(stderr).toContain("into a budget of 10");
  });
});
