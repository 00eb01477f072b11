import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { Memory } from "../../throughline/src/ports/memory.ts";
import { memoryCommands, runMain } from "./cli-in-process.ts";
import { projectSessions } from "./project-sessions.ts";
import { temporaryFolder } from "./run-cli.ts";

const folder = temporaryFolder();
const { repository, transcript } = projectSessions(folder);
const onData = () => memoryCommands(folder.fresh("data"));

const RULES = {
  shop: "Never touch src/legacy in this repository.",
  blog: "We deploy the blog with Netlify.",
  gone: "The database of the tracker is MariaDB.",
};

/** Sessions in two repositories and in a folder that is not on this machine. */
async function importedProjects() {
  const on = onData();
  const [shop, blog, gone] = [repository("shop"), repository("blog"), "/home/ada/deleted/tracker"];
  const files = [
    await transcript("shop-1", RULES.shop, path.join(shop, "src")),
    await transcript("blog-1", RULES.blog, blog),
    await transcript("gone-1", RULES.gone, gone),
  ];
  const { code, stdout, stderr } = await on.run("import", ...files, "--remember");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return { on, shop, blog, gone, files, stdout };
}

const textsOf = (memories: readonly Memory[]) => memories.map(({ levels }) => levels.full).join("\n");

describe("throughline import --remember of several projects", () => {
  it("stores the memories of each session in the project of its folder", async () => {
    const { on, shop, blog, gone } = await importedProjects();
    const memories: Memory[] = await on.json("memories");
    expect(memories.length).toBeGreaterThanOrEqual(3);
    expect(new Set(memories.map(({ projectId }) => projectId))).toEqual(new Set([shop, blog, gone]));
    const seen = textsOf(await on.json("memories", "--project", shop));
    expect(seen).toContain("src/legacy");
    expect(seen).not.toContain("Netlify");
    expect(textsOf(await on.json("memories", "--project", gone))).toContain("MariaDB");
  });

  it("shows nothing of them to a session in another repository", async () => {
    const { on } = await importedProjects();
    const { code, stdout } = await runMain(["hook", "session-start", "--data", on.data], {
      input: JSON.stringify({ cwd: repository("fourth"), session_id: "new", source: "startup" }),
      env: { CLAUDE_PROJECT_DIR: undefined },
    });
    expect(code).toBe(0);
    expect(stdout).not.toMatch(/<memories|src\/legacy|Netlify|MariaDB/);
  });

  it("prints sessions and new memories by project", async () => {
    const { shop, blog, gone, stdout } = await importedProjects();
    for (const project of [shop, blog, gone]) {
      expect(stdout).toMatch(new RegExp(`^ {2}${project} +1 session, \\d+ new memor(?:y|ies)$`, "m"));
    }
  });

  it("stores sessions of an unknown folder without a project, and reports it", async () => {
    const on = onData();
    const file = await transcript("nowhere", RULES.blog);
    const { stdout } = await on.run("import", file, "--remember");
    expect(stdout).toMatch(
      /^ {2}no project {2}1 session, \d+ new memor(?:y|ies) \(no folder in the transcript; visible in every project\)$/m,
    );
    const memories: Memory[] = await on.json("memories", "--project", repository("any"));
    expect(memories.length).toBeGreaterThan(0);
    expect(memories.every(({ projectId }) => projectId === undefined)).toBe(true);
  });

  it("folds subfolders and worktrees of a deleted repository into it, if another session shows that it is one", async () => {
    const on = onData();
    const gone = "/home/ada/deleted/tracker";
    const files = [
      await transcript("fold-1", RULES.gone, gone, "main"),
      await transcript("fold-2", RULES.blog, `${gone}/packages/web`, "main"),
      await transcript("fold-3", RULES.shop, `${gone}/.worktrees/fix/packages/web`, "fix"),
      await transcript("home", "We keep receipts in receipts.md.", "/home/ada/deleted"),
    ];
    const dry = await on.json("import", ...files, "--remember", "--dry-run");
    const { learned } = await on.json("import", ...files, "--remember");
    for (const { projects } of [dry.learned, learned]) {
      expect(
        projects.map(({ project, sessions }: { project: string; sessions: number }) => [project, sessions]),
      ).toEqual(
        expect.arrayContaining([
          [gone, 3],
          ["/home/ada/deleted", 1],
        ]),
      );
    }
  });

  it("stores everything in the project of --project", async () => {
    const on = onData();
    const shop = repository("shop");
    const files = [await transcript("a", RULES.shop, shop), await transcript("b", RULES.blog)];
    const { learned } = await on.json("import", ...files, "--remember", "--project", "mine");
    expect(learned.projects).toEqual([{ project: "mine", sessions: 2, memories: expect.any(Number) }]);
    const memories: Memory[] = await on.json("memories");
    expect(new Set(memories.map(({ projectId }) => projectId))).toEqual(new Set(["mine"]));
  });

  it("prints the same projects in a dry run", async () => {
    const on = onData();
    const shop = repository("shop");
    const files = [await transcript("dry-1", RULES.shop, shop), await transcript("dry-2", RULES.blog)];
    const { learned } = await on.json("import", ...files, "--remember", "--dry-run");
    const { learned: done } = await on.json("import", ...files, "--remember");
    const sessions = (projects: readonly { project: string | null; sessions: number }[]) =>
      projects.map(({ project, sessions: number }) => [project, number]);
    expect(sessions(learned.projects)).toEqual(sessions(done.projects));
  });
});

describe("memories imported into projects", () => {
  it("are recalled with and without their project, and not from another", async () => {
    const { on, blog, shop } = await importedProjects();
    const recall = async (...args: readonly string[]) =>
      JSON.stringify((await on.json("recall", "How do we deploy the blog?", ...args)).hits);
    expect(await recall()).toContain("Netlify");
    expect(await recall("--project", blog)).toContain("Netlify");
    expect(await recall("--project", shop)).not.toContain("Netlify");
  });

  it("are exported without a project, and imported into the same projects", async () => {
    const { on, shop } = await importedProjects();
    await on.run("remember", "The shop ships on Mondays.", "--project", shop, "--scope", "project-shared");
    const exported = await on.json("export");
    const text = JSON.stringify(exported);
    for (const said of ["src/legacy", "Netlify", "MariaDB", "Mondays"]) expect(text).toContain(said);
    const other = onData();
    const { files } = await other.json("import", await folder.file("all.json", text));
    expect(files).toMatchObject([{ memories: { added: exported.memories.length, skipped: [] } }]);
    expect(await other.json("memories", "--project", shop)).toEqual(await on.json("memories", "--project", shop));
    const own = JSON.stringify(await on.json("export", "--project", shop));
    expect(own).toContain("Mondays");
    expect(own).not.toContain("Netlify");
  });

  it("are erased with their session, with or without --project", async () => {
    const { on, shop, blog } = await importedProjects();
    await on.run("remember", "The shop ships on Mondays.", "--project", shop);
    const purge = (id: string, ...args: readonly string[]) => on.json("purge", id, "--yes", ...args);
    expect(await purge("shop-1")).toMatchObject({ purged: true });
    expect(await purge("blog-1", "--project", blog)).toMatchObject({ purged: true });
    const left = JSON.stringify(await on.json("export"));
    expect(left).not.toMatch(/src\/legacy|Netlify|shop-1|blog-1/);
    expect(left).toContain("MariaDB");
    expect(left).toContain("Mondays");
  });

  it("are erased one by one without --project", async () => {
    const { on, gone } = await importedProjects();
    const [memory]: Memory[] = await on.json("memories", "--project", gone);
    expect(await on.json("purge", "--memory", memory?.id ?? "", "--yes")).toMatchObject({ purged: true });
    expect(textsOf(await on.json("memories"))).not.toContain("MariaDB");
    expect(textsOf(await on.json("memories"))).toContain("Netlify");
  });
});

describe("--project", () => {
  it("treats . and paths as the project there, and anything else as a name", async () => {
    const on = onData();
    const home = repository("home");
    const sub = path.join(home, "src");
    const env = { HOME: path.dirname(home) };
    const json = async (...args: readonly string[]) => {
      const { stdout } = await runMain([...args, "--json", "--data", on.data], { cwd: sub, env });
      return JSON.parse(stdout);
    };
    const named = [".", "./", "..", "./deeper", "~", `~/${path.basename(home)}/src`, home, `${sub}/`, "shop", "a/b"];
    const ids: string[] = [];
    for (const project of named) {
      const { memory } = await json("remember", `Said in ${project}.`, "--project", project);
      ids.push(memory.projectId);
    }
    const inHome = [home, home, home, home];
    expect(ids).toEqual([...inHome, path.dirname(home), home, home, home, "shop", "a/b"]);
    for (const args of [["memories"], ["export"]]) {
      expect(JSON.stringify(await json(...args, "--project", "."))).toContain("Said in ./deeper.");
    }
    expect(JSON.stringify(await json("context", "--project", "."))).toContain(home);
  });
});

describe("a command in a repository", () => {
  const inFolder =
    (data: string, cwd: string) =>
    async (...args: readonly string[]) =>
      runMain([...args, "--data", data], { cwd });

  it("works on the project and on personal memories, and reports what it leaves out", async () => {
    const { on, shop } = await importedProjects();
    await on.keep("I prefer short answers.", "--category", "preference");
    const run = inFolder(on.data, path.join(shop, "src"));
    for (const command of [["memories"], ["recall", "legacy Netlify answers", "--all"], ["export"]]) {
      const { code, stdout, stderr } = await run(...command);
      expect(code).toBe(0);
      expect(stdout).toContain("src/legacy");
      expect(stdout).toContain("short answers");
      expect(stdout).not.toContain("Netlify");
      expect(stderr).toMatch(
        new RegExp(
          `^Project ${shop} and personal memories; --all-projects adds \\d+ memories of 2 other projects\\.\n$`,
        ),
      );
    }
  });

  it("works on everything with --all-projects", async () => {
    const { on, shop } = await importedProjects();
    const run = inFolder(on.data, shop);
    for (const command of ["memories", "export", "journal"]) {
      const { stdout, stderr } = await run(command, "--all-projects");
      expect(stderr).toBe("");
      for (const text of ["legacy", "Netlify", "MariaDB"]) expect(stdout).toContain(text);
    }
    expect(await run("memories", "--all-projects", "-p", ".")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--project and --all-projects cannot be combined."),
    });
  });

  it("does not find a memory of another project by its id, unless asked to", async () => {
    const { on, shop } = await importedProjects();
    const [memory] = (await on.json("memories", "--project", "tracker")).filter(
      ({ projectId }: Memory) => projectId !== undefined,
    );
    const run = inFolder(on.data, shop);
    const refused = await run("forget", memory.id);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("--all-projects also searches other projects.");
    expect((await run("forget", memory.id, "--all-projects")).code).toBe(0);
  });

  it("saves memories in the project, except those about the person", async () => {
    const { on, shop } = await importedProjects();
    const run = inFolder(on.data, shop);
    const saved = async (...args: readonly string[]) =>
      JSON.parse((await run("remember", ...args, "--json")).stdout).memory;
    expect(await saved("The shop deploys on Fridays.")).toMatchObject({ projectId: shop });
    expect(await saved("I live in Lisbon.", "--category", "identity")).not.toHaveProperty("projectId");
    expect(await saved("Standups are at nine.", "--personal")).not.toHaveProperty("projectId");
  });
});

describe("--project with a name", () => {
  it("finds the project whose path ends in it", async () => {
    const { on } = await importedProjects();
    expect(textsOf(await on.json("memories", "-p", "tracker"))).toContain("MariaDB");
    expect(await on.run("memories", "-p", "trackr")).toEqual({
      code: 2,
      stdout: "",
      stderr: "throughline: Unknown project: trackr.\nPass a path, or a name that `throughline projects` lists.\n",
    });
  });

  it("is refused if two paths end in it", async () => {
    const on = onData();
    for (const project of ["/a/shop", "/b/shop"]) await on.keep("We deploy on Fridays.", "-p", project);
    const { code, stderr } = await on.run("memories", "-p", "shop");
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        "throughline: The project name shop is ambiguous: /b/shop, /a/shop.\nPass the full path with --project.\n",
    });
  });
});

describe("throughline projects", () => {
  it("lists projects with memories, sessions and last use, and marks the current one", async () => {
    const { on, shop, blog, gone } = await importedProjects();
    const { projects, personal } = await on.json("projects");
    expect(projects.map(({ id, sessions }: { id: string; sessions: number }) => [id, sessions]).sort()).toEqual(
      [shop, blog, gone].map((id) => [id, 1]).sort(),
    );
    expect(personal).toMatchObject({ memories: 0, sessions: 0 });
    const { stdout } = await runMain(["projects", "--data", on.data], { cwd: path.join(shop, "src") });
    expect(stdout).toMatch(/^ {2}project +memories +sessions +last use$/m);
    expect(stdout).toMatch(new RegExp(`^\\* ${shop} +[1-9]\\d* +1 +2026-05-04 `, "m"));
    expect(stdout).toMatch(/^ {2}\/home\/ada\/deleted\/tracker \(folder not found\) +\d/m);
  });

  it("lists nothing without data", async () => {
    expect(await onData().json("projects")).toMatchObject({ projects: [] });
  });
});

describe("secrets in a transcript", () => {
  it("are stored neither in the session nor in memories, and importing again changes nothing", async () => {
    const on = onData();
    const key = `ghp_${"a1B2c3D4e5".repeat(4)}`;
    const file = await transcript("s", `Deploy the shop with the token ${key}, always.`, repository("shop"));
    const { stdout } = await on.run("import", file, "--remember");
    expect(stdout).toContain("1 secret redacted; --keep-secrets keeps them.");
    expect(readFileSync(path.join(on.data, "throughline.db")).includes(key)).toBe(false);
    expect(await on.json("import", file, "--remember")).toMatchObject({
      files: [{ sessions: [{ added: 0, known: 2 }] }],
    });
  });

  it("of sessions that were stored with them do not count as changed", async () => {
    const on = onData();
    const key = `ghp_${"a1B2c3D4e5".repeat(4)}`;
    const file = await transcript("s", `Deploy with ${key}.`);
    await on.run("import", file, "--keep-secrets");
    expect((await on.json("recall", "message:s-1", "--session", "s")).messages[0].parts[0].text).toContain(key);
    expect(await on.json("import", file)).toMatchObject({ files: [{ sessions: [{ different: [], known: 2 }] }] });
  });
});
