import { beforeAll, describe, expect, it } from "vitest";
import { memoryCommands, runMain } from "./cli-in-process.ts";
import { temporaryFolder } from "./run-cli.ts";

const folder = temporaryFolder();

describe("the commands of memories", () => {
  let on: ReturnType<typeof memoryCommands>;
  beforeAll(async () => {
    on = memoryCommands(folder.fresh("data"));
    await on.keep("We deploy on Fridays.");
  });

  it.each([
    [["remember", " "], "There is nothing to remember."],
    [["remember", "x", "--kind", "idea"], "Allowed choices are fact, episode, pattern, workflow"],
    [["remember", "x", "--value", "y"], "--value is for a fact that has a --key."],
    [["remember", "x", "--scope", "project-shared"], "Name it with --project."],
    [["remember", "x", "--valid-from", "2026-02-30"], "It takes a date"],
    [["remember", "x", "--valid-from", "yesterday"], "It takes a date"],
    [["remember", "x", "--project", ""], "--project is empty."],
    [["remember", "x", "--kind", "episode", "--category", "identity"], "only facts have one"],
    [["recall"], "missing required argument"],
    [["recall", "x", "--limit", "0"], "It takes a whole number above 0."],
    [["recall", "x", "--limit", "1001"], "a whole number from 1 to 1000"],
    [["recall", "x", "--from", "dreams"], "Allowed choices are memories, turns, both"],
    [["recall", "a", "b", "--session", "s"], "--session takes one handle."],
    [["recall", "a", "--session", "s", "--as-of", "2026-05-01"], "--as-of is for a question."],
    [["forget"], "missing required argument"],
    [["memories", "--category", "food"], "Allowed choices are identity, preference, project"],
    [["contradictions", "resolve", "con_1"], "required option"],
    [["contradictions", "settle"], "too many arguments"],
    [["contradictions", "resolve", "c", "--resolution", "a_wins", "--text", "x"], "--text is for --resolution merged."],
    [["journal", "--limit", "some"], "It takes a whole number above 0."],
    [["export", "--format", "xml"], "Allowed choices are json, markdown"],
    [["export", "--force"], "--force goes with --out."],
    [["import", "f", "--memories", "--remember"], "--remember is for transcripts."],

    [["purge"], "There is nothing to erase."],
    [["purge", "s", "--memory", "m"], "A session and a memory are erased one by one."],
  ])("say what is wrong with %j", async (args, problem) => {
    const { code, stdout, stderr } = await on.run(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(problem);
  });

  it.each([
    ["remember"],
    ["recall"],
    ["memories"],
    ["forget"],
    ["contradictions"],
    ["contradictions", "resolve"],
    ["consolidate"],
    ["journal"],
    ["undo"],
    ["export"],
    ["import"],
    ["purge"],
  ])("teach themselves: %s %s", async (...args) => {
    const { code, stdout, stderr } = await runMain([...args, "--help"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/\nExamples?:\n {2}throughline \w+/);
    expect(stdout).toContain("--json");
    expect(stdout).toContain("--data <folder>");
  });

  it("are all in the overview", async () => {
    const { stdout } = await runMain(["--help"]);
    for (const name of ["remember", "recall", "memories", "forget", "contradictions", "consolidate"]) {
      expect(stdout).toMatch(new RegExp(`^ .*\\b${name}\\b`, "m"));
    }
  });
});
