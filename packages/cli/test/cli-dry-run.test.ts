import { readFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { memoryCommands, runMain } from "./cli-in-process.ts";
import { temporaryFolder } from "./run-cli.ts";

const folder = temporaryFolder();
const CHAT = JSON.stringify([
  { role: "user", content: "Fix the build" },
  ...Array.from({ length: 40 }, (_, i) => ({
    role: i % 2 === 0 ? "assistant" : "user",
    content: `Step ${i}: ${"the build says something long about a file that is missing. ".repeat(30)}`,
  })),
]);

let on: ReturnType<typeof memoryCommands>;
beforeEach(() => {
  on = memoryCommands(folder.fresh("data"));
});

/** All stored files, as bytes. */
function bytes(): string {
  return readFileSync(path.join(on.data, "throughline.db")).toString("base64");
}

/** Output of a command that changes nothing. */
async function dryly(...args: readonly string[]): Promise<string> {
  const before = bytes();
  const { code, stdout, stderr } = await on.run(...args, "--dry-run");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const { dryRun, ...answer } = await on.json(...args, "--dry-run");
  expect(bytes()).toBe(before);
  expect(args[0] === "compact" || dryRun).toBe(true);
  expect(answer).not.toEqual({});
  return stdout;
}

describe("--dry-run", () => {
  it("of purge prints what would be erased, without a question", async () => {
    await runMain(["import", "-", "--session", "s", "--data", on.data], { input: CHAT });
    const id = await on.keep("We deploy on Fridays.");
    expect(await dryly("purge", "s")).toBe(
      "Would erase session s with 41 messages and everything learned from it. Nothing was erased.\n",
    );
    expect(await dryly("purge", "--memory", id)).toBe(
      "Would erase the memory and its sources, “We deploy on Fridays.”.\nNothing was erased.\n",
    );
    expect(await on.json("purge", "s", "--dry-run")).toEqual({
      ...{ session: "s", dryRun: true },
      ...{ purged: false, messages: 41 },
    });
    expect(await on.run("purge", "other", "--dry-run")).toMatchObject({ code: 2, stdout: "" });
  });

  it("of compact and restore prints the result", async () => {
    await runMain(["import", "-", "--session", "s", "--data", on.data], { input: CHAT });
    const shown = await dryly("compact", "--session", "s", "--budget", "4000");
    expect(shown).toContain("## Session Summary (Compaction Round 1)");
    expect(shown).not.toContain("Undo:");
    const { compaction } = await on.json("compact", "--session", "s", "--budget", "4000");
    expect(await dryly("restore", "s", "compaction-1")).toMatch(
      /^s\/compaction-1 would be undone: \d+ messages would come back\.\n$/,
    );
    const dry = await on.json("restore", "s", compaction, "--dry-run");
    expect(await on.json("restore", "s", compaction)).toEqual({ ...dry, dryRun: false });
    for (const args of [[], ["--dry-run"]]) {
      expect(await on.run("restore", "s", "compaction-9", ...args)).toMatchObject({ code: 2, stdout: "" });
    }
  });

  it("of undo prints the affected memories", async () => {
    await on.keep("We deploy on Fridays.");
    const [entry] = await on.json("journal");
    expect(await dryly("undo", entry.id.slice(0, 12))).toBe(
      `${entry.id} would be undone. It concerns:\n  We deploy on Fridays.\n`,
    );
    expect(await on.json("memories")).toHaveLength(1);
    expect(await on.run("undo", "jrn_none", "--dry-run")).toMatchObject({ code: 2, stdout: "" });
  });

  it("of contradictions resolve prints the resolution", async () => {
    await on.keep("The build takes 5 minutes.");
    await on.keep("The build takes 50 minutes.");
    const [{ id }] = await on.json("contradictions");
    expect(await dryly("contradictions", "resolve", id, "--resolution", "a_wins", "--note", "It was slow.")).toBe(
      `${id} would be resolved: a is true, b is not · It was slow.\n`,
    );
    expect(await on.json("contradictions")).toHaveLength(1);
  });

  it("of forget and consolidate changes nothing", async () => {
    const id = await on.keep("We deploy on Fridays.");
    expect(await dryly("forget", id)).toContain("Would archive: We deploy on Fridays.");
    await dryly("consolidate");
  });
});
