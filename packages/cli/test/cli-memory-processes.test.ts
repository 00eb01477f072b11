import { describe, expect, it } from "vitest";
import { longTest } from "../../throughline/test/long-tests.ts";
import { memoryCommands, runMain } from "./cli-in-process.ts";
import { endOf, startCli, temporaryFolder } from "./run-cli.ts";

// Standard input, Ctrl-C and closed readers. The last two need a separate process.

const folder = temporaryFolder();

function onData() {
  const data = folder.fresh("data");
  const env = { THROUGHLINE_DATA: data };
  const run = (args: readonly string[], input = "") => runMain(args, { env, input });
  const { json, keep, run: runHere } = memoryCommands(data);
  return { env, run, runHere, json, keep };
}

/** A Claude Code transcript with many user messages and long tool outputs. */
function talk(requests: number): string {
  const chain = { parentUuid: null, sessionId: "s1", isSidechain: false, cwd: "/", timestamp: "2025-11-14T22:13:20Z" };
  const steps = Array.from({ length: requests }, (_, i) => {
    const use = { type: "tool_use", id: `t${i}`, name: "Read", input: { file_path: `/src/f${i}.ts` } };
    const result = { type: "tool_result", tool_use_id: `t${i}`, content: `line ${i}\n`.repeat(700) };
    return [
      { ...chain, type: "user", uuid: `u${i}`, message: { role: "user", content: `What is in file ${i}?` } },
      { ...chain, type: "assistant", uuid: `a${i}`, message: { id: `m${i}`, content: [use] } },
      { ...chain, type: "user", uuid: `r${i}`, message: { role: "user", content: [result] } },
    ];
  });
  return steps
    .flat()
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("");
}

describe("throughline remember", () => {
  it("reads standard input without text or with -", async () => {
    const { run, json } = onData();
    const piped = await run(["remember"], "We deploy on Fridays.\n");
    expect(piped).toMatchObject({ code: 0, stderr: "" });
    expect(piped.stdout).toMatch(/^Added: We deploy on Fridays\.\n/);
    expect((await run(["remember", "-", "--category", "preference"], "I like tea.")).code).toBe(0);
    expect(await json("memories")).toMatchObject([{ category: "preference" }, { kind: "fact" }]);
    const nothing = await run(["remember"], " \n");
    expect(nothing).toMatchObject({ code: 2, stdout: "" });
    expect(nothing.stderr).toContain("Nothing to remember: no text given.");
  });

  it("stops at Ctrl-C while it waits for input", async () => {
    const { env } = onData();
    const child = startCli(["remember"], { env });
    // More than a pipe buffers: the writer finishes only after the reader has read most of it.
    child.stdin.write("We deploy on Fridays. ".repeat(20_000), () => child.kill("SIGINT"));
    expect(await endOf(child)).toMatchObject({ code: 130, stdout: "" });
  });

  it("does not read endless input", async () => {
    const { run } = onData();
    const { code, stderr } = await run(["remember", "-"], "x".repeat(3_000_000));
    expect(code).toBe(2);
    expect(stderr).toContain("The text on standard input is too long for one memory: the limit is 1 MB.");
  });
});

describe("throughline import --remember", () => {
  longTest("stops at Ctrl-C with an intact database, and continues from there", async () => {
    const { env, json, runHere } = onData();
    const file = await folder.file("talk.jsonl", talk(900));
    const child = startCli(["import", file, "--remember"], { env });
    let progress = "";
    child.stderr.on("data", (text) => {
      progress += text;
      if (progress.includes("30%")) child.kill("SIGINT");
    });
    const { code, stdout, stderr } = await endOf(child);
    expect({ code, stdout }).toEqual({ code: 130, stdout: "" });
    const [{ id }] = await json("journal", "--imports");
    expect(stderr).toContain(`Undo what was imported: \`throughline undo ${id}\`\n`);
    expect(stderr).toContain("Stopped. Everything imported so far is stored; run the same command again to continue.");
    expect(await json("doctor")).toMatchObject({ problems: [] });
    expect((await runHere("import", file, "--remember")).code).toBe(0);
    expect(await json("doctor")).toMatchObject({ problems: [], rows: { messages: 2_700, turns: 900 } });
  });
});

describe("throughline import of memories from standard input", () => {
  it("imports exports and pasted lists", async () => {
    const [from, to] = [onData(), onData()];
    await from.keep("We deploy on Fridays.");
    const { stdout } = await from.runHere("export");
    expect((await to.run(["import", "-"], stdout)).stdout).toContain("1 memory added");
    expect((await to.run(["import", "-", "--memories"], "- User lives in Porto\n")).stdout).toContain("1 memory added");
  });
});

describe("throughline export", () => {
  it("exits quietly when the reader closes the pipe", async () => {
    const { env, keep } = onData();
    await keep("We deploy on Fridays. ".repeat(4_000));
    const child = startCli(["export"], { env });
    child.stdout.destroy();
    child.stdin.end();
    expect(await endOf(child)).toMatchObject({ code: 0, stderr: "" });
  });
});
