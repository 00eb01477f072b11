import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { agentTranscript, repair } from "../../throughline/test/agent-sessions.ts";
import { runMain } from "./cli-in-process.ts";
import { fillHome, homeEnvironment, setAge, writeFiles } from "./fake-home.fixture.ts";
import { temporaryFolder } from "./run-cli.ts";

const folder = temporaryFolder();

/** Commands in a home folder with a separate data folder. */
async function inHome(fill: (home: string) => Promise<void>) {
  const home = folder.fresh("home");
  await mkdir(home);
  await fill(home);
  const data = folder.fresh("data");
  const run = (...args: readonly string[]) =>
    runMain([...args, "--data", data], { env: homeEnvironment(home), input: "" });
  const json = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await run(...args, "--json");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    return JSON.parse(stdout);
  };
  return { home, data, run, json };
}

/** Answers a question on a terminal. */
async function answer<T>(text: string, work: () => Promise<T>): Promise<T> {
  const before = Object.getOwnPropertyDescriptor(process, "stdin");
  const value = Object.assign(Readable.from([Buffer.from(text)]), { isTTY: true });
  Object.defineProperty(process, "stdin", { configurable: true, value });
  try {
    return await work();
  } finally {
    if (before !== undefined) Object.defineProperty(process, "stdin", before);
  }
}

const SHOP = ".claude/projects/-home-ada-shop";

/** A session of Claude Code that was compacted; afterwards the agent edits two files from before. */
function compacted(sessionId: string, summary: string): string {
  const before = agentTranscript(sessionId, [
    {
      asked: "Always run the linter before you commit. Where are the invoice totals computed?",
      ran: [["rg -l total", "src/totals.ts\nsrc/invoice.ts"]],
      said: "I looked for them. The invoice totals are computed in src/totals.ts, in whole cents.",
    },
  ]);
  const at = { sessionId, isSidechain: false, cwd: "/home/ada/shop", timestamp: "2026-05-04T10:00:00Z" };
  const boundary = { ...at, type: "system", subtype: "compact_boundary", uuid: `${sessionId}-b`, parentUuid: null };
  const note = {
    ...at,
    type: "user",
    uuid: `${sessionId}-s`,
    isCompactSummary: true,
    message: { role: "user", content: summary },
  };
  const after = agentTranscript(
    `${sessionId}`,
    [
      {
        asked: "Go on.",
        ran: [["sed -n 1,9p src/totals.ts"], ["sed -n 1,9p src/invoice.ts"]],
        said: "Both round down.",
      },
    ],
    { at: "2026-05-04T11:00:00Z" },
  ).replaceAll(`"${sessionId}-`, `"${sessionId}-after-`);
  return `${before}${JSON.stringify(boundary)}\n${JSON.stringify(note)}\n${after}`;
}

describe("throughline import without files", () => {
  it("finds the history of each agent and imports it with its memories", async () => {
    const { home, run, json } = await inHome(fillHome);
    const { found, files, report } = await json("import", "--yes");
    expect(found.map(({ agent, sessions }: Record<string, unknown>) => [agent, sessions])).toEqual([
      ["claude-code", 1],
      ["codex", 1],
      ["opencode", 1],
      ["gemini-cli", 1],
      ["cline", 1],
    ]);
    expect(files).toHaveLength(5);
    expect(report).toMatchObject({
      sessions: 5,
      projects: expect.arrayContaining([{ project: "/home/ada/shop", sessions: 5, memories: expect.any(Number) }]),
    });
    expect(await json("sessions")).toHaveLength(5);
    const { stdout } = await run("recall", "What must not be touched?", "--all-projects");
    expect(stdout).toContain("Never touch src/legacy");
    expect(existsSync(path.join(home, ".claude", "settings.json"))).toBe(true);
  });

  it("imports the agents that are named", async () => {
    const { json, run } = await inHome(fillHome);
    expect(
      (await json("import", "codex", "gemini", "--yes")).found.map(({ agent }: { agent: string }) => agent),
    ).toEqual(["codex", "gemini-cli"]);
    const mixed = await run("import", "codex", "notes.jsonl", "--yes");
    expect({ code: mixed.code, stderr: mixed.stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/^throughline: Cannot import agents and files in one command: notes\.jsonl /),
    });
  });

  it("shows what it found, and imports nothing without a terminal or --yes", async () => {
    const { data, run } = await inHome(fillHome);
    const { code, stdout, stderr } = await run("import");
    expect(code).toBe(2);
    expect(stdout).toMatch(/^Found +sessions +size +last changed\nClaude Code +1 /);
    expect(stderr).toBe(
      "throughline: Cannot ask for confirmation: standard input is not a terminal. Nothing was imported.\nAdd --yes to import them, or --dry-run to see what would be stored.\n",
    );
    expect(existsSync(data)).toBe(false);
  });

  it.each([
    ["\n", 1],
    ["y\n", 1],
    ["n\n", 0],
  ])("asks on a terminal; the answer %j imports %i session", async (text, sessions) => {
    const { home, data, json } = await inHome((root) =>
      writeFiles(root, { [`${SHOP}/one.jsonl`]: agentTranscript("one", [repair(1)]) }),
    );
    const { code, stderr } = await answer(text, () =>
      runMain(["import", "--data", data], { env: homeEnvironment(home) }),
    );
    expect(code).toBe(0);
    expect(stderr).toContain("with memories, and secrets redacted.\nImport them? [Y/n] ");
    expect(await json("sessions")).toHaveLength(sessions);
  });

  it("shows first results early, long before the first tenth is read", async () => {
    const { home, run } = await inHome(async (root) => {
      const log = "0123456789 the build goes on\n".repeat(160_000);
      const long = [{ asked: "Read the log.", ran: [["cat build.log", log] as const], said: "It has no error." }];
      await writeFiles(root, {
        [`${SHOP}/one.jsonl`]: compacted("one", "The user asked about src/totals.ts."),
        [`${SHOP}/two.jsonl`]: agentTranscript("two", long),
      });
    });
    await setAge(path.join(home, SHOP, "one.jsonl"), 2);
    const { stderr } = await run("import", "--yes");
    const [first] = stderr.split("\n");
    expect(first).toMatch(/^Importing… [125]% {2}1 session with 1 compaction; their summaries kept 50%$/);
  });

  it("imports the other sessions if a file cannot be read", async () => {
    const { home, run, json } = await inHome(fillHome);
    await mkdir(path.join(home, SHOP, "folder.jsonl"));
    await writeFiles(home, { [`${SHOP}/broken.jsonl`]: '{"type":"user","mess\n' });
    const { code, stdout, stderr } = await run("import", "claude-code", "--yes");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("1 file skipped:\n  1 unknown transcript format: broken.jsonl\n");
    expect(await json("sessions")).toHaveLength(1);
  });

  it("fails if there is no history", async () => {
    const { run } = await inHome(async () => undefined);
    const { code, stderr } = await run("import", "cline");
    expect(code).toBe(2);
    expect(stderr).toContain("No history of Cline found on this machine.\nGive transcripts, folders or exports");
  });

  it("stores nothing in a dry run", async () => {
    const { data, json } = await inHome(fillHome);
    const { dryRun, report, files } = await json("import", "--dry-run");
    expect({ dryRun, report, files: files.length }).toEqual({ dryRun: true, report: null, files: 5 });
    expect(existsSync(data)).toBe(false);
  });

  it("reports the same again if nothing is new, and can be undone", async () => {
    const { run, json } = await inHome(fillHome);
    const { importId, report } = await json("import", "--yes");
    const again = await json("import", "--yes");
    expect(again.importId).toBeNull();
    expect(again.report).toEqual(report);
    expect((await run("undo", importId)).code).toBe(0);
    expect(await json("sessions")).toEqual([]);
  });

  it("counts sessions of OpenCode once if they are in the database and in older files", async () => {
    const { json } = await inHome(async (home) => {
      await fillHome(home);
      const older = ".local/share/opencode/storage";
      const info = JSON.stringify({ id: "ses_1", directory: "/home/ada/shop", time: { created: 1 } });
      const another = JSON.stringify({ id: "ses_0", directory: "/home/ada/shop", time: { created: 1 } });
      await writeFiles(home, {
        [`${older}/session/p/ses_1.json`]: info,
        [`${older}/session/p/ses_0.json`]: another,
        [`${older}/message/ses_0/msg_0.json`]: JSON.stringify({ id: "msg_0", sessionID: "ses_0", role: "user" }),
        [`${older}/part/msg_0/prt_0.json`]: JSON.stringify({ id: "prt_0", type: "text", text: "Which tests fail?" }),
      });
    });
    const { found, files } = await json("import", "opencode", "--yes");
    expect(found[0]).toMatchObject({ sessions: 2, files: 2 });
    expect(
      files.flatMap(({ sessions }: { sessions: { id: string }[] }) => sessions.map(({ id }) => id)).sort(),
    ).toEqual(["ses_0", "ses_1"]);
  });
});

describe("transcripts that Claude Code deletes soon", () => {
  const transcripts = (ages: readonly number[], settings: object) => async (home: string) => {
    await writeFiles(home, { ".claude/settings.json": JSON.stringify(settings) });
    for (const [i, days] of ages.entries()) {
      const file = `${SHOP}/s${i}.jsonl`;
      await writeFiles(home, { [file]: agentTranscript(`s${i}`, [repair(i)]) });
      await setAge(path.join(home, file), days);
    }
  };

  it.each([
    [{}, 30, 2],
    [{ cleanupPeriodDays: 20 }, 20, 3],
    [{ cleanupPeriodDays: 365 }, 365, 0],
    [{ cleanupPeriodDays: "x" }, 30, 2],
  ])("are counted with the settings %j", async (settings, afterDays, sessions) => {
    const { json } = await inHome(transcripts([1, 15, 25, 40], settings));
    const { found, report } = await json("import", "--yes");
    expect(found[0].expiry).toEqual({ afterDays, withinDays: 7, sessions });
    expect(report.expiry).toEqual(found[0].expiry);
  });

  it("are mentioned before the question, and in the report", async () => {
    const { run } = await inHome(transcripts([1, 40], {}));
    const { stdout } = await run("import", "--yes");
    expect(stdout).toContain("Claude Code deletes transcripts after 30 days without use: 1 of these within 7 days.\n");
    expect(stdout).toContain("Claude Code deletes 1 of these within 7 days. They are stored here now.\n");
  });
});

describe("the report about imported histories", () => {
  const history = async (home: string) => {
    const later = [{ asked: "Please always run the linter before each commit!", ran: [], said: "I will run it." }];
    await writeFiles(home, {
      [`${SHOP}/one.jsonl`]: compacted("one", "The user asked about src/totals.ts."),
      [`${SHOP}/two.jsonl`]: agentTranscript("two", later, { at: "2026-05-05T09:00:00Z" }),
      [`${SHOP}/three.jsonl`]: agentTranscript("three", [repair(1), repair(2)], { at: "2026-05-06T09:00:00Z" }),
    });
  };

  it("reports what the agent's own summaries kept, and which rules were given again", async () => {
    const { json } = await inHome(history);
    const { report } = await json("import", "--yes");
    expect(report.compactions).toMatchObject({
      count: 1,
      sessions: 1,
      needed: 2,
      kept: 1,
      worst: { sessionId: "one", missing: ["src/invoice.ts"] },
    });
    expect(report.repeatedRules).toMatchObject([{ times: 2, sessions: 2, project: "/home/ada/shop" }]);
    expect(report.question).toMatchObject({
      text: "Where are the invoice totals computed?",
      answer: "The invoice totals are computed in src/totals.ts, in whole cents.",
    });
    expect(report.work.map(({ title }: { title: string }) => title).join()).toContain("The cart loses item 1");
  });

  it("fits a screen of 80 columns, apart from paths, and ends with the next commands", async () => {
    const { run, data } = await inHome(history);
    const { stdout } = await run("import", "--yes");
    const lines = stdout
      .slice(stdout.indexOf("\n\n") + 2)
      .trimEnd()
      .split("\n");
    expect(lines.length).toBeLessThanOrEqual(40);
    expect(lines.filter((line) => line.length > 80 && !line.includes(data))).toEqual([]);
    expect(lines).toEqual(
      expect.arrayContaining([
        "3 sessions · 1 project · 33 messages · 2026-05-04 to 2026-05-06",
        "  1 compaction in 1 session. Right afterwards, the agent used 2 names",
        "  (files, functions, ids) from before again. Its own summaries had kept 50%.",
        "  2×  “Please always run the linter before each commit!”",
        `  Give your agent these memories: throughline --data ${data} init claude-code --global`,
      ]),
    );
    // The same rule in other words.
    expect(stdout).not.toContain("Rules of yours that are remembered");
    expect(lines.at(-1)).toMatch(/^ {2}Undo this import: .* undo imp_/);
  });

  it("quotes a rule without the message that it answers, and no requirement of one task", async () => {
    const { run, json } = await inHome((home) => {
      const turns = [
        {
          asked: "Prepare the release.",
          ran: [],
          said: "Remember to add `SHOP_URL` to the secrets of the repository.",
        },
        { asked: "in release.yml it must never be a secret", ran: [], said: "Done." },
        { asked: "we should add the name of the customer to any invoice", ran: [], said: "Done." },
      ];
      return writeFiles(home, { [`${SHOP}/one.jsonl`]: agentTranscript("one", turns) });
    });
    const { stdout } = await run("import", "--yes");
    const facts = await json("memories", "--kind", "fact", "--all-projects");
    expect(facts.map(({ levels }: { levels: { full: string } }) => levels.full).join("\n")).toContain(
      "[re: Remember to add",
    );
    expect(stdout).toContain("  “in release.yml it must never be a secret”\n");
    expect(stdout).not.toContain("any invoice");
  });

  it("lists the commands that are run again and again", async () => {
    const { run, json } = await inHome(async (home) => {
      for (const day of [1, 2, 3, 4]) {
        const check = {
          asked: `Fix bug ${day}.`,
          ran: [
            ["make lint", "ok"],
            ["make test", "ok"],
          ] as const,
          said: "Done.",
        };
        const at = { at: `2026-05-0${day}T09:00:00Z` };
        await writeFiles(home, { [`${SHOP}/s${day}.jsonl`]: agentTranscript(`s${day}`, [check], at) });
      }
    });
    const { report } = await json("import", "--yes");
    expect(report.commands).toEqual([{ project: "/home/ada/shop", commands: ["make lint", "make test"], times: 4 }]);
    expect((await run("import", "--yes")).stdout).toContain("Commands\n  4×  make lint → make test\n");
  });

  it("counts the compaction of a resumed session once", async () => {
    const { json } = await inHome(async (home) => {
      const session = compacted("one", "Nothing left.");
      const resumed = session.replaceAll('"sessionId":"one"', '"sessionId":"again"');
      await writeFiles(home, { [`${SHOP}/one.jsonl`]: session, [`${SHOP}/again.jsonl`]: resumed });
    });
    expect((await json("import", "--yes")).report.compactions.count).toBe(1);
  });

  it("leaves out excluded folders and secrets", async () => {
    const { home, data } = await inHome(async (root) => {
      const session = compacted("one", "Nothing left.");
      const secret = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789";
      await writeFiles(root, {
        [`${SHOP}/one.jsonl`]: session,
        [`${SHOP}/key.jsonl`]: compacted("key", "Nothing left.").replaceAll("src/invoice.ts", secret),
        ".claude/projects/-home-ada-secret/two.jsonl": compacted("two", "Nothing left.").replaceAll(
          "/home/ada/shop",
          "/home/ada/secret",
        ),
      });
    });
    const env = { ...homeEnvironment(home), THROUGHLINE_EXCLUDE: "/home/ada/secret" };
    const { stdout } = await runMain(["import", "--yes", "--json", "--data", data], { env, input: "" });
    const { report } = JSON.parse(stdout);
    expect(report.compactions).toMatchObject({ count: 2, sessions: 2 });
    expect(JSON.stringify(report)).not.toContain("sk-ant-api03");
  });
});

describe("throughline inspect", () => {
  it("prints for each compaction what the summary kept, and what was needed and missing", async () => {
    const file = await folder.file("compacted.jsonl", compacted("one", "The user asked about src/totals.ts."));
    const { stdout } = await runMain(["inspect", file]);
    expect(stdout).toMatch(/kept 1 of 2 names that the next 40 calls used\n +missing src\/invoice\.ts\n/);
  });
});
