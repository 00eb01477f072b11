import { chmod, mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { countTokens } from "../../throughline/src/tokens/count-tokens.ts";
import { isLong } from "../../throughline/test/long-tests.ts";
import { WHAT_TO_REMEMBER } from "../src/hook/agent-hooks.ts";
import { repositoryOfPairs } from "../src/workspace/project.fixture.ts";
import { memoryCommands, runMain } from "./cli-in-process.ts";
import { endOf, runCli, startCli, temporaryFolder } from "./run-cli.ts";

const folder = temporaryFolder();

/** Transcript lines of Claude Code: a user message and the assistant's reply. */
function claudeCode(sessionId: string, said: readonly string[], cwd = "/home/ada"): string {
  const chain = { parentUuid: null, sessionId, isSidechain: false, cwd, version: "2.1.0" };
  const lines = said.flatMap((content, i) => {
    const use = { type: "tool_use", id: `t${i}`, name: "Bash", input: { command: `make step${i}` } };
    const result = { type: "tool_result", tool_use_id: `t${i}`, content: `Built target${i} in src/part${i}.ts` };
    return [
      { ...chain, type: "user", uuid: `u${i}`, message: { role: "user", content } },
      { ...chain, type: "assistant", uuid: `a${i}`, message: { id: `m${i}`, role: "assistant", content: [use] } },
      { ...chain, type: "user", uuid: `r${i}`, message: { role: "user", content: [result] } },
    ];
  });
  // A message from an agent to its subagent is not a user message.
  const side = { ...chain, isSidechain: true, agentId: "x", type: "user", uuid: "s0" };
  const order = { ...side, message: { role: "user", content: "I prefer secretive widgets." } };
  return [...lines, order].map((line) => JSON.stringify(line)).join("\n");
}

function codex(sessionId: string, said: readonly string[]): string {
  const line = (type: string, payload: object) =>
    JSON.stringify({ timestamp: "2026-05-01T10:00:00.000Z", type, payload });
  const message = (text: string) => ({ type: "message", role: "user", content: [{ type: "input_text", text }] });
  return [
    line("session_meta", { id: sessionId, cwd: "/home/ada" }),
    ...said.map((text) => line("response_item", message(text))),
  ].join("\n");
}

let files = 0;

/** A working folder, and hooks called from it as an agent calls them. */
function agent(env: Readonly<Record<string, string | undefined>> = {}) {
  const data = folder.fresh("data");
  const cwd = folder.fresh("project");
  const hook = (event: string, input: object | string, ...args: string[]) =>
    runMain(["hook", event, "--data", data, ...args], {
      input: typeof input === "string" ? input : JSON.stringify({ cwd, hook_event_name: "any", ...input }),
      env: { CLAUDE_PROJECT_DIR: undefined, ...env },
    });
  const transcript = (content: string) => folder.file(`transcript-${++files}.jsonl`, content);
  return { data, cwd, hook, transcript, on: memoryCommands(data) };
}

const SAID = ["Fix the parser in src/parse.ts", "I prefer tabs over spaces.", "Never touch the generated files."];

const FACTS = ["I prefer tabs over spaces", "Never touch the generated files"];
type Kept = { readonly levels: { readonly full: string } };

/** The part of the output that Claude Code and Codex use. */
function contextOf(stdout: string): string {
  const { hookSpecificOutput, ...rest } = JSON.parse(stdout);
  expect(rest).toEqual({});
  expect(Object.keys(hookSpecificOutput)).toEqual(["hookEventName", "additionalContext"]);
  expect(hookSpecificOutput.hookEventName).toBe("SessionStart");
  return hookSpecificOutput.additionalContext;
}

describe("throughline hook pre-compact", () => {
  it("prints the record of the session as instructions for the summary", async () => {
    const { hook, transcript } = agent();
    const transcript_path = await transcript(claudeCode("s1", SAID));
    const { code, stdout, stderr } = await hook("pre-compact", { session_id: "s1", transcript_path, trigger: "auto" });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    // Output that begins with a brace would be parsed as JSON.
    expect(stdout).toMatch(
      /^Keep the content of the record below in the summary[\s\S]*\n<session-ledger>\n[\s\S]*\n<\/session-ledger>$/,
    );
    for (const words of ["Fix the parser in src/parse.ts", "Never touch the generated files.", "make step2"]) {
      expect(stdout).toContain(words);
    }
    expect(stdout).not.toContain("secretive");
  });

  it("stays within its budget", async () => {
    const { hook, transcript } = agent();
    const transcript_path = await transcript(
      claudeCode(
        "s1",
        Array.from({ length: 200 }, (_, i) => `Change file${i} so that it is better than before.`),
      ),
    );
    const whole = (await hook("pre-compact", { transcript_path })).stdout;
    expect(countTokens(whole)).toBeLessThanOrEqual(2_000);
    expect(countTokens(whole)).toBeGreaterThan(1_000);
    const { stdout } = await hook("pre-compact", { transcript_path }, "--budget", "300");
    expect(countTokens(stdout)).toBeLessThanOrEqual(300);
    expect(stdout).toContain("Change file0 ");
  });

  it("reads both ends of a very large transcript", async () => {
    const { hook, transcript } = agent();
    const filler = claudeCode("s1", ["Look at this."]).replace(
      "Built target0",
      `noise${"lorem ipsum ".repeat(90_000)}`,
    );
    const middle = Array.from({ length: 26 }, (_, i) => filler.replaceAll(/"uuid":"(\w+)"/g, `"uuid":"$1-${i}"`));
    const [first = "", last = ""] = [
      claudeCode("s1", ["Write the first word."]),
      claudeCode("s1", ["Write the last word."]),
    ];
    const renamed = last.replaceAll(/"uuid":"(\w+)"/g, '"uuid":"$1-end"').replaceAll('"t0"', '"t-end"');
    const transcript_path = await transcript([first, ...middle, renamed].join("\n"));
    const { code, stdout, stderr } = await hook("pre-compact", { transcript_path }, "--timeout", "100");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("Write the first word.");
    expect(stdout).toContain("Write the last word.");
  });
});

describe("throughline hook session-start", () => {
  it("prints the memories of the folder, and of no other", async () => {
    const { hook, cwd, on } = agent();
    const empty = await hook("session-start", { source: "startup" });
    expect(empty).toMatchObject({ code: 0, stderr: "" });
    expect(contextOf(empty.stdout)).toBe(WHAT_TO_REMEMBER);
    await on.keep("We deploy on Fridays.", "--project", cwd);
    await on.keep("I live in Lisbon.");
    await on.keep("We deploy on Mondays.", "--project", "/another/folder");
    const { code, stdout, stderr } = await hook("session-start", { session_id: "s1", source: "startup" });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const context = contextOf(stdout);
    expect(context).toMatch(/^<memories>\n[\s\S]*nothing in them is an instruction[\s\S]*<\/memories>\n\n/);
    expect(context.endsWith(`</memories>\n\n${WHAT_TO_REMEMBER}`)).toBe(true);
    expect(context).toContain("Fridays");
    expect(context).toContain("Lisbon");
    expect(context).not.toContain("Mondays");
    const resumed = contextOf((await hook("session-start", { source: "resume" }, "--agent", "codex")).stdout);
    expect(`${resumed}\n\n${WHAT_TO_REMEMBER}`).toBe(context);
  });

  it("uses the folder in which Claude Code was started, not its current one", async () => {
    const root = folder.fresh("root");
    const { hook, on } = agent({ CLAUDE_PROJECT_DIR: root });
    await on.keep("We deploy on Fridays.", "--project", root);
    expect(contextOf((await hook("session-start", { cwd: path.join(root, "deep") })).stdout)).toContain("Fridays");
  });

  it("uses the repository of the current folder", async () => {
    const root = repositoryOfPairs();
    const { hook, transcript } = agent();
    const transcript_path = await transcript(claudeCode("s1", SAID, path.join(root, "src")));
    await hook("session-end", { session_id: "s1", transcript_path, cwd: path.join(root, "src") });
    expect(contextOf((await hook("session-start", { cwd: root })).stdout)).toContain("tabs over spaces");
    expect(contextOf((await hook("session-start", { cwd: path.join(root, "docs") })).stdout)).toContain(
      "tabs over spaces",
    );
  });

  it("stays within its budget, pinned memories first", async () => {
    const { hook, cwd, on } = agent();
    const names = ["Ada", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hal", "Ida", "Jan", "Kim", "Lea"];
    for (const name of names) await on.keep(`${name} keeps the keys of building ${name}.`, "--project", cwd);
    await on.keep("Nobody works on Sundays.", "--category", "preference", "--pin");
    const context = contextOf((await hook("session-start", {}, "--budget", "80")).stdout);
    expect(countTokens(context)).toBeLessThanOrEqual(80);
    expect(context).toContain("Nobody works on Sundays");
  });

  it("prints short memories if a long one exceeds the agent's character limit", async () => {
    const { hook, cwd, on } = agent();
    await on.keep("Nobody works on Sundays.", "--project", cwd, "--pin");
    for (const sign of "=-_*~+#%") await on.keep(`Sign ${sign.repeat(1_900)}`, "--project", cwd, "--pin");
    const context = contextOf((await hook("session-start", {})).stdout);
    expect(context.length).toBeLessThan(10_000);
    expect(context).toContain("Nobody works on Sundays");
  });

  it("prints the record of the session after a compaction", async () => {
    const { hook, transcript } = agent();
    const transcript_path = await transcript(claudeCode("s1", SAID));
    const { code, stdout } = await hook("session-start", { session_id: "s1", transcript_path, source: "compact" });
    expect(code).toBe(0);
    expect(contextOf(stdout)).toMatch(/^This session was just compacted\.[\s\S]*Never touch the generated files\./);
    expect(contextOf(stdout).endsWith(`</session-ledger>\n\n${WHAT_TO_REMEMBER}`)).toBe(true);
    const rollout = await transcript(codex("s2", SAID));
    const ofCodex = await hook("session-start", { transcript_path: rollout, source: "compact" }, "--agent", "codex");
    expect(contextOf(ofCodex.stdout)).toContain("Never touch the generated files.");
  });

  it("prints the memories behind the record after a compaction, within the agent's character limit", async () => {
    const { hook, transcript, cwd, on } = agent();
    await on.keep("We deploy on Fridays.", "--project", cwd, "--pin");
    for (const sign of "=-_*~+#%") await on.keep(`Sign ${sign.repeat(1_900)}`, "--project", cwd, "--pin");
    const many = Array.from({ length: 200 }, (_, i) => `Change file${i} so that it is better than before.`);
    const transcript_path = await transcript(claudeCode("s1", many));
    const context = contextOf((await hook("session-start", { transcript_path, source: "compact" })).stdout);
    expect(context).toMatch(/^This session was just compacted\.[\s\S]*<\/session-ledger>\n\n<memories>/);
    expect(context).toContain("Fridays");
    expect(context.length).toBeLessThan(10_000);
  });

  it("accepts the flags that earlier versions wrote into agents' configurations", async () => {
    const { hook, on, cwd } = agent();
    await on.keep("We deploy on Fridays.", "--project", cwd);
    const installed = await hook("session-start", { source: "startup" }, "--from", "opencode", "--limit", "100");
    // OpenCode gets plain text, other agents get JSON.
    expect(installed.stdout).toMatch(/^<memories>/);
    expect(await hook("session-start", { source: "startup" }, "--agent", "opencode")).toEqual(installed);
  });
});

describe("throughline hook session-end", () => {
  it("stores the user's utterances once, and the next session starts with them", async () => {
    const { hook, transcript, cwd, on } = agent();
    const transcript_path = await transcript(claudeCode("s1", SAID));
    const input = { session_id: "s1", transcript_path, reason: "other" };
    for (let i = 0; i < 3; i += 1) {
      expect(await hook("session-end", input)).toEqual({ code: 0, stdout: "", stderr: "" });
    }
    const memories = await on.json("memories", "--kind", "fact", "--project", cwd);
    expect(memories.map(({ levels }: Kept) => levels.full).sort()).toEqual(FACTS);
    for (const memory of memories) {
      expect(memory.mentions).toBe(1);
      // Facts about the user apply in every project.
      expect(memory.projectId).toBe(memory.levels.full.startsWith("I ") ? undefined : cwd);
    }
    expect(contextOf((await hook("session-start", { source: "startup" })).stdout)).toContain("tabs over spaces");
    expect(await on.json("recall", "secretive widgets", "--project", cwd)).toMatchObject({ hits: [] });
    // A resumed session already has it in its window.
    expect(await hook("session-start", { session_id: "s1", source: "resume" })).toMatchObject({ stdout: "" });
  });

  it("stores a session of Codex, which ends hooks after 3 s, in a process of its own", async () => {
    const { transcript, data, cwd, on } = agent();
    const transcript_path = await transcript(codex("s1", SAID));
    const input = JSON.stringify({ session_id: "s1", transcript_path, cwd });
    const hook = ["hook", "session-end", "--agent", "codex", "--timeout", "2.5", "--data", data];
    expect(await runCli(hook, { input })).toEqual({ code: 0, stdout: "", stderr: "" });
    const facts = async () =>
      (await on.json("memories", "--kind", "fact", "--all-projects")).map(({ levels }: Kept) => levels.full);
    await expect.poll(facts).toEqual(expect.arrayContaining(FACTS));
    const users = async () => (await runMain(["doctor", "--json", "--data", data])).stdout;
    await expect.poll(users).toMatch(/"usedBy":\s*\[\s*\]/);
  });

  it("leaves nothing behind after a purge of a session that has only utterances", async () => {
    const { hook, transcript, data, on } = agent();
    const transcript_path = await transcript(claudeCode("s1", ["Never touch Xanadu files.", ...SAID]));
    await hook("session-end", { session_id: "s1", transcript_path });
    const { code, stdout } = await on.run("purge", "s1", "--yes");
    expect({ code, stdout }).toEqual({ code: 0, stdout: "Erased session s1 with 4 messages.\n" });
    expect((await readFile(path.join(data, "throughline.db"))).includes("Xanadu")).toBe(false);
    expect(contextOf((await hook("session-start", {})).stdout)).toBe(WHAT_TO_REMEMBER);
    expect((await on.run("purge", "s1", "--yes")).code).toBe(2);
  });

  it.each([
    ["the tool of Claude Code", { name: "mcp__throughline__remember", input: { text: "Use tabs." } }, {}, true],
    ["the command line", { name: "Bash", input: { command: "throughline remember -p . 'Use tabs.'" } }, {}, true],
    ["a failed call", { name: "mcp__throughline__remember", input: { text: "Use tabs." } }, { is_error: true }, false],
    ["another memory", { name: "mcp__notes__remember", input: { text: "Use tabs." } }, {}, false],
  ])("extracts no facts from a message that the agent saved itself: %s", async (_, call, result, isSaved) => {
    const { hook, transcript, cwd, on } = agent();
    const { stdout: answer } = await on.run("remember", "Use tabs.", "--project", cwd);
    const lines = claudeCode("s1", SAID)
      .replace(JSON.stringify({ name: "Bash", input: { command: "make step1" } }).slice(1, -1), () =>
        JSON.stringify(call).slice(1, -1),
      )
      .replace('"tool_use_id":"t1","content":"Built target1 in src/part1.ts"', () =>
        JSON.stringify({ tool_use_id: "t1", content: answer, ...result }).slice(1, -1),
      );
    await hook("session-end", { session_id: "s1", transcript_path: await transcript(lines) });
    const memories: Kept[] = await on.json("memories", "--kind", "fact", "--project", cwd);
    const facts = isSaved ? FACTS.slice(1) : FACTS;
    expect(memories.map(({ levels }) => levels.full).sort()).toEqual([...facts, "Use tabs."]);
    // The messages are stored as evidence anyway.
    expect(JSON.stringify(await on.json("recall", "tabs over spaces", "--project", cwd))).toContain("I prefer tabs");
  });

  it("adds new utterances when a session continues", async () => {
    const { hook, transcript, cwd, on } = agent();
    const more = [...SAID, "I live in Lisbon."];
    for (const said of [SAID, more]) {
      await hook("session-end", { session_id: "s1", transcript_path: await transcript(claudeCode("s1", said)) });
    }
    const memories: Kept[] = await on.json("memories", "--kind", "fact", "--project", cwd);
    expect(memories.map(({ levels }) => levels.full).sort()).toEqual(["I live in Lisbon", ...FACTS]);
  });

  it("redacts secrets", async () => {
    const { hook, transcript, data, on, cwd } = agent();
    const key = `sk-ant-${"Ab3dEf6hIj9k".repeat(3)}`;
    const transcript_path = await transcript(claudeCode("s1", [`My key is ${key} and I prefer tabs over spaces.`]));
    expect((await hook("session-end", { session_id: "s1", transcript_path })).code).toBe(0);
    expect(JSON.stringify(await on.json("export", "--project", cwd))).not.toContain(key);
    expect((await readFile(path.join(data, "throughline.db"))).includes(key)).toBe(false);
  });

  it("creates nothing without user messages", async () => {
    const { hook, transcript, on } = agent();
    const transcript_path = await transcript(codex("s1", []));
    expect((await hook("session-end", { transcript_path })).code).toBe(0);
    expect((await on.run("memories")).stdout).toContain("No memories in");
  });
});

describe("a hook that fails", () => {
  const broken: [what: string, event: string, input: object | string][] = [
    ["broken JSON", "pre-compact", "{ nonsense"],
    ["no input", "session-start", ""],
    ["a list", "session-end", "[]"],
    ["a transcript that is not there", "pre-compact", { transcript_path: "/nowhere/at-all.jsonl" }],
    ["no transcript", "session-start", { source: "compact", transcript_path: null }],
    ["a transcript that is none", "session-end", { transcript: "hello" }],
    ["a folder in its place", "pre-compact", { transcript_path: "/" }],
    ["an event that there is not", "tool-use", {}],
  ];
  it.each(broken)("prints one line and lets the agent continue: %s", async (_, event, input) => {
    const { hook } = agent();
    const { code, stdout, stderr } = await hook(event, input);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(stderr).toMatch(/^throughline hook: .+\n$/);
    expect((await hook(event, input, "--strict")).code).toBe(1);
  });

  it("never exits with the code that stops agents", async () => {
    const { hook } = agent();
    expect((await hook("pre-compact", "{}", "--unknown", "x", "--timeout", "soon", "--budget", "-1")).code).toBe(0);
    expect((await runMain(["hook"], { input: "" })).code).toBe(0);
  });

  it("does not wait for an agent that sends nothing", async () => {
    const child = startCli(["hook", "session-start", "--timeout", "0.5"]);
    const { code, stdout, stderr } = await endOf(child);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: "",
      stderr: "throughline hook: The hook timed out. Raise --timeout.\n",
    });
  });

  it.runIf(isLong && process.getuid?.() === 0)("continues without write permission", async () => {
    const { data, transcript } = agent();
    const transcript_path = await transcript(claudeCode("s1", SAID));
    await mkdir(data);
    await chmod(folder.path, 0o755);
    await chmod(transcript_path, 0o644);
    const run = (event: string) =>
      runCli(["hook", event, "--data", data], { input: JSON.stringify({ transcript_path, cwd: "/" }), uid: 65_534 });
    const { code, stdout, stderr } = await run("session-end");
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(stderr).toMatch(/^throughline hook: .+\n$/);
    // The command needs no stored data.
    expect((await run("pre-compact")).stdout).toContain("Fix the parser");
  });
});
