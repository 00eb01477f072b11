import path from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { memoryCommands, runMain } from "./cli-in-process.ts";
import { runCli, temporaryFolder } from "./run-cli.ts";

const folder = temporaryFolder();
afterEach(() => vi.unstubAllEnvs());

function setEnvironment(variables: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
}

async function setFile(settings: object): Promise<string> {
  const file = await folder.file("config.json", JSON.stringify(settings));
  setEnvironment({ THROUGHLINE_CONFIG: file });
  return file;
}

const KEYS = {
  model_key: "hunter2",
  anthropic_key: "hunter3",
  database_url: "postgres://ada:hunter4@db/app",
  embedder_key: "hunter5",
};
/** Secrets in the wrong place. */
const URLS = {
  model_url: "https://models.example/v1?api-key=hunter6",
  embedder_url: "https://ada:hunter7@x.example/v1",
};

describe("throughline config", () => {
  it("shows each value and its source, as text and as JSON", async () => {
    const file = await setFile({ port: 5000, host: "::1", allowed_hosts: ["chat.example"] });
    setEnvironment({ THROUGHLINE_PORT: "6000", THROUGHLINE_DATA: "/variable" });
    const data = folder.fresh("data");
    const { code, stdout, stderr } = await runMain(["config", "--data", data]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(`  data                 ${data} (flag)\n`);
    expect(stdout).toContain("  port                 6000 (environment)\n");
    expect(stdout).toContain("  host                 ::1 (file)\n");
    expect(stdout).toContain("  allowed_hosts        chat.example (file)\n");
    expect(stdout).toContain("  require_token        false (default)\n");
    expect(stdout).toContain("  model_url            not set\n");
    expect(stdout).toContain(`\nFile: ${file}\nData: ${path.join(data, "throughline.db")}\n`);
    expect(JSON.parse((await runMain(["config", "--data", data, "--json"])).stdout)).toEqual({
      file,
      data: path.join(data, "throughline.db"),
      settings: {
        data: { value: data, source: "flag" },
        port: { value: 6000, source: "environment" },
        host: { value: "::1", source: "file" },
        allowed_hosts: { value: ["chat.example"], source: "file" },
        require_token: { value: false, source: "default" },
      },
    });
  });

  it("shows that a secret is set, and never shows it", async () => {
    await setFile({ ...KEYS, ...URLS });
    setEnvironment({ THROUGHLINE_ENCRYPTION_KEY: "hunter5", THROUGHLINE_MODEL_KEY: "hunter6" });
    for (const args of [["config"], ["config", "--json"]]) {
      const { code, stdout, stderr } = await runMain(args);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).not.toMatch(/hunter|ada/);
      expect(stdout.match(/\(set\)/g)).toHaveLength(5);
      expect(stdout).toContain("https://models.example/v1?(hidden)");
      expect(stdout).toContain("PostgreSQL at db/app");
    }
  });

  it("exits with 2 for an invalid file, as does every command that needs the settings", async () => {
    const file = await setFile({ prot: 1 });
    for (const args of [["config"], ["memories"], ["sessions"], ["doctor"], ["token", "list"], ["serve"]]) {
      expect(await runMain(args)).toEqual({
        code: 2,
        stdout: "",
        stderr: `throughline: Unknown setting "prot" in ${file}.\n\`throughline config --help\` lists every setting.\n`,
      });
    }
    // Lines that are not settings are preserved.
    expect((await runMain(["completion", "bash"])).code).toBe(0);
    const { stdout } = await runMain(["config", "--help"]);
    for (const name of ["database_url  ", "THROUGHLINE_PORT"]) expect(stdout).toContain(name);
  });

  it("does not stop an agent: a hook reports an invalid setting and exits with 0", async () => {
    const env = { THROUGHLINE_CONFIG: folder.fresh("missing") };
    const { code, stdout, stderr } = await runMain(["hook", "session-start"], { env, input: "{}" });
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(stderr).toMatch(/^throughline hook: Could not read .*\(ENOENT\)\. .*\n$/);
  });

  it("has no colors unless they are requested", async () => {
    const color = "\u001b[";
    const env = { NO_COLOR: undefined, FORCE_COLOR: "1", THROUGHLINE_DATA: folder.fresh("data") };
    expect((await runCli(["config"], { env })).stdout).toContain(color);
    expect((await runCli(["config"], { env: { ...env, FORCE_COLOR: undefined, NO_COLOR: "1" } })).stdout).not.toContain(
      color,
    );
  });
});

describe("the project in the settings", () => {
  it("applies to every command with --project, which overrides it", async () => {
    const { run, json } = memoryCommands(folder.fresh("data"));
    setEnvironment({ THROUGHLINE_PROJECT: "shop" });
    const { memory } = await json("remember", "The shop deploys on Fridays.", "--scope", "project-shared");
    expect(memory).toMatchObject({ projectId: "shop" });
    expect(await json("memories")).toHaveLength(1);
    expect((await json("recall", "When does the shop deploy?")).hits).not.toEqual([]);
    expect(await json("journal")).toHaveLength(1);
    expect((await run("memories", "--project", "other")).stderr).toContain("Unknown project: other");
    vi.unstubAllEnvs();
    expect(await json("memories")).toHaveLength(1);
    await setFile({ project: "other" });
    expect(await json("memories")).toEqual([]);
    await setFile({ project: "shop" });
    expect(await json("memories")).toHaveLength(1);
    expect((await run("forget", memory.id)).code).toBe(0);
  });

  it("applies to hooks and the MCP server instead of the folder", async () => {
    const data = folder.fresh("data");
    const env = { THROUGHLINE_DATA: data, THROUGHLINE_PROJECT: "shop" };
    const call = { name: "remember", arguments: { text: "The shop deploys on Fridays." } };
    const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "raw", version: "1" } };
    const input = [
      { jsonrpc: "2.0", id: 0, method: "initialize", params: hello },
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", id: 1, method: "tools/call", params: call },
    ];
    await runMain(["mcp"], { env, input: input.map((message) => `${JSON.stringify(message)}\n`).join("") });
    expect(await memoryCommands(data).json("memories", "--project", "shop")).toHaveLength(1);
    const { stdout } = await runMain(["hook", "session-start"], { env, input: '{"source":"startup"}' });
    expect(stdout).toContain("The shop deploys on Fridays.");
  });
});
