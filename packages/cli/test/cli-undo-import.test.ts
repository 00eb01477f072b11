import { existsSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Memory } from "../../throughline/src/ports/memory.ts";
import { SOAK } from "../../throughline/test/cases.ts";
import { longTest } from "../../throughline/test/long-tests.ts";
import { memoryCommands, runMain } from "./cli-in-process.ts";
import { projectSessions } from "./project-sessions.ts";
import { endOf, startCli, temporaryFolder } from "./run-cli.ts";

const folder = temporaryFolder();
const { repository, transcript } = projectSessions(folder);
const onData = () => memoryCommands(folder.fresh("data"));

const RULE = "Never touch src/legacy in this repository.";
const textsOf = (memories: readonly Memory[]) => memories.map(({ levels }) => levels.full).sort();

/** Content of an export without the fields that depend on the export time. */
async function contentsOf(on: ReturnType<typeof onData>) {
  const { memories, turns, contradictions } = await on.json("export");
  return { memories, turns, contradictions };
}

describe("throughline undo of an import", () => {
  it("erases its sessions, utterances and memories, and importing again brings them back", async () => {
    const on = onData();
    const file = await transcript("s1", [RULE, "We deploy with make ship."], repository("shop"));
    const { importId } = await on.json("import", file, "--remember");
    const before = await on.json("memories");
    expect(before.length).toBeGreaterThan(1);
    const { stdout } = await on.run("undo", importId);
    expect(stdout).toMatch(/^imp_\w+ of .* is undone: 1 session, 2 utterances, \d+ memories erased, 0 restored\.\n/);
    expect(await on.json("memories", "--all")).toEqual([]);
    expect(await on.json("sessions")).toEqual([]);
    expect(readFileSync(path.join(on.data, "throughline.db")).includes("src/legacy")).toBe(false);
    expect((await on.run("undo", importId)).stdout).toContain("was already undone; nothing changed.");
    await on.run("import", file, "--remember");
    expect(textsOf(await on.json("memories"))).toEqual(textsOf(before));
  });

  it("restores what was there before exactly, whatever the import merged, replaced or contradicted", async () => {
    const on = onData();
    const shop = repository("shop");
    await on.run("import", await transcript("old", [RULE, "I live in Lisbon."], shop), "--remember");
    await on.keep("The shop runs on MySQL.", "--key", "db", "--value", "MySQL", "-p", shop);
    const before = await contentsOf(on);
    const said = [RULE, "I moved from Lisbon to Porto.", "We use PostgreSQL now, no longer MySQL."];
    const { importId } = await on.json("import", await transcript("new", said, shop), "--remember");
    expect(await contentsOf(on)).not.toEqual(before);
    expect(await on.json("undo", importId)).toMatchObject({ sessions: 1, keptMemories: [], keptSessions: [] });
    expect(await contentsOf(on)).toEqual(before);
  });

  it("keeps memories that were changed since, and names them", async () => {
    const on = onData();
    const shop = repository("shop");
    const { importId } = await on.json("import", await transcript("s1", [RULE], shop), "--remember");
    const [rule] = (await on.json("memories", "--kind", "fact")) as Memory[];
    expect(await on.json("remember", RULE, "-p", shop, "--subject", "project", "--pin")).toMatchObject({
      outcome: "merged",
    });
    const dry = await on.run("undo", importId, "--dry-run");
    expect(dry.stdout).toContain(RULE.slice(0, -1));
    expect(dry.stdout).toContain("Would be kept:");
    const { keptMemories } = await on.json("undo", importId);
    expect(keptMemories).toMatchObject([{ id: rule?.id, reason: "changed" }]);
    const [kept] = await on.json("memories", "--kind", "fact");
    expect(kept).toMatchObject({ id: rule?.id, pinned: true, source: {} });
    expect((await on.json("export")).turns).toEqual([]);
  });

  it("keeps the messages of a session that existed before, and forgets what was learned from the new ones", async () => {
    const on = onData();
    const shop = repository("shop");
    await on.run("import", await transcript("s1", [RULE], shop), "--remember");
    const before = textsOf(await on.json("memories", "--kind", "fact"));
    const { importId } = await on.json(
      "import",
      await transcript("s1", [RULE, "We deploy with make ship."], shop),
      "--remember",
    );
    expect(textsOf(await on.json("memories", "--kind", "fact"))).not.toEqual(before);
    expect(await on.json("undo", importId)).toMatchObject({
      sessions: 0,
      turns: 1,
      keptSessions: [{ id: "s1", reason: "existed" }],
    });
    expect(textsOf(await on.json("memories", "--kind", "fact"))).toEqual(before);
  });

  it("keeps utterances and quotes that another command stored before", async () => {
    const on = onData();
    const shop = repository("shop");
    const file = await transcript("s1", [RULE, "We deploy with make ship."], shop);
    const input = JSON.stringify({ cwd: shop, hook_event_name: "SessionEnd", session_id: "s1", transcript_path: file });
    expect((await runMain(["hook", "session-end", "--data", on.data], { input })).code).toBe(0);
    const before = await contentsOf(on);
    expect(before.turns).toHaveLength(2);
    const { importId } = await on.json("import", file, "--remember");
    expect(await on.json("undo", importId)).toMatchObject({ sessions: 1, turns: 0, memories: 0 });
    expect(await contentsOf(on)).toEqual(before);
    expect(await on.json("import", file, "--remember")).toMatchObject({ files: [{ sessions: [{ added: 4 }] }] });
  });

  it("leaves a session alone that was purged and imported again", async () => {
    const on = onData();
    const file = await transcript("s1", [RULE], repository("shop"));
    const first = await on.json("import", file, "--remember");
    await on.run("purge", "s1", "--yes");
    const second = await on.json("import", file, "--remember");
    const before = await contentsOf(on);
    expect(before.turns).toHaveLength(1);
    expect(await on.json("undo", first.importId)).toMatchObject({ sessions: 0, turns: 0, memories: 0 });
    expect(await contentsOf(on)).toEqual(before);
    expect(await on.json("sessions")).toHaveLength(1);
    expect(await on.json("undo", second.importId)).toMatchObject({ sessions: 1, turns: 1 });
  });

  it.each(["latest first", "oldest first"])("erases a session after all of its imports, %s", async (order) => {
    const on = onData();
    const shop = repository("shop");
    const ids: string[] = [];
    for (const said of [[RULE], [RULE, "We deploy with make ship."]]) {
      ids.push((await on.json("import", await transcript("s1", said, shop))).importId);
    }
    const [first = "", last = ""] = order === "latest first" ? ids.toReversed() : ids;
    expect(await on.json("undo", first)).toMatchObject({ sessions: 0, keptSessions: [{ id: "s1" }] });
    expect(await on.json("undo", last)).toMatchObject({ sessions: 1, keptSessions: [] });
    expect(await on.json("sessions")).toEqual([]);
    await on.run("import", await transcript("s1", [RULE], shop));
    const { importId } = await on.json("import", await transcript("s1", [RULE, "We deploy with make ship."], shop));
    expect(await on.json("undo", importId)).toMatchObject({ sessions: 0, keptSessions: [{ reason: "existed" }] });
  });

  it("erases memories that only a consolidation changed since", async () => {
    const on = onData();
    const file = await transcript("s1", [RULE, "We deploy with make ship."], repository("shop"));
    const { importId } = await on.json("import", file, "--remember");
    const before = (await on.json("export")).memories as Memory[];
    for (let use = 0; use < 4; use += 1) await on.run("recall", "src/legacy");
    await on.run("consolidate", "--all-projects");
    expect((await on.json("export")).memories).not.toEqual(before);
    expect((await on.json("journal", "--all-projects"))[0]).toMatchObject({ action: "consolidate" });
    expect(await on.json("undo", importId)).toMatchObject({ memories: before.length, keptMemories: [] });
    expect(await on.json("memories", "--all")).toEqual([]);
  });

  it("reverts an imported export, and lists imports", async () => {
    const on = onData();
    await on.keep("We deploy on Fridays.");
    const file = path.join(folder.fresh("out"), "memories.json");
    mkdirSync(path.dirname(file), { recursive: true });
    await on.run("export", "--output", file);
    const other = onData();
    const { importId } = await other.json("import", file);
    expect(await other.json("journal", "--imports")).toMatchObject([{ id: importId, sources: [file], undoneAt: null }]);
    expect((await other.run("undo", importId.slice(0, 12))).code).toBe(0);
    expect(await other.json("memories", "--all")).toEqual([]);
    expect((await other.run("journal", "--imports")).stdout).toMatch(/^imp_\w+ .* undone /);
  });

  it("is refused for an unknown id", async () => {
    const on = onData();
    await on.keep("We deploy on Fridays.");
    const { code, stderr } = await on.run("undo", "imp_none");
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^throughline: No import imp_none in .*\nList the ids with `throughline journal --imports`\.\n$/,
    );
  });

  it("has no id if nothing was new", async () => {
    const on = onData();
    const file = await transcript("s1", [RULE], repository("shop"));
    await on.run("import", file, "--remember");
    expect((await on.json("import", file, "--remember")).importId).toBeNull();
  });

  longTest("is completed by the next one if it is killed", async () => {
    for (let moment = 0; moment < 2 * SOAK; moment += 1) {
      const on = onData();
      const files = await manyTranscripts(repository("shop"));
      const { importId } = await on.json("import", ...files, "--remember");
      await killed(["undo", importId], on.data, moment * 1_000);
      expect((await on.run("undo", importId)).code).toBe(0);
      await expectNothing(on);
      const { learned } = await on.json("import", ...files, "--remember");
      expect(learned).toMatchObject({ episodes: { added: SESSIONS } });
    }
  });

  it("leaves nothing of an import that was killed, and the next import stores each message once", async () => {
    for (let moment = 0; moment < 2 * SOAK; moment += 1) {
      const on = onData();
      const files = await manyTranscripts(repository("shop"));
      await killed(["import", ...files, "--remember"], on.data, 500 + moment * 3_000);
      for (const { id } of await on.json("journal", "--imports")) await on.run("undo", id);
      await expectNothing(on);
      await killed(["import", ...files, "--remember"], on.data, 500 + moment * 3_000);
      await on.run("import", ...files, "--remember");
      expect(await on.json("doctor")).toMatchObject({ rows: { messages: 2 * SESSIONS, turns: SESSIONS } });
    }
  });
});

const SESSIONS = 8;

function manyTranscripts(shop: string): Promise<string[]> {
  const numbers = Array.from({ length: SESSIONS }, (_, n) => n);
  return Promise.all(numbers.map((n) => transcript(`s${n}`, [`${RULE} It holds module ${n}.`], shop)));
}

/** Runs a command in a separate process and kills it a number of event loop turns after its first write. */
async function killed(args: readonly string[], data: string, turns: number): Promise<void> {
  const child = startCli([...args, "--data", data]);
  const ended = endOf(child);
  // SQLite creates this file with the first write.
  while (child.exitCode === null && !existsSync(path.join(data, "throughline.db-wal"))) await nextTurn();
  for (let turn = 0; turn < turns; turn += 1) await nextTurn();
  child.kill("SIGKILL");
  await ended;
  expect(await memoryCommands(data).json("doctor")).toMatchObject({ problems: [] });
}

async function expectNothing(on: ReturnType<typeof onData>): Promise<void> {
  expect(await on.json("doctor")).toMatchObject({ rows: { sessions: 0, messages: 0, turns: 0, memories: 0 } });
  expect(readFileSync(path.join(on.data, "throughline.db")).includes("src/legacy")).toBe(false);
}
