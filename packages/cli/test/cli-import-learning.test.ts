import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { Memory } from "../../throughline/src/ports/memory.ts";
import { type AgentTask, agentTranscript, deployment, repair } from "../../throughline/test/agent-sessions.ts";
import { SOAK } from "../../throughline/test/cases.ts";
import { longTest } from "../../throughline/test/long-tests.ts";
import { memoryCommands, runMain } from "./cli-in-process.ts";
import { endOf, startCli, temporaryFolder } from "./run-cli.ts";

const folder = temporaryFolder();
const FOLDER = "/home/ada/shop";
const HINT = [
  "To deploy: pnpm test --coverage",
  `docker build -t app:$${"{SHA}"} .`,
  "./deploy.sh staging",
  "curl -fsS https://staging.example.com/health",
  "./deploy.sh production",
].join(" && ");
const onData = () => memoryCommands(folder.fresh("data"));

let written = 0;

async function transcripts(tasks: readonly AgentTask[], cwd = FOLDER): Promise<string[]> {
  const files = tasks.map((task, i) => {
    const at = new Date(Date.UTC(2026, 4, 1 + i, 9)).toISOString();
    written += 1;
    return folder.file(`learn-${written}.jsonl`, agentTranscript(`${cwd}-${i}`, [task], { cwd, at }));
  });
  return Promise.all(files);
}

type Commands = ReturnType<typeof onData>;

/** Learned memories, without their write times. */
async function learned({ json }: Pick<Commands, "json">, project = FOLDER) {
  const memories: Memory[] = await json("memories", "--project", project, "--all");
  return memories
    .filter(({ kind }) => kind === "episode" || kind === "workflow")
    .map(({ id, levels, artifacts, mentions }) => ({ id, levels, artifacts, mentions }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

describe("throughline import --remember", () => {
  it("learns episodes and workflows, which belong to the folder of the session", async () => {
    const on = onData();
    const files = await transcripts([deployment(1), repair(1), deployment(2), deployment(3)]);
    const { code, stdout, stderr } = await on.run("import", ...files, "--remember");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(
      `4 episodes added, 0 updated, 0 already known; 1 workflow added, 0 updated, 0 already known.\n  ${HINT}\nBy project:\n  ${FOLDER}  4 sessions, 5 new memories\nList the memories of a project: \`throughline memories -p ${FOLDER}\`\n`,
    );
    const kept = await learned(on);
    expect(kept.map(({ levels }) => levels.index)).toContainEqual(expect.stringMatching(/^(?=.*cart)(?=.*items?)/));
    expect(kept.find(({ levels }) => levels.compressed === HINT)).toBeDefined();
    const { stdout: listed } = await on.run("memories", "--project", FOLDER);
    expect(listed).toMatch(/ workflow +To deploy \(3 times in 3 sessions, last 2026-05-04\)\n/);
    expect(listed).not.toContain("Asked:");
    expect(await on.json("memories", "--project", "/home/ada/blog")).toEqual([]);
    expect((await on.run("recall", "How do we deploy?", "--project", FOLDER)).stdout).toContain("deploy.sh staging");
  });

  it("extracts no facts from a message that the agent saved itself", async () => {
    const chain = { parentUuid: null, sessionId: "saved", isSidechain: false, cwd: FOLDER, version: "2.1.0" };
    const said = (uuid: string, content: unknown) => ({
      ...chain,
      type: "user",
      uuid,
      message: { role: "user", content },
    });
    const call = {
      type: "tool_use",
      id: "t1",
      name: "mcp__throughline__remember",
      input: { text: "Indent with tabs." },
    };
    const on = onData();
    const { memory } = await on.json("remember", "Indent with tabs.", "--project", FOLDER);
    const answer = JSON.stringify({ outcome: "added", memory: { id: memory.id, text: "Indent with tabs." } });
    const file = await folder.file(
      "saved.jsonl",
      [
        said("u1", "I prefer tabs over spaces."),
        { ...chain, type: "assistant", uuid: "a1", message: { id: "m1", role: "assistant", content: [call] } },
        said("r1", [{ type: "tool_result", tool_use_id: "t1", content: answer }]),
        said("u2", "Never touch the generated files."),
      ]
        .map((line) => JSON.stringify(line))
        .join("\n"),
    );
    const factsAfterImport = async ({ run, json }: Commands) => {
      expect((await run("import", file, "--remember")).code).toBe(0);
      const facts: Memory[] = await json("memories", "--kind", "fact", "--project", FOLDER);
      return facts.map(({ levels }) => levels.full).sort();
    };
    expect(await factsAfterImport(on)).toEqual(["Indent with tabs.", "Never touch the generated files"]);
    // On another machine, this memory is missing.
    expect(await factsAfterImport(onData())).toEqual(["I prefer tabs over spaces", "Never touch the generated files"]);
  });

  it("learns for a named project", async () => {
    const on = onData();
    await on.run("import", ...(await transcripts([repair(1)])), "--remember", "--project", "shop");
    expect(await learned(on, "shop")).toHaveLength(1);
    expect(await learned(on)).toEqual([]);
  });

  it("learns nothing without --remember", async () => {
    const on = onData();
    const { learned: none } = await on.json("import", ...(await transcripts([repair(1)])));
    expect(none).toBeNull();
    expect(await learned(on)).toEqual([]);
  });

  it("changes nothing when it is repeated", async () => {
    const on = onData();
    const files = await transcripts([deployment(1), deployment(2), repair(1)]);
    await on.run("import", ...files, "--remember");
    const before = await learned(on);
    const { learned: again } = await on.json("import", ...files, "--remember");
    expect(again).toMatchObject({
      episodes: { added: 0, updated: 0, unchanged: 3 },
      workflows: { added: 0, updated: 0, unchanged: 1 },
      hints: [HINT],
    });
    expect(await learned(on)).toEqual(before);
  });

  it("learns the same in any order of the files, together or one by one", async () => {
    const [together, reversed, single] = [onData(), onData(), onData()];
    const files = await transcripts([deployment(1), repair(1), deployment(2), repair(2)]);
    await together.run("import", ...files, "--remember");
    await reversed.run("import", ...files.toReversed(), "--remember");
    for (const file of files) await single.run("import", file, "--remember");
    const known = await learned(together);
    expect(known.length).toBeGreaterThan(4);
    expect(await learned(reversed)).toEqual(known);
    expect(await learned(single)).toEqual(known);
  });

  it("updates an episode when its transcript has grown", async () => {
    const on = onData();
    const growing = (tasks: readonly AgentTask[]) => folder.file("growing-task.jsonl", agentTranscript("g", tasks));
    await on.run("import", await growing([{ ...repair(1), ran: [] }]), "--remember");
    const [before] = await learned(on);
    const { learned: news } = await on.json(
      "import",
      await growing([
        { ...repair(1), ran: [] },
        { asked: "Commit the cart, please.", ran: repair(1).ran, said: "The cart is committed now, as you wanted it." },
      ]),
      "--remember",
    );
    expect(news.episodes).toMatchObject({ added: 0, updated: 1 });
    const [after, ...more] = await learned(on);
    expect(more).toEqual([]);
    expect(after?.id).toBe(before?.id);
    expect(after?.artifacts).toContainEqual({ type: "commit", ref: "abc0001" });
  });

  it("prints what it would learn, and stores nothing, in a dry run", async () => {
    const on = onData();
    const files = await transcripts([deployment(1), deployment(2), repair(1)]);
    const { code, stdout } = await on.run("import", ...files, "--remember", "--dry-run");
    expect(code).toBe(0);
    expect(stdout).toContain(`  + ${HINT}\nWould learn 3 episodes and 1 workflow from new messages`);
    expect(existsSync(on.data)).toBe(false);
    const { learned: foreseen } = await on.json("import", ...files, "--remember", "--dry-run");
    expect(foreseen).toMatchObject({ workflows: [HINT] });
    expect(foreseen.episodes).toHaveLength(3);
  });

  it("stores no secrets of commands", async () => {
    const on = onData();
    const key = `sk-ant-${"Ab3dEf6hIj9k".repeat(3)}`;
    const secretive = (n: number): AgentTask => ({
      ...deployment(n),
      ran: [
        ["pnpm test"],
        [`TOKEN=${key} ./deploy.sh production --token ${key}`, `!bad token ${key}`],
        ["./deploy.sh production"],
      ],
    });
    await on.run("import", ...(await transcripts([secretive(1), secretive(2)])), "--remember");
    expect(JSON.stringify(await learned(on))).toContain("deploy.sh production");
    expect(JSON.stringify(await on.json("export", "--project", FOLDER))).not.toContain("Ab3dEf6h");
  });
});

describe("a killed import --remember", () => {
  longTest("continues from there without duplicates, or is undone completely", async () => {
    const files = await transcripts(Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? deployment(i) : repair(i))));
    const whole = onData();
    await whole.run("import", ...files, "--remember");
    for (const moment of SOAK > 1 ? ["Learning… 10%", "Learning… 50%", "Learning… 90%"] : ["Learning… 50%"]) {
      const data = folder.fresh("killed");
      const on = memoryCommands(data);
      const child = startCli(["import", ...files, "--remember"], { env: { THROUGHLINE_DATA: data } });
      let progress = "";
      child.stderr.on("data", (text) => {
        progress += text;
        if (progress.includes(moment)) child.kill("SIGKILL");
      });
      expect((await endOf(child)).code).toBeNull();
      expect(await on.json("doctor")).toMatchObject({ problems: [] });
      await undoneCopy(data);
      expect((await on.run("import", ...files, "--remember")).code).toBe(0);
      expect(await learned(on)).toEqual(await learned(whole));
    }
  });
});

/** Undoes the only import in a copy of the data, which leaves nothing. */
async function undoneCopy(data: string): Promise<void> {
  const copy = folder.fresh("undone");
  await cp(data, copy, { recursive: true });
  const on = memoryCommands(copy);
  const [{ id }] = await on.json("journal", "--imports");
  expect((await on.json("undo", id)).sessions).toBeGreaterThan(0);
  expect(await on.json("sessions")).toEqual([]);
  expect(await on.json("export", "--all-projects")).toMatchObject({ memories: [], turns: [] });
}

/** A repository with these changes. */
async function repository(changes: readonly { subject: string; body?: string; file: string }[]): Promise<string> {
  const root = folder.fresh("repository");
  await mkdir(root);
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", root, "-c", "user.name=Ada", "-c", "user.email=ada@private.example", ...args], {
      env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" },
      stdio: "pipe",
    });
  git("init", "--quiet", "--initial-branch", "main");
  for (const [i, { subject, body = "", file }] of changes.entries()) {
    await mkdir(path.join(root, path.dirname(file)), { recursive: true });
    await writeFile(path.join(root, file), `${i}\n`);
    git("add", "-A");
    git(
      "commit",
      "--quiet",
      "--date",
      `2026-05-0${(i % 9) + 1}T10:00:00Z`,
      "-m",
      subject,
      ...(body === "" ? [] : ["-m", body]),
    );
  }
  return root;
}

const CHANGES = [
  { subject: "feat(cart): show tax", file: "src/cart/tax.ts" },
  { subject: "fix(cart): round totals", file: "src/cart/total.ts" },
  { subject: "feat(cart): keep items", file: "src/cart/items.ts" },
  {
    subject: "refactor(auth): replace JWT with sessions",
    body: "Replaced JWT with sessions due to token size issues. Follows ADR-012.\n\nSigned-off-by: Ada <ada@private.example>",
    file: "src/auth/session.ts",
  },
  { subject: "fix: typo", file: "README.md" },
];

describe("throughline import of a repository", () => {
  it("stores the episodes of its history once, without addresses of people", async () => {
    const on = onData();
    const root = await repository(CHANGES);
    const { code, stdout, stderr } = await on.run("import", "--git", root);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.split("\n")).toContain(`5 commits of ${root} read: 2 episodes added, 0 updated, 0 already known.`);
    const kept = await learned(on, root);
    expect(kept.map(({ levels }) => levels.index).sort()).toEqual([
      expect.stringMatching(/^cart_\d{4}_\d\d$/),
      "replace_jwt_sessions",
    ]);
    expect(JSON.stringify(kept)).not.toContain("private.example");
    expect((await on.run("recall", "Why sessions and not JWT?", "--project", root)).stdout).toContain("token size");
    // The argument names it too.
    expect((await on.run("import", root)).stdout).toContain("0 episodes added, 0 updated, 2 already known");
    expect(await learned(on, root)).toEqual(kept);
  });

  it("prints what it would store, and stores nothing, in a dry run", async () => {
    const on = onData();
    const { repositories } = await on.json("import", "--git", await repository(CHANGES), "--dry-run");
    expect(repositories).toMatchObject([{ commits: 5, problem: null }]);
    expect(repositories[0].foreseen).toHaveLength(2);
    expect(existsSync(on.data)).toBe(false);
  });

  it("reports a folder that is not a repository", async () => {
    const on = onData();
    const { code, stderr } = await on.run("import", "--git", path.join(folder.path, "nowhere"));
    expect(code).toBe(2);
    expect(stderr).toMatch(/nowhere: Not a git repository\./);
    expect((await on.run("import", "--memories")).stderr).toContain(
      "Nothing to import: no file, folder or repository given.",
    );
  });
});

describe("throughline hook session-end", () => {
  it("stores the outcome and the steps of the session once", async () => {
    const data = folder.fresh("data");
    const on = memoryCommands(data);
    const cwd = folder.fresh("project");
    const files = await transcripts([deployment(1), deployment(2), deployment(3)], cwd);
    for (const transcript_path of [...files, ...files]) {
      const input = JSON.stringify({ cwd, transcript_path, session_id: "any" });
      const ended = await runMain(["hook", "session-end", "--data", data], {
        input,
        env: { CLAUDE_PROJECT_DIR: undefined },
      });
      expect(ended).toEqual({ code: 0, stdout: "", stderr: "" });
    }
    const kept = await learned(on, cwd);
    expect(kept).toHaveLength(4);
    expect(kept.map(({ levels }) => levels.compressed)).toContain(HINT);
  });
});
