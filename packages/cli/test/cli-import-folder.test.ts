import { existsSync } from "node:fs";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { agentTranscript, repair } from "../../throughline/test/agent-sessions.ts";
import { memoryCommands } from "./cli-in-process.ts";
import { temporaryFolder } from "./run-cli.ts";

const folder = temporaryFolder();
const onData = () => memoryCommands(folder.fresh("data"));
const session = (id: string) => agentTranscript(id, [repair(1)]);

async function folderWith(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const root = folder.fresh("folder");
  await mkdir(root);
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true });
    await writeFile(path.join(root, name), content);
  }
  return root;
}

describe("throughline import FOLDER", () => {
  it("imports the transcripts in it and its subfolders, ordered by path, and lists skipped files", async () => {
    const on = onData();
    const root = await folderWith({
      "b/two.jsonl": session("two"),
      "b/deeper/three.jsonl.gz": gzipSync(session("three")),
      "a.jsonl": session("one"),
      "a.md": "# Notes",
      "tool.txt": "output",
      "package.json": '{ "name": "shop", "version": "1.0.0" }',
      "prices.jsonl": '{"price":1}\n{"price":2}\n',
      "node_modules/x/t.jsonl": session("hidden"),
    });
    await symlink(root, path.join(root, "b", "loop"));
    const { files, skippedFiles } = await on.json("import", root);
    const ids = files.map(({ sessions }: { sessions: { id: string }[] }) => sessions[0]?.id);
    expect(ids).toEqual(["one", "three", "two"]);
    expect(skippedFiles.map(({ file, reason }: Record<string, string>) => [path.basename(file ?? ""), reason])).toEqual(
      [
        ["a.md", "name does not look like a transcript"],
        ["tool.txt", "name does not look like a transcript"],
        ["package.json", "unknown transcript format"],
        ["prices.jsonl", "unknown transcript format"],
      ],
    );
    const { code, stdout, stderr } = await on.run("import", root);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(
      "4 files skipped:\n  2 name does not look like a transcript: a.md, tool.txt\n  2 unknown transcript format: package.json, prices.jsonl\n",
    );
  });

  it("does not import memories in the folder", async () => {
    const on = onData();
    await on.run("remember", "We deploy on Fridays.");
    const exported = (await on.run("export")).stdout;
    const other = onData();
    const root = await folderWith({ "a.jsonl": session("one"), "memories.json": exported });
    const { skippedFiles } = await other.json("import", root);
    expect(skippedFiles).toHaveLength(1);
    expect(await other.json("memories")).toEqual([]);
  });

  it("fails for a folder without a transcript, and imports the others", async () => {
    const on = onData();
    const [empty, full] = [await folderWith({ "a.md": "" }), await folderWith({ "a.jsonl": session("one") })];
    const { code, stderr } = await on.run("import", empty, full);
    expect(code).toBe(2);
    expect(stderr).toBe(
      `throughline: ${empty}: No transcripts found in this folder.\nGive a transcript file, or a folder that contains transcripts.\n`,
    );
    expect(await on.json("sessions")).toHaveLength(1);
  });
});

describe("throughline import of a record that the agent wrote twice", () => {
  it("does not report it as unreadable", async () => {
    const text = session("one");
    const root = await folderWith({ "a.jsonl": `${text}${text.split("\n").at(-2)}\n{"cut off` });
    const { files } = await onData().json("import", root);
    expect(files[0].skipped).toMatchObject({ total: 1, first: [{ kind: "broken" }] });
  });
});

describe("throughline import of several files", () => {
  it("imports the valid ones, and reports the reason for each invalid one", async () => {
    const on = onData();
    const root = await folderWith({
      "1.jsonl": session("one"),
      "2.jsonl.gz": gzipSync(session("two")).subarray(0, 200),
      "3.json": "{ broken",
      "4.jsonl": session("four"),
    });
    const named = ["1.jsonl", "2.jsonl.gz", "3.json", "missing.jsonl", "4.jsonl"].map((name) => path.join(root, name));
    const { code, stdout, stderr } = await on.run("import", ...named, "--remember");
    expect(code).toBe(2);
    for (const name of ["2.jsonl.gz", "3.json", "missing.jsonl"]) {
      expect(stderr).toContain(`throughline: ${path.join(root, name)}: `);
    }
    expect(stdout).toContain("2 sessions");
    const ids = (await on.json("sessions")).map(({ sessionId }: { sessionId: string }) => sessionId).sort();
    expect(ids).toEqual(expect.arrayContaining(["four", "one"]));
    expect(existsSync(on.data)).toBe(true);
  });
});
