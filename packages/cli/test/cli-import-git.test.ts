import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { MemoryService } from "../../throughline/src/memory/memory-service.ts";
import type { Memory } from "../../throughline/src/ports/memory.ts";
import { isLong } from "../../throughline/test/long-tests.ts";
import { memoryCommands } from "./cli-in-process.ts";
import { temporaryFolder } from "./run-cli.ts";

const folder = temporaryFolder();

afterEach(() => vi.restoreAllMocks());

interface FixtureCommit {
  readonly message: string | Uint8Array;
  /** Names of the parents. Default: the previous commit. */
  readonly parents?: readonly number[];
  readonly author?: string | Uint8Array;
  readonly encoding?: string;
  readonly at?: number | string;
  readonly files?: Readonly<Record<string, string>>;
  /** Additional lines for fast-import: renames, submodules. */
  readonly changes?: readonly string[];
}

function git(root: string, args: readonly string[], input?: Uint8Array): string {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
  return execFileSync("git", ["-C", root, ...args], { env, input, stdio: ["pipe", "pipe", "ignore"] }).toString();
}

/** A repository with this history, written by one process. */
function history(commits: readonly FixtureCommit[], { isBare = false } = {}): string {
  const root = folder.fresh("history");
  mkdirSync(root);
  git(root, ["init", "--quiet", "--initial-branch", "main", ...(isBare ? ["--bare"] : [])]);
  const bytes = (text: string | Uint8Array) => Buffer.from(text);
  const data = (text: string | Uint8Array) => [`data ${bytes(text).length}\n`, bytes(text), "\n"];
  const stream = commits.flatMap(({ message, parents, author = "Ada", encoding, at, files, changes = [] }, i) => {
    const seconds = at ?? 1_714_800_000 + i * 3_600;
    const [first, ...merged] = parents ?? (i === 0 ? [] : [i]);
    const who = [bytes(author), ` <ada@example.org> ${seconds} +0000\n`];
    return [
      `commit refs/heads/main\nmark :${i + 1}\nauthor `,
      ...who,
      "committer ",
      ...who,
      encoding === undefined ? "" : `encoding ${encoding}\n`,
      ...data(message),
      first === undefined ? "" : `from :${first}\n`,
      ...merged.map((parent) => `merge :${parent}\n`),
      ...changes.map((line) => `${line}\n`),
      ...Object.entries(files ?? { [`src/f${i}.ts`]: String(i) }).flatMap(([file, text]) => [
        `M 100644 inline ${file}\n`,
        ...data(text),
      ]),
    ];
  });
  if (commits.length > 0)
    git(root, ["fast-import", "--quiet", "--date-format=raw-permissive"], Buffer.concat(stream.map(bytes)));
  return root;
}

const WHY =
  "The old parser read every file twice.\nThat was slow because each read waited for the disk. So one pass does both.";

/** Histories as real repositories have them. */
const HISTORIES: Readonly<Record<string, () => string>> = {
  "messages that say little": () =>
    history([
      { message: "" },
      { message: "  \n\n\t\n" },
      { message: "Signed-off-by: Ada <ada@example.org>\n" },
      { message: "🎉" },
      { message: "🎉\n\n🚀🚀" },
      { message: `.\n\n${WHY}` },
      { message: `typo\n\n${WHY}` },
      { message: `Oops!\n\n${WHY}` },
      { message: `Signed-off-by: Ada <ada@example.org>\n\n${WHY}` },
      { message: `\u200b\u200d\n\n${WHY}` },
      { message: `fix: x\n\n${WHY}`, files: {} },
    ]),
  "merges of two, three and four branches": () =>
    history([
      { message: `Start the parser\n\n${WHY}` },
      { message: "branch one", parents: [1] },
      { message: "branch two", parents: [1] },
      { message: "branch three", parents: [1] },
      { message: "Merge branch 'one'", parents: [1, 2], files: {} },
      { message: `Merge branches 'one', 'two' and 'three'\n\n${WHY}`, parents: [1, 2, 3, 4], files: {} },
      { message: `Integrate the three branches\n\n${WHY}`, parents: [5, 3, 4], files: {} },
    ]),
  "huge messages, foreign letters and impossible dates": () =>
    history([
      { message: `${"word ".repeat(40_000)}\n\n${WHY.repeat(500)}` },
      { message: "x".repeat(300_000) },
      { message: Buffer.from(`Pr\xe4fix gel\xf6scht\n\n${WHY}`, "latin1"), encoding: "ISO-8859-1" },
      { message: Buffer.from(`Pr\xe4fix kaputt\n\n${WHY}`, "latin1"), author: Buffer.from("J\xf6rg", "latin1") },
      { message: `Before the epoch began\n\n${WHY}`, at: 0 },
      { message: `Far from now\n\n${WHY}`, at: "99999999999999" },
      { message: "fix(api): one", at: 1_714_900_000 },
      { message: "fix(api): two", at: 1_714_900_100 },
      { message: "fix(api): three", at: 1_714_900_200 },
    ]),
  "renames, submodules and odd file names": () =>
    history([
      { message: `Add the parser\n\n${WHY}`, files: { "lib/parser.ts": "a\nb\nc\n", '"lib/\\303\\244.ts"': "1" } },
      { message: `Move the parser\n\n${WHY}`, files: {}, changes: ["R lib/parser.ts core/parser.ts"] },
      {
        message: `Vendor the lexer\n\n${WHY}`,
        files: { ".gitmodules": '[submodule "lexer"]\n\tpath = lexer\n\turl = ./lexer\n' },
        changes: [`M 160000 ${"1".repeat(40)} lexer`],
      },
      { message: `Drop the parser\n\n${WHY}`, files: {}, changes: ["D core/parser.ts"] },
    ]),
  "one commit": () => history([{ message: `Start\n\n${WHY}` }]),
  "a bare repository": () => history([{ message: `Start\n\n${WHY}` }], { isBare: true }),
  "a shallow clone": () => {
    const whole = history(["one", "two", "three"].map((name) => ({ message: `Read ${name} files\n\n${WHY}` })));
    const clone = folder.fresh("shallow");
    git(whole, ["clone", "--quiet", "--depth", "2", `file://${whole}`, clone]);
    return clone;
  },
};

const importing = (data: string) => {
  const on = memoryCommands(data);
  const run = async (root: string, ...more: readonly string[]) =>
    (await on.json("import", "--git", root, ...more)).repositories[0];
  return { ...on, command: on.run, run };
};

describe("throughline import --git", () => {
  it.each(Object.keys(HISTORIES).slice(0, isLong ? undefined : 2))(
    "imports %s, and a dry run prints the same counts",
    async (name) => {
      const root = HISTORIES[name]?.() ?? "";
      const on = importing(folder.fresh("data"));
      const dry = await on.run(root, "--dry-run");
      const done = await on.run(root);
      expect(done).toMatchObject({ problem: null, refused: [] });
      expect({ ...dry, foreseen: undefined }).toEqual({ ...done, foreseen: undefined });
      expect(done.episodes.added).toBeGreaterThan(0);
      expect(dry.foreseen).toHaveLength(done.episodes.added);
      const memories: Memory[] = await on.json("memories", "--project", root);
      expect(memories).toHaveLength(done.episodes.added);
      for (const { levels } of memories) {
        for (const text of Object.values(levels)) expect(text.trim()).not.toBe("");
        expect(JSON.stringify(levels)).not.toContain("example.org");
      }
      const again = { ...done.episodes, added: 0, unchanged: done.episodes.added };
      expect((await on.run(root, "--dry-run")).episodes).toEqual(again);
      expect((await on.run(root)).episodes).toEqual(again);
    },
  );

  it("leaves nothing of the repository when it is undone", async () => {
    const data = folder.fresh("data");
    const on = importing(data);
    await on.run(history([{ message: `Read files once\n\n${WHY}`, files: { "src/read-once.ts": "1" } }]));
    const isStored = () => readFileSync(path.join(data, "throughline.db")).includes("read-once.ts");
    expect(isStored()).toBe(true);
    const [{ id }] = await on.json("journal", "--imports");
    await on.json("undo", id);
    expect(isStored()).toBe(false);
  });

  it("titles an episode with its subject, even a short one", async () => {
    const on = importing(folder.fresh("data"));
    const root = history([
      { message: `Oops!\n\n${WHY}` },
      { message: `Signed-off-by: A <a@b.c>\n\nRead files once\n\n${WHY}` },
    ]);
    await on.run(root);
    const memories: Memory[] = await on.json("memories", "--project", root);
    const titles = memories.map(({ levels }) => levels.full.split("\n")[0]);
    expect(titles).toEqual([expect.stringMatching(/^Read files once/), expect.stringMatching(/^Oops!/)]);
  });

  it("joins a wrapped subject", async () => {
    const on = importing(folder.fresh("data"));
    const broken = "Prevent a crafted patch from causing an overflow in\nthe delta reader. Nobody else calls it.";
    const root = history([
      { message: `${broken}\n\n${WHY}` },
      { message: `Read files once\nbecause it is faster\n\n${WHY}` },
    ]);
    await on.run(root);
    const memories: Memory[] = await on.json("memories", "--project", root);
    const titles = memories.map(({ levels }) => levels.full.split(" (")[0]);
    expect(titles).toEqual(["Read files once", expect.stringContaining("overflow in the delta reader")]);
  });

  it("explains why an empty repository has no episodes", async () => {
    const on = importing(folder.fresh("data"));
    const { code, stdout, stderr } = await on.command("import", "--git", history([]));
    expect({ code, stdout }).toEqual({ code: 2, stdout: "Nothing was imported.\n" });
    expect(stderr).toContain("The repository has no commits.");
  });

  it("reports what was imported before an error, and continues from there", async () => {
    const on = importing(folder.fresh("data"));
    const root = history(["one", "two", "three"].map((name) => ({ message: `Read ${name} files\n\n${WHY}` })));
    const { remember } = MemoryService.prototype;
    let calls = 0;
    vi.spyOn(MemoryService.prototype, "remember").mockImplementation(function (this: MemoryService, input) {
      calls += 1;
      if (calls === 3) throw new Error("the disk is full");
      return remember.call(this, input);
    });
    const { code, stdout, stderr } = await on.command("import", "--git", root);
    expect(code).toBe(2);
    expect(stderr).toContain("the disk is full");
    expect(stdout).toContain(
      "2 episodes added, 0 updated, 0 already known before the error; run the same command again for the rest.",
    );
    vi.restoreAllMocks();
    const { episodes } = await on.run(root);
    expect(episodes.added + episodes.updated + episodes.unchanged).toBe(3);
    expect(await on.json("memories", "--project", root)).toHaveLength(3);
  });
});
