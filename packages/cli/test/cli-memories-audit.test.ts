import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { memoryCommands } from "./cli-in-process.ts";
import { temporaryFolder } from "./run-cli.ts";

const folder = temporaryFolder();
const onData = () => memoryCommands(folder.fresh("data"));

// Split, so that no scanner takes this for a real key.
const KEY = ["ghp", "k7Jd93mQpZx81LsVb20RtYwNc64HgFaEu5Xo"].join("_");

function fileWith(name: string, text: string): string {
  const files = folder.fresh("files");
  mkdirSync(files, { recursive: true });
  const path = join(files, name);
  writeFileSync(path, text);
  return path;
}

describe("throughline memories audit", () => {
  it("finds problems in the stored memories", async () => {
    const { run, json } = onData();
    await run("remember", "The office opens at 8.");
    await run("remember", "The office does not open at 8.");
    const { code, stdout } = await run("memories", "audit");
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^2 memories checked, 1 finding\.\n\nContradictions \(1\)\n {2}\S.*\n {4}mem_\w+ {2}The office/,
    );
    expect(await json("memories", "audit")).toMatchObject({ checked: 2, findings: [{ kind: "contradiction" }] });
  });

  it("reads a file of another program, masks secrets and imports nothing", async () => {
    const { run } = onData();
    const file = fileWith("CLAUDE.md", `# Rules\n- Use tabs\n- Use tabs\n- The token of CI is ${KEY}\n`);
    const { code, stdout } = await run("memories", "audit", file);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /3 memories checked in .*CLAUDE\.md \(markdown\), 2 findings\.\nUses are not recorded there/,
    );
    expect(stdout).toMatch(/Secrets \(1\)\n {2}Contains an API key\.\n {4}line 4 {2}The token of CI is \*+/);
    expect(stdout).toMatch(/Duplicates \(1\)/);
    expect(stdout).not.toContain(KEY);
    expect((await run("memories")).stdout).toMatch(/^No memories in /);
  });

  it("prints at most as many findings of each kind as --limit allows, also as JSON", async () => {
    const { run, json } = onData();
    const lines = ["Use tabs", "Never push to main", "Run the linter first"].flatMap((rule) => [rule, rule]);
    const file = fileWith(
      "MEMORY.md",
      `# Rules\n${[...lines, `The token is ${KEY}`].map((one) => `- ${one}\n`).join("")}`,
    );
    const args = ["memories", "audit", file, "--limit", "2"];
    expect((await run(...args)).stdout).toContain("Duplicates (3)");
    const { total, findings } = (await json(...args)) as { total: number; findings: { kind: string }[] };
    expect(total).toBe(4);
    expect(findings.map(({ kind }) => kind)).toEqual(["secret", "duplicate", "duplicate"]);
  });

  it("exits with 2 for a missing file and for unknown JSON", async () => {
    const { run } = onData();
    expect((await run("memories", "audit", "none.md")).code).toBe(2);
    const { code, stderr } = await run("memories", "audit", fileWith("a.json", '{"a":1}'));
    expect(code).toBe(2);
    expect(stderr).toMatch(/mem0/);
  });

  it("reports that there are no memories", async () => {
    const { run, json } = onData();
    expect((await run("memories", "audit")).stdout).toMatch(/^No memories in /);
    expect(await json("memories", "audit")).toEqual({ checked: 0, total: 0, findings: [] });
  });
});
