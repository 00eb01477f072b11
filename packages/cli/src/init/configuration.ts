import { isRecord } from "throughline/internal";
import { type Agent, claudeCodeHooks, codexHooks } from "../integrations/agent-hooks.ts";
import { addHooks, problemWithHooks, removeHooks } from "../integrations/hook-file.ts";
import { findBeyondJson, type Insertion, readJsonc, type TextEdit } from "../integrations/jsonc.ts";
import { type McpAgent, mcpEntry } from "../integrations/mcp-entry.ts";
import { isOurPlugin, opencodePlugin } from "../integrations/opencode-plugin.ts";
import { addServer, problemWithServers, removeServer } from "../integrations/server-file.ts";
import { hookFile, serverFile } from "./agent-files.ts";
import { type ChangeOptions, nameOf, type Tool } from "./agent-tool.ts";
import { ConfigError } from "./config-error.ts";
import { digestOf, type InstallNote } from "./install-notes.ts";
import { inShell, ourProgram } from "./program-path.ts";
import { withoutOurs } from "./remove-entries.ts";

/** A file with what is ours in it, and what was put in for that. */
interface Planned {
  readonly after: string;
  readonly insertions: readonly Insertion[];
}

/** A file of an agent's configuration, and what we write there. */
export interface Configuration {
  readonly file: string;
  /** What the user has to do or to know, once it is written. */
  readonly advice: readonly string[];
  /** @throws ConfigError where it is not ours to change */
  add(before: string | undefined, note: InstallNote | undefined): Planned;
  /**
   * What is left of the file without ours; `undefined` where that is nothing.
   *
   * @throws ConfigError where it is not ours to change
   */
  remove(before: string, note: InstallNote | undefined): string | undefined;
}

/** What `init` and `uninstall` write for an agent. */
export function configurationOf(tool: Tool, options: ChangeOptions): Configuration {
  if (tool === "cursor" || tool === "vscode") return serverConfiguration(tool, options);
  if (options.mcp && tool !== "codex") return serverConfiguration(tool, options);
  return tool === "opencode" ? pluginConfiguration(options) : hookConfiguration(tool, options);
}

function hookConfiguration(agent: Exclude<Agent, "opencode">, options: ChangeOptions): Configuration {
  const program = inShell(ourProgram(options));
  const hooks = agent === "codex" ? codexHooks(program) : claudeCodeHooks(program);
  const advice = agent === "codex" ? ["Codex runs new hooks once you trust them: open /hooks in it."] : [];
  return inJson(hookFile(agent, options), advice, {
    add: (text) => refuseComments(text, agent) ?? addHooks(text, hooks),
    remove: removeHooks,
    problemWith: problemWithHooks,
  });
}

/** Both read plain JSON alone: a file with a comment is ignored as a whole, with the hooks in it. */
function refuseComments(text: string, agent: Agent): TextEdit | undefined {
  const found = problemWithHooks(text) === undefined ? findBeyondJson(text) : undefined;
  if (found === undefined) return undefined;
  const { what, line } = found;
  return {
    problem: `Line ${line} has ${what}, but ${nameOf(agent)} reads plain JSON alone and ignores the whole file.`,
  };
}

const SERVER_ADVICE: Readonly<Record<McpAgent, readonly string[]>> = {
  "claude-code": ["Claude Code asks once whether this project's server may run."],
  cursor: ["Cursor may want it to be switched on first: see MCP in its settings."],
  opencode: [],
  vscode: ["VS Code asks whether you trust it when it starts: MCP: List Servers shows it."],
};

function serverConfiguration(agent: McpAgent, options: ChangeOptions): Configuration {
  const { list, server } = mcpEntry(agent, ourProgram(options, false), options.user ?? false);
  return inJson(serverFile(agent, options), SERVER_ADVICE[agent], {
    add: (text) => addServer(text, list, server),
    remove: (text) => removeServer(text, list),
    problemWith: (text) => problemWithServers(text, list),
    isAgentsOwn: agent === "opencode" ? isOpencodeSchema : undefined,
  });
}

/** OpenCode adds this to a configuration file that has none. */
function isOpencodeSchema(key: string, value: unknown): boolean {
  return key === "$schema" && typeof value === "string" && /^https:\/\/opencode\.ai\//.test(value);
}

/** How something is put into a file of JSON, and taken out of it. */
interface JsonEditor {
  readonly add: (text: string) => TextEdit;
  readonly remove: (text: string) => string;
  readonly problemWith: (text: string) => string | undefined;
  /** Whether the agent itself put an entry into the file: a file that holds nothing else holds nothing of the user's. */
  readonly isAgentsOwn?: ((key: string, value: unknown) => boolean) | undefined;
}

function inJson(file: string, advice: readonly string[], editor: JsonEditor): Configuration {
  const { add, remove, problemWith, isAgentsOwn = () => false } = editor;
  const refuse = (problem: string) =>
    new ConfigError(file, problem, "Fix the file and run the command again. Nothing was changed.");
  return {
    file,
    advice,
    add(before = "", note) {
      const added = add(before);
      if (added.text === undefined) throw refuse(added.problem);
      // What we wrote before goes out byte for byte, so that it still can when all of it is taken out.
      const isNeeded = added.text !== before && note !== undefined;
      const again = isNeeded ? add(withoutOurs(before, note, remove)) : added;
      const { text, insertions } = again.text === undefined ? added : again;
      return { after: text, insertions };
    },
    remove(before, note) {
      const problem = before.trim() === "" ? undefined : problemWith(before);
      if (problem !== undefined) throw refuse(problem);
      const after = withoutOurs(before, note, remove);
      return note?.created && after !== before && holdsNothing(after, isAgentsOwn) ? undefined : after;
    },
  };
}

/** Whether nothing of the user's is in a file, comments included. */
function holdsNothing(text: string, isAgentsOwn: (key: string, value: unknown) => boolean): boolean {
  if (text.trim() === "") return true;
  const settings = readJsonc(text);
  if (!isRecord(settings) || findBeyondJson(text) !== undefined) return false;
  return Object.entries(settings).every(([key, value]) => isAgentsOwn(key, value));
}

/** A file that is ours alone. */
function pluginConfiguration(options: ChangeOptions): Configuration {
  const file = hookFile("opencode", options);
  const plugin = opencodePlugin(ourProgram(options));
  return {
    file,
    advice: [],
    add(before) {
      if (before !== undefined && !isOurPlugin(before)) {
        throw new ConfigError(file, "There is a plugin of this name that is not ours.", "Move it away first.");
      }
      return { after: plugin, insertions: [] };
    },
    remove(before, note) {
      if (!isOurPlugin(before)) return before;
      if (before === plugin || note?.left === digestOf(before)) return undefined;
      throw new ConfigError(file, "It was changed since we wrote it.", "Look at it, and delete it yourself.");
    },
  };
}
