import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { sqliteStore } from "../../throughline/src/store/sqlite/sqlite.ts";
import { createThroughline } from "../../throughline/src/throughline.ts";
import { memoryCommands } from "./cli-in-process.ts";
import { temporaryFolder } from "./run-cli.ts";

const folder = temporaryFolder();

const onData = () => memoryCommands(folder.fresh("data"));

const HOSTILE = "Tea is \u001b[31mred\u001b]0;owned\u0007 \u009b2J\u202e and\r\nhot";

function expectHarmless(text: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
}

describe("without memories", () => {
  it.each([["recall", "tea"], ["memories"], ["journal"], ["consolidate"], ["contradictions"]])(
    "%s says so and creates nothing",
    async (...args) => {
      const { data, run, json } = onData();
      const { code, stdout, stderr } = await run(...args);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toMatch(/^No memories in .* yet\. Add one: `throughline remember TEXT`\.\n$/);
      await json(...args);
      expect(existsSync(data)).toBe(false);
    },
  );

  it.each([
    ["forget", "mem_1"],
    ["undo", "jrn_1"],
    ["contradictions", "resolve", "con_1", "--resolution", "a_wins"],
    ["purge", "--memory", "mem_1", "--yes"],
    ["export"],
  ])("%s %s exits with 2 and creates nothing", async (...args) => {
    const { data, run } = onData();
    const { code, stdout, stderr } = await run(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/(?:in|No memories to export in) .*\n.*`throughline [a-z -]+/i);
    expect(existsSync(data)).toBe(false);
  });
});

describe("throughline remember", () => {
  it("prints whether a memory was added, merged or replaced another one", async () => {
    const { run } = onData();
    const added = await run("remember", "I live in Lisbon.");
    expect(added.stdout).toMatch(/^Added: I live in Lisbon\.\n {2}mem_\w+\n$/);
    const known = await run("remember", "I", "live", "in", "Lisbon");
    expect(known.stdout).toMatch(/^Merged: I live in Lisbon\.\n {2}mem_\w+\nMentioned 2 times so far\.\n$/);
    const changed = await run("remember", "I live in Berlin.");
    expect(changed.stdout).toMatch(
      /^Replaced: I live in Berlin\.\n {2}mem_\w+\nReplaces “I live in Lisbon\.” \(mem_\w+\), which ended \d{4}-\d\d-\d\d \d\d:\d\d\.\n$/,
    );
  });

  it("prints the same as JSON", async () => {
    const { json } = onData();
    const first = await json("remember", "I live in Lisbon.");
    expect(first).toMatchObject({ outcome: "added", replaced: null, contradictions: [] });
    expect(await json("remember", "I live in Berlin.")).toMatchObject({
      outcome: "replaced",
      memory: { key: "residence", value: "Berlin", supersedes: first.memory.id },
      replaced: { id: first.memory.id, validTo: expect.any(Number) },
    });
  });

  it("accepts every field of a memory", async () => {
    const { json } = onData();
    const options = ["--category", "project", "--key", "db", "--value", "PostgreSQL", "--subject", "the shop"];
    const names = ["--alias", "postgres", "--alias", "pg", "--pin", "--valid-from", "2026-05-01 14:30"];
    const { memory } = await json("remember", "It runs on PostgreSQL", ...options, ...names);
    expect(memory).toMatchObject({
      category: "project",
      value: "PostgreSQL",
      subject: "the shop",
      aliases: ["postgres", "pg"],
      pinned: true,
      validFrom: new Date(2026, 4, 1, 14, 30).getTime(),
    });
    expect((await json("remember", "Deploy: build, test, ship", "--kind", "workflow")).memory.kind).toBe("workflow");
  });

  it("prints related memories, and replaces those that are named", async () => {
    const { run, json } = onData();
    const { memory } = await json("remember", "My boss is Ruth.");
    const text = "I report to Omar Diaz, who is my boss.";
    const { stdout } = await run("remember", text);
    expect(stdout).toContain(
      `Related: My boss is Ruth. ${memory.id}\nIf one is outdated now, save this again with --replaces ID.\n`,
    );
    const said = await json("remember", text, "--replaces", memory.id.slice(0, -2));
    expect(said).toMatchObject({ outcome: "replaced", replaced: { id: memory.id }, related: [] });
  });

  it("prints contradictions", async () => {
    const { run, keep } = onData();
    await keep("The office has 3 floors.");
    const { stdout } = await run("remember", "The office has 5 floors.");
    expect(stdout).toMatch(/Contradicts con_\w+: .*\n`throughline contradictions` shows both sides\.\n/);
  });

  it("refuses a secret without repeating it, unless --keep-secrets is given", async () => {
    const { run, keep } = onData();
    const secret = "my password is hunter2-Xq9!pluto";
    const refused = await run("remember", secret);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toMatch(/looks like a secret \(\w+\).*\nRemove the secret, or add --keep-secrets/);
    expect(refused.stderr).not.toContain("pluto");
    await keep(secret, "--keep-secrets");
  });
});

describe("throughline recall", () => {
  it("prints matches with reasons and sources", async () => {
    const { run, json, keep } = onData();
    const id = await keep("We deploy on Fridays.", "--category", "project");
    await keep("My sister plays the cello.");
    const { code, stdout } = await run("recall", "When", "do", "we", "deploy?");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^1\. {2}We deploy on Fridays\.\n/);
    expect(stdout).toContain(`from  project · entered by hand · ${id}\n`);
    const { question, hits } = await json("recall", "When do we deploy?", "--limit", "1");
    expect(question).toBe("When do we deploy?");
    expect(hits).toMatchObject([
      { type: "memory", id, text: "We deploy on Fridays.", score: expect.any(Number), source: {}, memory: { id } },
    ]);
    expect(hits[0].reasons).toBeInstanceOf(Array);
  });

  it("prints the part of a long utterance that has the words of the question", async () => {
    const { run } = onData();
    const before = Array.from({ length: 20 }, (_, at) => `Part ${at} of the harbor is described on its own page.`);
    const answer = "The lighthouse burns whale oil. It has done so since the storm.";
    const after = Array.from({ length: 20 }, (_, at) => `Page ${at} has a map of the harbor.`);
    const messages = [
      { role: "user", content: "Tell me about the harbor." },
      { role: "assistant", content: [...before, answer, ...after].join("\n") },
    ];
    const file = await folder.file("harbor.json", JSON.stringify(messages));
    expect((await run("import", file, "--remember")).code).toBe(0);
    const { stdout } = await run("recall", "What does the lighthouse burn?", "--from", "turns", "--limit", "1");
    expect(stdout).toContain(`1.  … ${answer} Page 0 has a map of the harbor.`);
    expect(stdout.split("\n")[0]).toMatch(/ Page \d+ has a map of the harbor\. …$/);
  });

  it("prints the summary of a long episode, not the ends of its text", async () => {
    const { run, json, data, keep } = onData();
    await keep("My sister plays the cello.");
    const found = Array.from({ length: 12 }, (_, at) => `- The reader of part ${at} rounds each total down to a cent.`);
    const text = `Fixed the totals of the invoice. The root cause was a float.\nDecided and found:\n${found.join("\n")}`;
    const store = sqliteStore(path.join(data, "throughline.db"));
    await (await createThroughline({ store })).memory.remember({ kind: "episode", text });
    await store.close();
    const { hits } = await json("recall", "invoice totals root cause", "--from", "memories", "--limit", "1");
    const { stdout } = await run("recall", "invoice totals root cause", "--from", "memories", "--limit", "1");
    expect(hits[0].text.length).toBeGreaterThan(400);
    expect(stdout.split("\n")[0]).toBe(`1.  ${hits[0].memory.levels.summary.replaceAll(/\s+/g, " ")}`);
  });

  it("reports that nothing matches, and how to open a handle", async () => {
    const { run, json, keep } = onData();
    await keep("We deploy on Fridays.");
    const none = await run("recall", "deploy", "--from", "turns");
    expect(none).toMatchObject({ code: 0, stderr: "" });
    expect(none.stdout).toBe("No matches. --all includes weak ones.\n");
    expect(await json("recall", "deploy", "--kind", "workflow")).toEqual({ question: "deploy", hits: [] });
    const handle = await run("recall", "message:u0", "--from", "turns");
    expect(handle.stdout).toContain("add --session with its session id");
  });

  it("shows past facts with --as-of, within the budget", async () => {
    const { json, keep } = onData();
    await keep("I live in Lisbon.", "--valid-from", "2024-01-01");
    await keep("I live in Berlin.", "--valid-from", "2025-01-01");
    const texts = async (...args: readonly string[]) =>
      (await json("recall", "Where do I live?", "--all", ...args)).hits.map(({ text }: { text: string }) => text);
    expect(await texts()).toEqual(["I live in Berlin."]);
    expect(await texts("--as-of", "2024-12-31")).not.toContain("I live in Berlin.");
    expect(await texts("--budget", "1")).toEqual([]);
  });

  it("does not show a project's memories to another project", async () => {
    const { run, json, keep } = onData();
    await keep("The shop runs on PostgreSQL.", "--project", "shop", "--scope", "project-shared");
    await keep("The blog has no comments.", "--project", "blog");
    expect((await run("recall", "PostgreSQL", "--project", "blog")).stdout).toContain("No matches.");
    expect((await json("recall", "PostgreSQL", "--project", "shop")).hits).toHaveLength(1);
    const { stdout } = await run("memories", "--project", "shop");
    expect(stdout).toContain("The shop runs on PostgreSQL.  (shared)\n1 memory, all of project shop\n");
    expect((await run("memories", "--project", "blog")).stdout).not.toContain("PostgreSQL");
  });

  it("shows the memories of all projects, private and shared, without a project", async () => {
    const { run, json, keep } = onData();
    await keep("The shop runs on PostgreSQL.", "--project", "shop", "--scope", "project-shared");
    await keep("The blog runs on PostgreSQL.", "--project", "blog");
    const projects = (found: readonly { projectId: string }[]) => found.map(({ projectId }) => projectId).sort();
    expect(projects(await json("memories"))).toEqual(["blog", "shop"]);
    expect((await run("memories")).stdout).toContain("The shop runs on PostgreSQL.  (shared, project shop)\n");
    const { hits } = await json("recall", "PostgreSQL", "--all");
    expect(projects(hits.map(({ memory }: { memory: { projectId: string } }) => memory))).toEqual(["blog", "shop"]);
  });
});

describe("throughline memories, forget, journal and undo", () => {
  it("list, archive and restore memories", async () => {
    const { run, json, keep } = onData();
    const tea = await keep("I like tea.", "--category", "preference", "--pin");
    const deploy = await keep("We deploy on Fridays.");
    const { stdout } = await run("memories");
    expect(stdout).toBe(
      `${deploy}  fact        We deploy on Fridays.\n${tea}  preference  I like tea.  (pinned)\n2 memories\n`,
    );
    const dry = await run("forget", deploy.slice(0, -1), "--dry-run");
    expect(dry.stdout).toBe(`Would archive: We deploy on Fridays. (${deploy})\n`);
    expect(await json("memories", "--kind", "fact")).toHaveLength(2);
    expect(await json("memories", "--category", "preference")).toMatchObject([{ id: tea, pinned: true }]);
    const { dryRun, memories } = await json("forget", deploy, deploy.slice(0, -1));
    expect(dryRun).toBe(false);
    expect(memories).toEqual([
      { id: deploy, text: "We deploy on Fridays.", wasForgotten: false, journalId: expect.stringMatching(/^jrn_/) },
    ]);
    expect(await json("memories")).toMatchObject([{ id: tea }]);
    expect((await run("memories", "--all")).stdout).toMatch(/We deploy on Fridays\. {2}\(archived \d{4}-/);
    expect((await run("forget", deploy)).stdout).toBe(`Already archived: We deploy on Fridays. (${deploy})\n`);
    const undone = await run("undo", memories[0].journalId);
    expect(undone.stdout).toMatch(/^jrn_\w+ is undone:\n {2}We deploy on Fridays\.\nRedo it: throughline undo jrn_/);
    expect(await json("memories")).toHaveLength(2);
  });

  it("list changes, newest first, and refuse to undo an entry that changed since", async () => {
    const { run, json, keep } = onData();
    const id = await keep("We deploy on Fridays.");
    await run("forget", id);
    const entries: { id: string; action: string }[] = await json("journal");
    expect(entries.map(({ action }) => action)).toEqual(["forget", "remember"]);
    const refused = await run("undo", entries[1]?.id ?? "");
    expect(refused).toMatchObject({ code: 3, stdout: "" });
    expect(refused.stderr).toMatch(/Cannot undo jrn_\w+: mem_\w+ changed since\.\nUndo the later changes first/);
    const { undone, journalId, memories } = await json("undo", entries[0]?.id ?? "");
    expect({ undone, memories }).toMatchObject({ undone: entries[0]?.id, memories: [{ id }] });
    const { stdout } = await run("journal", "--limit", "2");
    expect(stdout).toMatch(/undo +We deploy on Fridays\. {2}\(of jrn_\w+\)\n.*forget +We.*\(undone by jrn_\w+\)\n$/);
    expect(stdout.startsWith(journalId)).toBe(true);
    expect((await run("undo", "jrn_nothing")).stderr).toContain("No journal entry jrn_nothing in ");
  });

  it("archive nothing if one id is wrong or ambiguous", async () => {
    const { run, json, keep } = onData();
    const [id] = [await keep("We deploy on Fridays."), await keep("I like tea.")];
    const wrong = await run("forget", id, "mem_zzz");
    expect(wrong).toMatchObject({ code: 2, stdout: "" });
    expect(wrong.stderr).toMatch(/No memory mem_zzz in .*\nList the ids with `throughline memories --all`/);
    expect((await run("forget", "mem_")).stderr).toMatch(
      /The id mem_ is ambiguous, several memories start with it: mem_\w+, mem_\w+ …\n/,
    );
    expect((await run("forget", "")).code).toBe(2);
    expect(await json("memories")).toHaveLength(2);
  });
});

describe("throughline contradictions and consolidate", () => {
  it("show both sides, and resolve one", async () => {
    const { run, json, keep } = onData();
    const [a, b] = [await keep("The office has 3 floors."), await keep("The office has 5 floors.")];
    const [found, ...others] = await json("contradictions");
    expect(others).toEqual([]);
    expect(found).toMatchObject({ memoryA: a, memoryB: b, status: "open", textA: "The office has 3 floors." });
    const { stdout } = await run("contradictions");
    expect(stdout).toMatch(/ {2}a {4}The office has 3 floors\. {2}mem_.*\n {2}b {4}The office has 5 .*\n {2}why /);
    expect(stdout).toContain("1 contradiction to resolve:");
    const settled = await json("contradictions", "resolve", "con_", "--resolution", "b_wins", "--note", "Built more.");
    expect(settled).toMatchObject({
      contradiction: { id: found.id, status: "resolved", resolution: "b_wins", note: "Built more." },
      journalId: expect.stringMatching(/^jrn_/),
    });
    expect(await json("memories")).toMatchObject([{ id: b }]);
    expect((await run("contradictions")).stdout).toBe("No open contradictions.\n");
    expect((await run("contradictions", "--status", "all")).stdout).toContain("now  b is true, a is not · ");
    const again = await run("contradictions", "resolve", found.id, "--resolution", "a_wins");
    expect(again).toMatchObject({ code: 2, stdout: "" });
    expect(again.stderr).toContain("is already resolved");
    expect((await run("undo", settled.journalId)).code).toBe(0);
    expect(await json("contradictions", "--status", "open")).toHaveLength(1);
    const merged = ["--resolution", "merged", "--text", "The office has 3 floors, soon 5."];
    expect((await run("contradictions", "resolve", found.id, ...merged)).stdout).toContain("merged into one memory");
    expect(await json("memories")).toMatchObject([{ levels: { full: "The office has 3 floors, soon 5." } }]);
  });

  it("consolidate, or print what would change", async () => {
    const { run, json, keep } = onData();
    await keep("We deploy on Fridays.");
    const none = { deduped: 0, compressed: 0, adjusted: 0, contradictionsFound: 0, forgotten: 0, linked: 0 };
    expect(await json("consolidate", "--dry-run")).toMatchObject({ dryRun: true, ...none });
    expect((await run("consolidate")).stdout).toBe("Nothing to tidy up.\n");
    const exported = await json("export");
    const twin = { ...exported.memories[0], id: "mem_twin" };
    const file = await folder.file("twins.json", JSON.stringify({ ...exported, memories: [twin], journal: [] }));
    await run("import", file);
    const dry = await run("consolidate", "--dry-run");
    expect(dry.stdout).toMatch(/^Dry run, nothing was changed\. A real run would report:\n +1 {2}duplicates merged\n/);
    expect(await json("memories")).toHaveLength(2);
    const { deduped, journalId } = await json("consolidate");
    expect(deduped).toBe(1);
    expect(await json("memories")).toHaveLength(1);
    expect((await run("undo", journalId)).code).toBe(0);
    expect(await json("memories")).toHaveLength(2);
  });
});

describe("the text of a memory", () => {
  it("cannot control the terminal or change the JSON", async () => {
    const { run, json, keep } = onData();
    const id = await keep(HOSTILE, "--alias", HOSTILE, "--subject", "\u001b[2Jme", "--project", "p\u009b2J");
    for (const args of [["recall", "tea"], ["memories"], ["journal"], ["forget", id, "--dry-run"]]) {
      const { code, stdout } = await run(...args, "--project", "p\u009b2J");
      expect(code).toBe(0);
      expect(stdout).toContain("red");
      expectHarmless(stdout);
      expectHarmless((await run(...args, "--project", "p\u009b2J", "--json")).stdout);
    }
    expect(await json("memories", "--project", "p\u009b2J")).toMatchObject([{ projectId: "p\u009b2J" }]);
    expectHarmless((await run("forget", "\u001b[31mx\u009b")).stderr);
  });
});
