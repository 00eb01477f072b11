import { existsSync } from "node:fs";
import { claudeFolder, codexFolder, configFolder, editorFolder, geminiFolder } from "../config/agent-folders.ts";
import { type Environment, environment, pathsOf } from "../config/environment.ts";
import type { Agent } from "../hook/agent-hooks.ts";
import type { McpAgent } from "./mcp-entry.ts";
import { SKILL_NAME } from "./remember-skill.ts";
import { UsageError } from "../usage-error.ts";
import type { ChangeOptions, Tool } from "./agent-tool.ts";

/** The configuration file for an agent's hooks. */
export function hookFile(agent: Agent, options: ChangeOptions, system = environment()): string {
  const place = placeOf(options, system);
  const { base } = place;
  const path = pathsOf(place);
  switch (agent) {
    case "claude-code":
      return path.join(options.global ? claudeFolder(place) : path.join(base, ".claude"), "settings.json");
    case "codex":
      return path.join(options.global ? codexFolder(place) : path.join(base, ".codex"), "hooks.json");
    case "gemini-cli":
      return serverFile(agent, options, system);
    case "opencode":
      return path.join(
        options.global ? opencodeFolder(place) : path.join(base, ".opencode"),
        "plugins",
        "throughline.js",
      );
  }
}

/** The configuration file for an agent's MCP servers. */
export function serverFile(agent: McpAgent, options: ChangeOptions, system = environment()): string {
  const place = placeOf(options, system);
  const { base } = place;
  const path = pathsOf(place);
  switch (agent) {
    case "claude-code":
      return path.join(base, ".mcp.json");
    case "cursor":
      return path.join(base, ".cursor", "mcp.json");
    case "gemini-cli":
      return path.join(options.global ? geminiFolder(place) : path.join(base, ".gemini"), "settings.json");
    case "vscode":
      return options.global
        ? path.join(editorFolder(place), "User", "mcp.json")
        : path.join(base, ".vscode", "mcp.json");
    case "opencode": {
      const plain = path.join(options.global ? opencodeFolder(place) : base, "opencode.json");
      // OpenCode reads both; a file with comments is the .jsonc one.
      return existsSync(`${plain}c`) ? `${plain}c` : plain;
    }
  }
}

/** Folders of the agents that contain `skills` in a project. */
const PROJECT_SKILLS: Readonly<Record<Tool, string>> = {
  "claude-code": ".claude",
  codex: ".agents",
  cursor: ".cursor",
  "gemini-cli": ".gemini",
  opencode: ".opencode",
  vscode: ".github",
};

/** The file of the skill `/remember`. */
export function skillFile(tool: Tool, options: ChangeOptions, system = environment()): string {
  const place = placeOf(options, system);
  const folder = options.global ? userSkills(tool, place) : pathsOf(place).join(place.base, PROJECT_SKILLS[tool]);
  return pathsOf(place).join(folder, "skills", SKILL_NAME, "SKILL.md");
}

/** The same for all projects of the user. */
function userSkills(tool: Tool, place: Place): string {
  if (tool === "claude-code") return claudeFolder(place);
  if (tool === "opencode") return opencodeFolder(place);
  if (tool === "gemini-cli") return geminiFolder(place);
  return pathsOf(place).join(place.home, tool === "vscode" ? ".copilot" : PROJECT_SKILLS[tool]);
}

interface Place extends Environment {
  /** The project folder, or the user's configuration folder. */
  readonly base: string;
}

function placeOf({ dir, global: isGlobal }: ChangeOptions, system: Environment): Place {
  if (dir !== undefined && isGlobal)
    throw new UsageError("--dir and --global cannot be combined.", "Remove one of them.");
  if (dir === "") throw new UsageError("--dir is empty.", "Give the path of a folder.");
  return { ...system, base: isGlobal ? system.home : pathsOf(system).resolve(dir ?? ".") };
}

function opencodeFolder(place: Place): string {
  return place.env.OPENCODE_CONFIG_DIR || pathsOf(place).join(configFolder(place), "opencode");
}
