import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { runMain } from "./cli-in-process.ts";
import { writeFiles } from "./fake-home.fixture.ts";
import { temporaryFolder } from "./run-cli.ts";

const folder = temporaryFolder();

/** A user with a home folder, and the folder of a project. */
async function user() {
  const [home, project] = [folder.fresh("home"), folder.fresh("project")];
  for (const one of [home, project]) await mkdir(one);
  const env = { HOME: home, USERPROFILE: home, THROUGHLINE_DATA: path.join(home, "data") };
  const run = (args: readonly string[], more: { env?: object; input?: string } = {}) =>
    runMain(args, { cwd: project, ...more, env: { ...env, ...more.env } });
  const doctor = async (more = {}) => JSON.parse((await run(["doctor", "--json"], { env: more })).stdout);
  return { home, project, run, doctor };
}

describe("throughline doctor on agents", () => {
  it("reports which agent is set up where, and when its hooks last ran", async () => {
    const { project, run, doctor } = await user();
    expect((await run(["doctor"])).stdout).toContain("agents    none set up in this folder or for you");
    await run(["init", "claude-code", "--yes"]);
    await run(["init", "opencode", "--global", "--yes"]);
    const before = await doctor();
    expect(before.agents).toContainEqual({
      agent: "claude-code",
      name: "Claude Code",
      parts: { hooks: "folder", mcp: "folder", skill: "folder" },
      lastRuns: {},
      usesProxy: false,
    });
    expect(before.agents).toContainEqual(
      expect.objectContaining({ agent: "opencode", parts: { hooks: "user", mcp: "user", skill: "user" } }),
    );
    expect(before.agents).toContainEqual(expect.objectContaining({ agent: "codex", parts: {} }));
    const input = JSON.stringify({ session_id: "s", cwd: project, source: "startup" });
    await run(["hook", "session-start", "--agent", "claude-code"], { input });
    const after = await doctor({ ANTHROPIC_BASE_URL: "http://127.0.0.1:4870" });
    expect(after.problems).toEqual([]);
    expect(after.agents[0]).toMatchObject({
      lastRuns: { "session-start": expect.stringMatching(/^\d{4}-/) },
      usesProxy: true,
    });
    const proxied = await run(["doctor"], { env: { ANTHROPIC_BASE_URL: "http://127.0.0.1:4870" } });
    expect(proxied.stdout).toContain("proxy: no request yet");
    const { stdout } = await run(["doctor"]);
    expect(stdout).toMatch(/agents {4}Claude Code: hooks, MCP, \/remember; last ran session-start \d{4}/);
    expect(stdout).toContain("OpenCode: hooks (all projects), MCP (all projects)");
    expect(stdout).toContain("MCP server: not started yet");
  });

  it("reports entries that another version or place wrote, with the command that updates them", async () => {
    const { project, run } = await user();
    await run(["init", "codex", "--yes"]);
    const file = path.join(project, ".codex", "hooks.json");
    await writeFile(file, (await readFile(file, "utf8")).replaceAll("hook session-start", "hook session-start --old"));
    const { code, stdout } = await run(["doctor"]);
    expect(code).toBe(1);
    expect(stdout).toContain(
      `${file} has entries of another version or installation of Throughline. Update them: throughline init codex\n`,
    );
  });

  it("reports when an agent last started the MCP server, also if its own command added it", async () => {
    const { home, run, doctor } = await user();
    await writeFiles(home, {
      ".codex/config.toml": '[mcp_servers.throughline]\ncommand = "throughline"\nargs = ["mcp"]\n',
      ".claude.json": '{ "mcpServers": { "throughline": { "command": "throughline", "args": ["mcp"] } } }',
    });
    const before = (await run(["doctor"])).stdout;
    expect(before).toContain("Claude Code: MCP (all projects)\n");
    expect(before).toContain("Codex: MCP (all projects)\n");
    const params = {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "codex-mcp-client", version: "1" },
    };
    await run(["mcp"], { input: `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n` });
    expect((await run(["doctor"])).stdout).toMatch(/Codex: MCP \(all projects\); MCP last started \d{4}-/);
    const { agents, mcpLastStarted } = await doctor();
    expect(mcpLastStarted).toMatch(/^\d{4}-/);
    expect(agents.find(({ agent }: { agent: string }) => agent === "claude-code").lastRuns).toEqual({});
  });

  it("counts neither runs in an excluded folder nor those without data", async () => {
    const { project, run, doctor } = await user();
    const input = JSON.stringify({ session_id: "s", cwd: project, source: "startup" });
    await run(["hook", "session-start"], { input });
    expect((await doctor()).agents[0].lastRuns).toEqual({});
    await run(["remember", "We use pnpm here."]);
    await run(["hook", "session-start"], { input, env: { THROUGHLINE_EXCLUDE: project } });
    expect((await doctor()).agents[0].lastRuns).toEqual({});
  });
});
