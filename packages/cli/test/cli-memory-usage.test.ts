import { beforeAll, describe, expect, it } from "vitest";
import { memoryCommands, runMain } from "./cli-in-process.ts";
import { temporaryFolder } from "./run-cli.ts";

const folder = temporaryFolder();

describe("the memory commands", () => {
  let on: ReturnType<typeof memoryCommands>;
  beforeAll(async () => {
    on = memoryCommands(folder.fresh("data"));
    await on.keep("We deploy on Fridays.");
  });

  it.each([
    [["remember", " "], "Nothing to remember: no text given."],
    [["remember", "x", "--kind", "idea"], "Allowed choices are fact, episode, pattern, workflow"],
    [["remember", "x", "--value", "y"], "--value requires --key."],
    [["remember", "x", "--scope", "project-shared"], "Select it with --project."],
    [["remember", "x", "--valid-from", "2026-02-30"], "Expected a date"],
    [["remember", "x", "--valid-from", "yesterday"], "Expected a date"],
    [["remember", "x", "--project", ""], "--project is empty."],
    [["remember", "x", "--kind", "episode", "--category", "identity"], "only facts have one"],
    [["recall"], "missing required argument"],
    [["recall", "x", "--limit", "0"], "Expected a whole number above 0."],
    [["recall", "x", "--limit", "1001"], "a whole number from 1 to 1000"],
    [["recall", "x", "--from", "dreams"], "Allowed choices are memories, turns, both"],
    [["recall", "a", "b", "--session", "s"], "--session takes exactly one handle."],
    [
      ["recall", "a", "--session", "s", "--as-of", "2026-05-01"],
      "--as-of applies to searches and cannot be combined with --session.",
    ],
    [["forget"], "missing required argument"],
    [["memories", "--category", "food"], "Allowed choices are identity, preference, project"],
    [["contradictions", "resolve", "con_1"], "required option"],
    [["contradictions", "settle"], "too many arguments"],
    [
      ["contradictions", "resolve", "c", "--resolution", "a_wins", "--text", "x"],
      "--text requires --resolution merged.",
    ],
    [["journal", "--limit", "some"], "Expected a whole number above 0."],
    [["export", "--format", "xml"], "Allowed choices are json, markdown"],
    [["export", "--force"], "--force requires --output."],
    [
      ["import", "f", "--memories", "--remember"],
      "--remember applies to transcripts and cannot be used with --memories.",
    ],

    [["purge"], "Nothing to erase: no session and no memory given."],
    [["purge", "s", "--memory", "m"], "Cannot erase a session and a memory in one command."],
  ])("report what is wrong with %j", async (args, problem) => {
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
  ])("have help with an example: %s %s", async (...args) => {
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
