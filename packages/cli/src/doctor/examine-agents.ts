import process from "node:process";
import { isRecord, tryParseJson } from "throughline/internal/util";
import { codexFolder, environment, pathsOf } from "../config/environment.ts";
import type { DataOptions } from "../data/open-data.ts";
import { HOOK_EVENTS, readLastRuns } from "../hook/agent-hooks.ts";
import { type ChangeOptions, nameOf, TOOLS, type Tool } from "../init/agent-tool.ts";
import { readConfig, readNote } from "../init/config-change.ts";
import { type Configuration, configurationsOf, type SetupPart } from "../init/configuration.ts";
import { ConfigError } from "../usage-error.ts";

/** Location of a part of an agent's setup: the current folder, or the user's configuration. */
type Place = "folder" | "user";

/** The setup of one agent, as far as there is one. */
export interface AgentSetup {
  readonly agent: Tool;
  readonly name: string;
  readonly parts: Readonly<Partial<Record<SetupPart, Place>>>;
  /** Hook events, and `mcp`, with the time of their last run, in ISO 8601. */
  readonly lastRuns: Readonly<Record<string, string>>;
  readonly usesProxy: boolean;
}

export interface AgentFindings {
  readonly agents: readonly AgentSetup[];
  /** The last start of the MCP server by any agent, in ISO 8601. */
  readonly mcpLastStarted: string | null;
  /** The last request to the proxy by any program, in ISO 8601. */
  readonly proxyLastUsed: string | null;
  readonly problems: readonly string[];
}

/** Variables that direct an agent to a proxy. */
const BASE_URLS: Readonly<Partial<Record<Tool, string>>> = {
  "claude-code": "ANTHROPIC_BASE_URL",
  "gemini-cli": "GOOGLE_GEMINI_BASE_URL",
};
const LOCAL = /^https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::|\/|$)/;

/** Examines the configuration of each agent in the current folder and of the user. Changes nothing. */
export async function examineAgents(options: DataOptions): Promise<AgentFindings> {
  const runs = await readLastRuns(options);
  const timeOf = (part: string) => {
    const at = runs.get(part);
    return at === undefined ? null : new Date(at).toISOString();
  };
  const examined = await Promise.all(TOOLS.map((agent) => findParts(agent, options)));
  const agents = examined.map(({ agent, parts }) => ({
    agent,
    name: nameOf(agent),
    parts,
    lastRuns: Object.fromEntries(
      [...HOOK_EVENTS, "mcp"].flatMap((part) => {
        const at = timeOf(`${agent}-${part}`);
        return at === null ? [] : [[part, at] as const];
      }),
    ),
    usesProxy: usesProxy(agent),
  }));
  return {
    agents,
    mcpLastStarted: timeOf("mcp"),
    proxyLastUsed: timeOf("proxy"),
    problems: examined.flatMap(({ problems }) => problems),
  };
}

function usesProxy(agent: Tool): boolean {
  const variable = BASE_URLS[agent];
  return variable !== undefined && LOCAL.test(process.env[variable] ?? "");
}

/** Entries of the folder override those of the user. */
const PLACES = [
  ["user", { global: true }],
  ["folder", {}],
] as const;

async function findParts(agent: Tool, options: DataOptions) {
  const parts: Partial<Record<SetupPart, Place>> = {};
  const problems: string[] = [];
  if (await hasOwnServer(agent)) parts.mcp = "user";
  for (const [place, where] of PLACES) {
    const change = { ...options, ...where };
    for (const configuration of configurationsOf(agent, change)) {
      const state = await stateOf(configuration, change);
      if (state === "missing") continue;
      for (const part of configuration.parts) parts[part] = place;
      const initCommand = `throughline init ${agent}${place === "user" ? " --global" : ""}`;
      if (state === "outdated")
        problems.push(
          `${configuration.file} has entries of another version or installation of Throughline. Update them: ${initCommand}`,
        );
    }
  }
  return { agent, parts, problems };
}

/** True if the user added the MCP server with the agent's own command, to a file that `init` does not change. */
async function hasOwnServer(agent: Tool, system = environment()): Promise<boolean> {
  const { join } = pathsOf(system);
  const read = (file: string) => readConfig(file).catch(() => undefined);
  if (agent === "codex") {
    const text = await read(join(codexFolder(system), "config.toml"));
    return /^[^\S\n]*\[mcp_servers\.(?:throughline|"throughline")\]/m.test(text ?? "");
  }
  if (agent !== "claude-code") return false;
  const text = await read(join(system.env.CLAUDE_CONFIG_DIR || system.home, ".claude.json"));
  const value = tryParseJson(text ?? "")?.value;
  const servers = isRecord(value) ? value.mcpServers : undefined;
  return isRecord(servers) && servers.throughline !== undefined;
}

/** `outdated` if the entries are not those that `init` would write now. */
async function stateOf(
  { file, add, remove }: Configuration,
  options: ChangeOptions,
): Promise<"missing" | "current" | "outdated"> {
  try {
    const before = await readConfig(file);
    if (before === undefined) return "missing";
    const note = await readNote(file, options);
    if (remove(before, note).after === before) return "missing";
    return add(before, note).after === before ? "current" : "outdated";
  } catch (error) {
    // A file that `init` would not touch.
    if (error instanceof ConfigError) return "missing";
    throw error;
  }
}
