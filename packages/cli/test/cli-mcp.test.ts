import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { describe, expect, it } from "vitest";
import { isLong, longTest } from "../../throughline/test/long-tests.ts";
import { repositoryOfPairs } from "../src/workspace/project.fixture.ts";
import { memoryCommands, runMain } from "./cli-in-process.ts";
import { type Era, startMcp } from "./mcp-client.ts";
import { endOf, runCli, startCli, temporaryFolder } from "./run-cli.ts";

const folder = temporaryFolder();
const ERAS: Era[] = ["legacy", "modern"];

/** A folder without git history, because learning this repository's history takes longer than a test. */
async function emptyFolder(): Promise<string> {
  const path = folder.fresh("project");
  await mkdir(path);
  return path;
}

/** The environment of an agent that works in an empty folder. */
async function inEmptyFolder(): Promise<{ env: { CLAUDE_PROJECT_DIR: string } }> {
  return { env: { CLAUDE_PROJECT_DIR: await emptyFolder() } };
}

const HELLO = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
};

function callOf(id: number, name: string, input: object): object {
  return { jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: input } };
}

function inLines(messages: readonly object[]): string {
  return messages.map((message) => `${JSON.stringify(message)}\n`).join("");
}

interface Result {
  readonly content?: readonly { readonly text: string }[];
  readonly tools?: readonly { readonly annotations?: { readonly readOnlyHint?: boolean } }[];
}

/** Lines received on stdout. Each must be a protocol message. */
function messagesIn(stdout: string): { id?: number; result?: Result }[] {
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const message = JSON.parse(line);
      expect(message.jsonrpc).toBe("2.0");
      return message;
    });
}

function answerTo(stdout: string, request: number): Result | undefined {
  return messagesIn(stdout).find(({ id }) => id === request)?.result;
}

function textOf(stdout: string, request: number): string {
  return answerTo(stdout, request)?.content?.[0]?.text ?? "";
}

// In `npm test`, clients of the other kind are among the three agents below.
describe.each(isLong ? ERAS : (["modern"] as const))("throughline mcp, with a client of the %s kind,", (era) => {
  it("has every tool and resource", async () => {
    const { client, call } = await startMcp({ data: folder.fresh("data"), cwd: await emptyFolder(), era });
    expect(client.getServerVersion()).toMatchObject({ name: "throughline", version: expect.stringMatching(/^\d/) });
    expect(client.getInstructions()).toContain("across sessions");
    expect((await client.listTools()).tools).toHaveLength(10);
    const [kept = ""] = (await call("remember", { text: "The build takes 5 minutes." })).ids;
    await call("remember", { text: "The build takes 50 minutes." });
    const [contradiction] = (await call("contradictions")).ids;
    await call("resolve_contradiction", { id: contradiction, resolution: "a_wins" });
    expect((await call("expand", { pointer: kept })).text).toContain("The build takes 5 minutes.");
    expect((await call("assemble_context", { message: "How long does the build take?" })).text).toContain("5 minutes");
    expect((await call("consolidate", { dry_run: true })).isError).toBe(false);
    expect((await call("forget", { id: "mem_none" })).isError).toBe(true);
    const { resources } = await client.listResources();
    for (const { uri } of resources) expect((await client.readResource({ uri })).contents).toHaveLength(1);
    const ref = { type: "ref/resource" as const, uri: "throughline://memories/{id}" };
    const completed = await client.complete({ ref, argument: { name: "id", value: "mem_" } });
    expect(completed.completion.values).toContain(kept);
    await client.close();
  });
});

describe("throughline mcp", () => {
  it("serves three agents of both kinds on one file, which see each other's memories", async () => {
    const data = folder.fresh("data");
    const cwd = await emptyFolder();
    // All at once: the first process creates the file.
    const eras: Era[] = ["legacy", "modern", "legacy"];
    const agents = await Promise.all(eras.map((era) => startMcp({ data, cwd, era })));
    const facts = ["We deploy on Fridays.", "The office is in Lisbon.", "Ada leads the search team."];
    const questions = ["When do we deploy?", "Where is the office?", "Who leads the search team?"];
    const kept = await Promise.all(agents.map(({ call }, i) => call("remember", { text: facts[i] })));
    for (const { text } of kept) expect(text).toMatch(/^Saved\.\n/);
    for (const { call } of agents) {
      const found = await Promise.all(questions.map((query) => call("recall", { query })));
      expect(found.map(({ text }) => /^- (.*?) \(mem_/m.exec(text)?.[1])).toEqual(facts);
    }
    const [first, second, third] = agents;
    await first?.call("forget", { id: kept[2]?.ids[0] });
    expect((await second?.call("recall", { query: questions[2] }))?.ids).toEqual([]);
    expect((await third?.client.listResources())?.resources).toHaveLength(4);
    for (const { client, said } of agents) {
      await client.close();
      expect(said()).toBe("");
    }
  });

  it("answers all requests sent before its input ended, and exits with 0", async () => {
    const data = folder.fresh("data");
    const input = inLines([
      HELLO,
      { jsonrpc: "2.0", method: "notifications/initialized" },
      callOf(1, "remember", { text: "We deploy on Fridays." }),
      callOf(2, "contradictions", {}),
    ]);
    const { env } = await inEmptyFolder();
    const { code, stdout, stderr } = await runCli(["mcp", "--data", data], { input, env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(
      messagesIn(stdout)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual([0, 1, 2]);
    expect(await memoryCommands(data).json("memories", "--project", env.CLAUDE_PROJECT_DIR)).toHaveLength(1);
  });

  longTest("predicts related files from git alone on the first run", async () => {
    const cwd = repositoryOfPairs();
    const { client, call } = await startMcp({ data: folder.fresh("data"), cwd, era: "modern" });
    const assemble = async () => (await call("assemble_context", { current_file: "src/login.ts" })).text;
    await expect.poll(assemble).toMatch(/## Files likely needed\n- src\/session\.ts\n/);
    await client.close();
  });

  it("learns nothing from the history of an excluded folder", async () => {
    const cwd = repositoryOfPairs();
    const data = folder.fresh("data");
    const env = { THROUGHLINE_EXCLUDE: cwd };
    const input = inLines([HELLO, callOf(1, "assemble_context", { current_file: "src/login.ts" })]);
    const { stdout } = await runMain(["mcp", "--data", data], { input, cwd, env: { ...env, CLAUDE_PROJECT_DIR: "" } });
    expect(textOf(stdout, 1)).toMatch(/./);
    expect(textOf(stdout, 1)).not.toContain("Files likely needed");
    const shown = await runMain(["context", "src/login.ts", "--dir", cwd, "--data", data, "--json"], { env });
    expect(JSON.parse(shown.stdout)).toMatchObject({ files: [] });
  });

  it.each(["/no/such/folder", "p".repeat(300)])("starts for a project that is not a folder: %s", async (project) => {
    const answer = await runMain(["mcp", "--data", folder.fresh("data"), "--project", project], { input: "" });
    expect(answer).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("exits with 0 without any request", async () => {
    const answer = await runMain(["mcp", "--data", folder.fresh("data")], { ...(await inEmptyFolder()), input: "" });
    expect(answer).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it.each(isLong ? (["SIGTERM", "SIGINT"] as const) : (["SIGTERM"] as const))(
    "answers pending requests when it is stopped by %s",
    async (signal) => {
      const child = startCli(["mcp", "--data", folder.fresh("data")], await inEmptyFolder());
      const end = endOf(child);
      const lines = createInterface({ input: child.stdout });
      child.stdin.write(inLines([HELLO]));
      await once(lines, "line");
      child.stdin.write(inLines([callOf(1, "remember", { text: "We deploy on Fridays." })]));
      // The first tool call takes longest, so it is still running.
      child.stdin.write(inLines([callOf(2, "recall", { query: "Anything?" })]));
      await once(lines, "line");
      child.kill(signal);
      const { code, stdout, stderr } = await end;
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(
        messagesIn(stdout)
          .map(({ id }) => id)
          .toSorted(),
      ).toEqual([0, 1, 2]);
    },
  );

  it("prints only protocol messages, for any input and any library output", async () => {
    // Sends its first message as soon as the command runs.
    const noise = "const own = console; setInterval(() => console !== own && console.log('noise'), 1).unref();";
    const child = startCli(["mcp", "--data", folder.fresh("data")], {
      ...(await inEmptyFolder()),
      node: ["--import", `data:text/javascript,${encodeURIComponent(noise)}`],
    });
    const end = endOf(child);
    const lines = createInterface({ input: child.stdout });
    child.stdin.write(inLines([HELLO]));
    await once(lines, "line");
    child.stdin.write("no message\n{}\n[]\nnull\n\u0000\n");
    child.stdin.write(inLines([{ jsonrpc: "2.0", id: 1, method: "no/such" }, { jsonrpc: "1.0" }]));
    child.stdin.write(inLines([{ jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "none" } }]));
    child.stdin.write(inLines([{ jsonrpc: "2.0", id: 3, result: {} }, callOf(4, "recall", { query: "Deploy?" })]));
    child.stdin.end();
    const { code, stdout, stderr } = await end;
    expect(code).toBe(0);
    const answers = messagesIn(stdout);
    expect(answers.map(({ id }) => id).toSorted()).toEqual([0, 1, 2, 4]);
    expect(answers.find(({ id }) => id === 4)?.result?.content?.[0]?.text).toBe("No matching memories.");
    expect(stderr).toContain("noise");
  });

  longTest("uses the project of its folder, like hooks, unless --project is given", async () => {
    const data = folder.fresh("data");
    const [one, other] = [await emptyFolder(), await emptyFolder()];
    const here = await startMcp({ data, cwd: one });
    await here.call("remember", { text: "We deploy on Fridays." });
    const query = "When do we deploy?";
    expect((await here.call("recall", { query })).ids).toHaveLength(1);
    const input = inLines([HELLO, callOf(1, "recall", { query })]);
    const ask = async (args: readonly string[], options: { cwd?: string; env: { CLAUDE_PROJECT_DIR: string } }) => {
      const { stdout } = await runMain(["mcp", "--data", data, ...args], { input, ...options });
      return textOf(stdout, 1).match(/\(mem_/g) ?? [];
    };
    const hits = (CLAUDE_PROJECT_DIR: string, ...args: readonly string[]) => ask(args, { env: { CLAUDE_PROJECT_DIR } });
    expect(await ask([], { cwd: one, env: { CLAUDE_PROJECT_DIR: "" } })).toHaveLength(1);
    expect(await ask([], { cwd: other, env: { CLAUDE_PROJECT_DIR: "" } })).toEqual([]);
    expect(await hits(other, "--project", one)).toHaveLength(1);
    expect(await hits(one)).toHaveLength(1);
    expect(await hits(other)).toEqual([]);
    // A variable that the agent did not fill in names no project.
    expect(await hits(one, "--project", `\${workspaceFolder}`)).toHaveLength(1);
    const event = JSON.stringify({ cwd: one, source: "startup" });
    const env = { CLAUDE_PROJECT_DIR: "" };
    const hook = await runMain(["hook", "session-start", "--data", data], { input: event, env });
    expect(hook.stdout).toContain("Fridays");
    await here.client.close();
  });

  it("offers only read-only tools with --read-only", async () => {
    const input = inLines([HELLO, { jsonrpc: "2.0", id: 1, method: "tools/list" }]);
    const { env } = await inEmptyFolder();
    const { stdout } = await runMain(["mcp", "--data", folder.fresh("data"), "--read-only"], { input, env });
    const tools = answerTo(stdout, 1)?.tools ?? [];
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
    expect(tools).toHaveLength(5);
  });

  it("prints on stderr why it cannot start, and nothing to the agent", async () => {
    const file = await folder.file("taken", "");
    const { code, stdout, stderr } = await runMain(["mcp", "--data", file], { input: "" });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(`Not a folder: ${file}`);
    const broken = folder.fresh("data");
    await mkdir(broken);
    await writeFile(`${broken}/throughline.db`, "this is no database at all, and never was one ".repeat(100));
    expect(await runMain(["mcp", "--data", broken], { input: "" })).toMatchObject({ code: 3, stdout: "" });
  });

  it("has help with an example", async () => {
    const { code, stdout } = await runMain(["mcp", "--help"]);
    expect(code).toBe(0);
    for (const word of ["--project", "--read-only", "--data", "mcpServers", "Examples:"])
      expect(stdout).toContain(word);
  });
});
