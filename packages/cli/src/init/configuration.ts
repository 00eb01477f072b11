import { isRecord } from "throughline/internal/util";
import { type Agent, claudeCodeHooks, codexHooks, geminiHooks } from "../hook/agent-hooks.ts";
import { ConfigError } from "../usage-error.ts";
import { type ChangeOptions, hookFile, nameOf, serverCommand, serverFile, skillFile, type Tool } from "./agent-tool.ts";
import { digestOf, type InstallNote } from "./config-change.ts";
import {
  addHooks,
  addServer,
  type Hook,
  type McpAgent,
  mcpEntry,
  problemWithHooks,
  problemWithServers,
  removeHooks,
  removeServer,
} from "./hook-file.ts";
import { findBeyondJson, type Insertion, readJsonc, type TextEdit, undoInsertions } from "./jsonc.ts";
import { isOurPlugin, opencodePlugin } from "./opencode-plugin.ts";
import { programCommand, shellLine } from "./program-path.ts";
import { isOurSkill, rememberSkill } from "./remember-skill.ts";

/** The file after a change; `undefined` if it would be empty. */
interface Planned {
  readonly after: string | undefined;
  /** The inserted text. */
  readonly insertions?: readonly Insertion[];
  /** Reason that the file is not changed. */
  readonly kept?: string;
}

/** The parts that `init` sets up: hooks or a plugin, the MCP server, and the skill `/remember`. */
export type SetupPart = "hooks" | "mcp" | "skill";

/** A configuration file of an agent, and Throughline's entries in it. */
export interface Configuration {
  readonly file: string;
  readonly parts: readonly SetupPart[];
  /** Instructions for the user after the change. */
  readonly advice: readonly string[];
  /** @throws ConfigError if the file must not be changed */
  add(before: string | undefined, note: InstallNote | undefined): Planned;
  /** @throws ConfigError if the file must not be changed */
  remove(before: string, note: InstallNote | undefined): Planned;
}

/** The files that `init` and `uninstall` manage for an agent: hooks or a plugin, the MCP server, and `/remember`. */
export function configurationsOf(tool: Tool, options: ChangeOptions): readonly Configuration[] {
  const skill = skillConfiguration(tool, options);
  if (tool === "codex") return [hookConfiguration(tool, options), skill];
  const server = serverCommand(tool, options) === undefined ? [serverConfiguration(tool, options)] : [];
  if (options.mcp) return server;
  if (tool === "claude-code") return [hookConfiguration(tool, options), ...server, skill];
  if (tool === "opencode") return [pluginConfiguration(options), ...server, skill];
  if (tool === "gemini-cli") return [geminiConfiguration(options), skill];
  return [...server, skill];
}

function hookConfiguration(agent: "claude-code" | "codex", options: ChangeOptions): Configuration {
  const program = shellLine(programCommand(options));
  const hooks = agent === "codex" ? codexHooks(program) : claudeCodeHooks(program);
  const trust = agent === "codex" ? ["Codex runs new hooks only after you trust them: open /hooks in Codex."] : [];
  const command = serverCommand(agent, options);
  const server = command === undefined ? [] : [`Give ${nameOf(agent)} the memory tools too: ${command.init(program)}`];
  return inJson(hookFile(agent, options), [...trust, ...server], {
    parts: ["hooks"],
    ...hookEditor(hooks),
    add: (text) => refuseComments(text, agent) ?? addHooks(text, hooks),
  });
}

function hookEditor(hooks: readonly Hook[]): EntryEditor {
  return { add: (text) => addHooks(text, hooks), remove: removeHooks, problemWith: problemWithHooks };
}

const SERVER_ADVICE: Readonly<Record<McpAgent, readonly string[]>> = {
  "claude-code": ["Claude Code asks once whether it may start the server of this project."],
  "gemini-cli": ["Gemini CLI uses the settings of folders that you trust: see /permissions."],
  cursor: ["Cursor may require you to enable the server: see MCP in its settings."],
  opencode: [],
  vscode: ["VS Code asks whether you trust the server when it starts; `MCP: List Servers` shows it."],
};

/** Gemini CLI has hooks and servers in one file. */
function geminiConfiguration(options: ChangeOptions): Configuration {
  const hooks = hookEditor(geminiHooks(shellLine(programCommand(options))));
  const server = serverEditor("gemini-cli", options);
  return inJson(serverFile("gemini-cli", options), SERVER_ADVICE["gemini-cli"], {
    parts: ["hooks", "mcp"],
    add(text) {
      const first = hooks.add(text);
      const both = first.text === undefined ? first : server.add(first.text);
      if (first.text === undefined || both.text === undefined) return both;
      return { text: both.text, insertions: [...first.insertions, ...both.insertions] };
    },
    remove: (text) => hooks.remove(server.remove(text)),
    problemWith: (text) => hooks.problemWith(text) ?? server.problemWith(text),
  });
}

/** These agents read only plain JSON: a comment makes them ignore the whole file with its hooks. */
function refuseComments(text: string, agent: Agent): TextEdit | undefined {
  const found = problemWithHooks(text) === undefined ? findBeyondJson(text) : undefined;
  if (found === undefined) return undefined;
  const { what, line } = found;
  return {
    problem: `Line ${line} has ${what}, but ${nameOf(agent)} reads plain JSON only and ignores the whole file.`,
  };
}

function serverConfiguration(agent: McpAgent, options: ChangeOptions): Configuration {
  return inJson(serverFile(agent, options), SERVER_ADVICE[agent], {
    parts: ["mcp"],
    ...serverEditor(agent, options),
    isAgentsOwn: agent === "opencode" ? isOpencodeSchema : undefined,
    isPart: agent === "gemini-cli",
  });
}

function serverEditor(agent: McpAgent, options: ChangeOptions): EntryEditor {
  const { list, server } = mcpEntry(agent, programCommand(options, false), options.global ?? false);
  return {
    add: (text) => addServer(text, list, server),
    remove: (text) => removeServer(text, list),
    problemWith: (text) => problemWithServers(text, list),
  };
}

/** OpenCode adds this to a configuration file without it. */
function isOpencodeSchema(key: string, value: unknown): boolean {
  return key === "$schema" && typeof value === "string" && /^https:\/\/opencode\.ai\//.test(value);
}

/** Adds and removes entries of a JSON file. */
interface EntryEditor {
  readonly add: (text: string) => TextEdit;
  readonly remove: (text: string) => string;
  readonly problemWith: (text: string) => string | undefined;
}

interface JsonEditor extends EntryEditor {
  readonly parts: readonly SetupPart[];
  /** True if the agent itself added an entry: a file with nothing else has no user content. */
  readonly isAgentsOwn?: ((key: string, value: unknown) => boolean) | undefined;
  /** True if the file may have other entries of Throughline, which stay. */
  readonly isPart?: boolean;
}

function inJson(file: string, advice: readonly string[], editor: JsonEditor): Configuration {
  const { parts, add, remove, problemWith, isAgentsOwn = () => false, isPart = false } = editor;
  const without = (text: string, note: InstallNote | undefined) =>
    removeEntries(text, isPart ? undefined : note, remove);
  const refuse = (problem: string) =>
    new ConfigError(file, problem, "Fix the file and run the command again. Nothing was changed.");
  return {
    file,
    parts,
    advice,
    add(before = "", note) {
      const added = add(before);
      if (added.text === undefined) throw refuse(added.problem);
      // Removes the previous entries byte for byte first, so that a later uninstall can do the same.
      const isNeeded = added.text !== before && note !== undefined;
      const again = isNeeded ? add(without(before, note)) : added;
      const { text, insertions } = again.text === undefined ? added : again;
      return { after: text, insertions };
    },
    remove(before, note) {
      const problem = before.trim() === "" ? undefined : problemWith(before);
      if (problem !== undefined) throw refuse(problem);
      const after = without(before, note);
      const isLeft = !note?.created || after === before || !holdsNothing(after, isAgentsOwn);
      return { after: isLeft ? after : undefined };
    },
  };
}

/** True if a file has no user content, including comments. */
function holdsNothing(text: string, isAgentsOwn: (key: string, value: unknown) => boolean): boolean {
  if (text.trim() === "") return true;
  const settings = readJsonc(text);
  if (!isRecord(settings) || findBeyondJson(text) !== undefined) return false;
  return Object.entries(settings).every(([key, value]) => isAgentsOwn(key, value));
}

/** A file that belongs to Throughline alone. */
function pluginConfiguration(options: ChangeOptions): Configuration {
  const file = hookFile("opencode", options);
  // The plugin starts the program without a shell, so that paths may contain spaces.
  const plugin = opencodePlugin(programCommand(options, false));
  return {
    file,
    parts: ["hooks"],
    advice: [],
    add(before) {
      if (before !== undefined && !isOurPlugin(before)) {
        throw new ConfigError(
          file,
          "A plugin with this name exists and was not written by Throughline.",
          "Rename or move it, and run the command again.",
        );
      }
      return { after: plugin };
    },
    remove(before, note) {
      if (!isOurPlugin(before)) return { after: before };
      if (before === plugin || note?.left === digestOf(before)) return { after: undefined };
      throw new ConfigError(
        file,
        "The plugin was edited after Throughline wrote it.",
        "Check your changes, then delete the file yourself.",
      );
    },
  };
}

/** A file that belongs to Throughline, or to the user if it has other content: then it stays. */
function skillConfiguration(tool: Tool, options: ChangeOptions): Configuration {
  const file = skillFile(tool, options);
  const isOurs = (text: string, note: InstallNote | undefined) => isOurSkill(text) || note?.left === digestOf(text);
  return {
    file,
    parts: ["skill"],
    advice: [],
    add(before, note) {
      if (before === undefined || isOurs(before, note))
        return { after: rememberSkill(shellLine(programCommand(options))) };
      return { after: before, kept: `Kept your own ${file}; /remember runs it.` };
    },
    remove(before, note) {
      if (isOurs(before, note)) return { after: undefined };
      // Without a note, the file was never Throughline's.
      return {
        after: before,
        ...(note && { kept: `Kept ${file}, because it was edited. Delete it if you no longer need it.` }),
      };
    },
  };
}

/** Removes Throughline's entries: byte for byte if the file is unchanged since, otherwise by their content. */
function removeEntries(text: string, note: InstallNote | undefined, remove: (text: string) => string): string {
  const isAsWeLeftIt = note !== undefined && note.left === digestOf(text);
  const before = isAsWeLeftIt ? undoInsertions(text, note.insertions) : undefined;
  return remove(before ?? text);
}
