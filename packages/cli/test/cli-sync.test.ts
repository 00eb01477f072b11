import { chmod, mkdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { runMain } from "./cli-in-process.ts";
import { temporaryFolder } from "./run-cli.ts";

const folder = temporaryFolder();

/** A repository with the given files, and commands that run in it. */
async function repository(files: Readonly<Record<string, string>> = {}, data = folder.fresh("data")) {
  const root = folder.fresh("shop");
  await mkdir(path.join(root, ".git"), { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(root, name), text);
  const run = (...args: string[]) => runMain([...args, "--data", data], { cwd: root });
  const json = async (...args: string[]) => JSON.parse((await run(...args, "--json")).stdout);
  const read = (name = "AGENTS.md") => readFile(path.join(root, name), "utf8");
  return {
    root,
    data,
    run,
    json,
    read,
    /** Syncs and returns the output. */
    sync: async (...args: string[]) => {
      const { code, stdout, stderr } = await run("sync", "--yes", ...args);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      return stdout;
    },
    remember: async (text: string, ...args: string[]): Promise<string> =>
      (await json("remember", text, ...args)).memory.id,
    edit: async (change: (text: string) => string, name = "AGENTS.md") =>
      writeFile(path.join(root, name), change(await read(name))),
    /** Texts of the current memories of the project. */
    texts: async (...args: string[]): Promise<string[]> =>
      (await json("memories", ...args)).map((one: { levels: { full: string } }) => one.levels.full).toSorted(),
  };
}

const RULE = "Use pnpm in this repository, not npm.";
const DECISION = "We decided to keep sessions in Redis.";
const MARKER = /<!-- throughline:start [0-9a-f]+ \(.*\) -->/;

/** The block without its start marker. */
function body(text: string): string {
  return text.slice(text.search(MARKER)).replace(MARKER, "").replace("<!-- throughline:end -->", "").trim();
}

describe("throughline sync writes", () => {
  it("rules, commands and decisions of the project in a block, and asks before it creates the file", async () => {
    const shop = await repository();
    await shop.remember(RULE);
    await shop.remember(DECISION);
    await shop.remember("To release: make build && make ship", "--kind", "workflow");
    await shop.remember("To check a change:\n  make lint\n  make test", "--kind", "workflow");
    const shown = await shop.run("sync");
    expect(shown).toMatchObject({ code: 2, stderr: expect.stringContaining("Add --yes") });
    expect(shown.stdout).toContain(`+ - ${RULE}\n`);
    await expect(shop.read()).rejects.toThrow("ENOENT");
    await shop.run("sync", "--dry-run");
    await expect(shop.read()).rejects.toThrow("ENOENT");
    expect(await shop.sync()).toContain("AGENTS.md is in sync: 4 lines.\nClaude Code reads only CLAUDE.md");
    const text = await shop.read();
    expect(body(text)).toBe(
      [
        `## Project memory\n\n### Rules\n\n- ${RULE}`,
        "### Commands\n\n- To release: `make build && make ship`\n- To check a change: `make lint; make test`",
        `### Decisions\n\n- ${DECISION}`,
      ].join("\n\n"),
    );
    expect(text).toMatch(/<!-- throughline:end -->\n$/);
    // The file is not private, unlike the data.
    expect((await stat(path.join(shop.root, "AGENTS.md"))).mode & 0o777).toBe(0o666 & ~process.umask());
    expect(await shop.sync()).toBe("AGENTS.md is in sync: 4 lines.\n");
    expect(await shop.read()).toBe(text);
  });

  it("nothing personal, of another project, secret, from a home folder or too long", async () => {
    const shop = await repository();
    const other = await repository({}, shop.data);
    await shop.remember(RULE);
    await shop.remember("Always answer in German.", "--personal");
    await other.remember("Always use yarn here.");
    await shop.remember(`Always use the key sk-ant-${"a1B2".repeat(8)}.`, "--keep-secrets");
    await shop.remember("Always read /home/ada/notes.txt first.");
    await shop.remember("Always read @~/secrets.txt first.");
    await shop.remember(`Always ${"check the parts and ".repeat(30)}stop.`);
    await shop.sync();
    expect(body(await shop.read())).toBe(`## Project memory\n\n### Rules\n\n- ${RULE}`);
  });

  it("no text that ends the block or starts another one", async () => {
    const shop = await repository();
    await shop.remember("Never write <!-- throughline:end --> or <!-- throughline:start --> by hand.");
    await shop.sync();
    const text = await shop.read();
    expect(text.split("<!--").length - 1).toBe(2);
    expect(await shop.sync()).toBe("AGENTS.md is in sync: 1 line.\n");
    expect(await shop.read()).toBe(text);
  });

  it.each([
    ["a plain file", "# Shop\n\nBe kind.\n"],
    ["line breaks of Windows", "# Shop\r\n\r\nBe kind.\r\n"],
    ["a byte order mark", "\ufeff# Shop\n"],
    ["no line break at the end", "# Shop"],
    ["nothing", ""],
  ])("only the block, in a file with %s", async (_, before) => {
    const shop = await repository({ "AGENTS.md": before });
    await shop.remember(RULE);
    await shop.sync();
    const text = await shop.read();
    expect(text.startsWith(before)).toBe(true);
    expect(text.endsWith("\n")).toBe(before === "" || before.endsWith("\n"));
    if (before.includes("\r\n")) expect(text.replaceAll("\r\n", "")).not.toContain("\n");
    await shop.edit((now) => `${now}\nAfter the block`);
    const after = (await shop.read()).slice(text.length);
    await shop.remember("Never commit generated files.");
    await shop.sync();
    const next = await shop.read();
    expect(next.startsWith(before)).toBe(true);
    expect(next.endsWith(after)).toBe(true);
    expect(body(next)).toContain("- Never commit generated files.");
  });

  it.each([
    ["CLAUDE.md, if it is the only file", { "CLAUDE.md": "# Shop\n" }, "CLAUDE.md"],
    ["AGENTS.md, if CLAUDE.md refers to it", { "CLAUDE.md": "@AGENTS.md\n" }, "AGENTS.md"],
    ["AGENTS.md, if both exist", { "CLAUDE.md": "# Shop\n", "AGENTS.md": "# Shop\n" }, "AGENTS.md"],
  ])("%s", async (_, files, name) => {
    const shop = await repository(files);
    await shop.remember(RULE);
    await shop.sync();
    expect(body(await shop.read(name))).toContain(RULE);
    expect(await shop.sync()).toBe(`${name} is in sync: 1 line.\n`);
  });

  it("changes of memories into their lines", async () => {
    const shop = await repository();
    const id = await shop.remember(RULE);
    await shop.remember(DECISION);
    await shop.remember("Never commit generated files.");
    await shop.sync();
    await shop.remember("Use bun in this repository, not pnpm.", "--replaces", id);
    await shop.run(
      "forget",
      (await shop.json("memories")).find((one: { levels: { full: string } }) => one.levels.full === DECISION).id,
    );
    await shop.sync();
    expect(body(await shop.read())).toBe(
      "## Project memory\n\n### Rules\n\n- Use bun in this repository, not pnpm.\n- Never commit generated files.",
    );
  });
});

describe("throughline sync reads", () => {
  it("an edited line as a replacement of its memory, with history", async () => {
    const shop = await repository();
    const id = await shop.remember(RULE);
    await shop.sync();
    await shop.edit((text) => text.replace(RULE, "Use yarn in this repository, not npm."));
    const shown = await shop.run("sync", "--dry-run");
    expect(shown.stdout).toContain(`- ${RULE}\n+ Use yarn in this repository, not npm.\n`);
    expect(await shop.texts()).toEqual([RULE]);
    expect(await shop.sync()).toContain("1 memory changed");
    expect(await shop.texts()).toEqual(["Use yarn in this repository, not npm."]);
    const before = (await shop.json("memories", "--all")).find((one: { id: string }) => one.id === id);
    expect(before.supersededBy).toBeDefined();
    expect(await shop.sync()).toBe("AGENTS.md is in sync: 1 line.\n");
  });

  it("an edited command as a replacement of its workflow", async () => {
    const shop = await repository();
    await shop.remember("To release: make build && make ship", "--kind", "workflow");
    await shop.sync();
    await shop.edit((text) => text.replace("make ship", "make publish"));
    await shop.sync();
    expect(await shop.texts()).toEqual(["To release: `make build && make publish`"]);
    expect(body(await shop.read())).toContain("### Commands\n\n- To release: `make build && make publish`");
  });

  it("a deleted line as archived, and it does not come back", async () => {
    const shop = await repository();
    await shop.remember(RULE);
    await shop.remember(RULE, "--scope", "project-shared");
    await shop.remember(DECISION);
    await shop.sync();
    await shop.edit((text) => text.replace(`- ${RULE}\n`, ""));
    expect(await shop.sync()).toContain("1 memory archived");
    expect(await shop.texts()).toEqual([DECISION]);
    expect(await shop.sync()).toBe("AGENTS.md is in sync: 1 line.\n");
    expect(await shop.read()).not.toContain(RULE);
  });

  it("a deleted line as archived, even if a later session repeats it", async () => {
    const shop = await repository();
    const said = { role: "user", content: "Never touch the generated files." };
    const session = async (sessionId: string) => {
      const line = { parentUuid: null, sessionId, cwd: shop.root, version: "2.1.0", type: "user", uuid: sessionId };
      const file = await folder.file(`${sessionId}.jsonl`, JSON.stringify({ ...line, message: said }));
      await shop.run("import", file, "--remember", "-p", ".");
    };
    await session("s1");
    await shop.sync();
    expect(await shop.read()).toContain("- Never touch the generated files\n");
    await shop.edit((text) => text.replace("- Never touch the generated files\n", ""));
    await shop.sync();
    await session("s2");
    expect(await shop.texts("--kind", "fact")).toEqual(["Never touch the generated files"]);
    await shop.sync();
    expect(await shop.read()).not.toContain("generated files");
  });

  it("a new line as a shared memory with its file and line", async () => {
    const shop = await repository();
    await shop.remember(RULE);
    await shop.sync();
    await shop.edit((text) => text.replace(RULE, `${RULE}\n- The staging server is called heron.`));
    await shop.sync();
    const added = (await shop.json("memories")).find((one: { scope: string }) => one.scope === "project-shared");
    expect(added).toMatchObject({
      levels: { full: "The staging server is called heron." },
      byHand: true,
      source: { quote: "The staging server is called heron." },
      artifacts: [{ type: "file", ref: "AGENTS.md:7" }],
    });
    // The text is not worded as a rule, but a person added it.
    expect(body(await shop.read())).toBe(
      `## Project memory\n\n### Rules\n\n- ${RULE}\n- The staging server is called heron.`,
    );
  });

  it("the lines of a block that another user synced, once", async () => {
    const shop = await repository();
    await shop.remember(RULE);
    await shop.sync();
    const other = await repository({ "AGENTS.md": await shop.read() });
    await other.remember(DECISION);
    await other.sync();
    expect(await other.texts()).toEqual([RULE, DECISION]);
    expect(await other.sync()).toBe("AGENTS.md is in sync: 2 lines.\n");
  });

  it("an earlier version of the file as unchanged, and not as deleted lines", async () => {
    const shop = await repository();
    await shop.remember(RULE);
    await shop.sync();
    const earlier = await shop.read();
    await shop.remember(DECISION);
    await shop.sync();
    const later = await shop.read();
    await shop.edit(() => earlier);
    await shop.sync();
    expect(await shop.texts()).toEqual([RULE, DECISION]);
    expect(await shop.read()).toBe(later);
  });

  it("a file without its block as unchanged memories", async () => {
    const shop = await repository();
    await shop.remember(RULE);
    await shop.sync();
    await shop.edit(() => "# Shop\n");
    await shop.sync();
    expect(await shop.texts()).toEqual([RULE]);
    expect(body(await shop.read())).toContain(RULE);
  });

  it("a line that changed on both sides without losing one of them", async () => {
    const shop = await repository();
    const id = await shop.remember(RULE);
    await shop.sync();
    await shop.remember("Use bun in this repository, not npm.", "--replaces", id);
    await shop.edit((text) => text.replace(RULE, "Use yarn in this repository, not npm."));
    expect(await shop.sync()).toContain("Line 6 and its memory both changed since the last sync. Both are kept");
    const both = ["Use bun in this repository, not npm.", "Use yarn in this repository, not npm."];
    expect(await shop.texts()).toEqual(both);
    for (const text of both) expect(await shop.read()).toContain(`- ${text}\n`);
  });

  it("a deleted line whose memory changed by adding the new text", async () => {
    const shop = await repository();
    const id = await shop.remember(RULE);
    await shop.sync();
    await shop.remember("Use bun in this repository, not npm.", "--replaces", id);
    await shop.edit((text) => text.replace(`- ${RULE}\n`, ""));
    expect(await shop.sync()).toContain("The memory of a deleted line changed since the last sync");
    expect(await shop.texts()).toEqual(["Use bun in this repository, not npm."]);
  });

  it("lists of any form, wrapped lines and headings of a person", async () => {
    const shop = await repository({
      "AGENTS.md":
        "<!-- throughline:start -->\n### Style\n* Use tabs\n  in all files.\n1. Never\u200b use semicolons.\n\nKeep lines short.\n<!-- throughline:end -->\n",
    });
    await shop.sync();
    expect(await shop.texts()).toEqual(["Keep lines short.", "Never use semicolons.", "Use tabs in all files."]);
    expect(body(await shop.read())).toBe(
      "### Style\n\n- Use tabs in all files.\n- Never use semicolons.\n- Keep lines short.",
    );
  });

  it("no secret: the line stays in the file", async () => {
    const secret = `Use the key sk-ant-${"a1B2".repeat(8)}.`;
    const shop = await repository({
      "AGENTS.md": `<!-- throughline:start -->\n- ${secret}\n<!-- throughline:end -->\n`,
    });
    expect(await shop.sync()).toContain("Line 2 looks like a password or key. It is not saved as a memory.");
    expect(await shop.texts()).toEqual([]);
    expect(await shop.read()).toContain(secret);
  });
});

describe("throughline sync refuses", () => {
  const START = "<!-- throughline:start -->";
  const END = "<!-- throughline:end -->";
  it.each([
    ["a start without an end", `a\n${START}\n- b\n`, "The block that starts in line 2 has no end marker."],
    ["an end without a start", `- b\n${END}\n`, "The end marker in line 2 has no start marker before it."],
    ["two blocks", `${START}\n${END}\n${START}\n${END}\n`, "several markers of a block, in lines 1 and 3."],
    ["a merge conflict", `${START}\n<<<<<<< HEAD\n- a\n${END}\n`, "The block has a merge conflict in line 2."],
    ["a code block", `${START}\n\`\`\`sh\nmake\n\`\`\`\n${END}\n`, "The block has a code block in line 2"],
    ["a long line", `${START}\n- ${"a ".repeat(600)}\n${END}\n`, "Line 2 has more than 1000 characters."],
    ["many lines", `${START}\n${"- a\n".repeat(501)}${END}\n`, "The block has 501 lines, more than 500."],
    ["a large file", `${"a".repeat(1_000_001)}\n`, "The file is larger than 1 MB."],
  ])("%s, and changes nothing", async (_, text, message) => {
    const shop = await repository({ "AGENTS.md": text });
    await shop.remember(RULE);
    const { code, stdout, stderr } = await shop.run("sync", "--yes");
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
    expect(stderr).toContain("Nothing was changed.");
    expect(await shop.read()).toBe(text);
    expect(await shop.texts()).toEqual([RULE]);
  });

  it("a read-only file, and changes no memory", async () => {
    const shop = await repository({ "AGENTS.md": `${START}\n- Use tabs.\n${END}\n` });
    await chmod(path.join(shop.root, "AGENTS.md"), 0o444);
    const { code, stderr } = await shop.run("sync", "--yes");
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining("AGENTS.md is read-only.") });
    expect(await shop.texts()).toEqual([]);
  });

  it("a folder outside of a repository", async () => {
    const { code, stderr } = await runMain(["sync", "--data", folder.fresh("data")]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("is not in a repository") });
  });

  it("nothing, if there is nothing to write", async () => {
    const shop = await repository();
    expect(await shop.sync()).toContain("No rules, commands or decisions of");
    await expect(shop.read()).rejects.toThrow("ENOENT");
  });
});

describe("a session start", () => {
  it("leaves out the memories that the agent reads in the file, until they change", async () => {
    const shop = await repository({ "CLAUDE.md": "# Shop\n" });
    const id = await shop.remember(RULE);
    await shop.sync();
    await shop.remember("The staging server is called heron.");
    const start = async (agent: string) => {
      const input = JSON.stringify({ cwd: shop.root, source: "startup" });
      const env = { CLAUDE_PROJECT_DIR: undefined };
      return (await runMain(["hook", "session-start", "--agent", agent, "--data", shop.data], { input, env })).stdout;
    };
    expect(await start("claude-code")).toContain("heron");
    expect(await start("claude-code")).not.toContain(RULE);
    expect(await start("codex")).toContain(RULE);
    await shop.remember("Use bun in this repository, not npm.", "--replaces", id);
    expect(await start("claude-code")).toContain("Use bun in this repository");
  });
});
