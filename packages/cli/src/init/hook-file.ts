import { arrayField, isRecord, sameJson } from "throughline/internal/util";
import {
  applyInsertions,
  fillText,
  type Insertion,
  insertAt,
  type JsonPath,
  problemWithObject,
  readJsonc,
  removeAt,
  type TextEdit,
} from "./jsonc.ts";

/** A command that an agent runs on an event, in the format that Claude Code, Codex and Gemini CLI share. */
export interface Hook {
  /** Event name, such as `SessionStart`. */
  readonly event: string;
  readonly command: string;
  /** Time after which the agent stops waiting, in its unit: seconds, for Gemini CLI milliseconds. */
  readonly timeout: number;
}

/** Recognizes Throughline's hooks, regardless of the program path. Earlier versions wrote `--from`. */
const OURS =
  / hook (?:pre-compact|session-start|session-end) --(?:agent|from) (?:claude-code|codex|gemini-cli|opencode)\b/;

/**
 * Adds hooks to a settings file. Existing content stays unchanged; Throughline hooks with different content are
 * replaced.
 *
 * @param text the file; "" if there is none
 */
export function addHooks(text: string, hooks: readonly Hook[]): TextEdit {
  if (text.trim() === "") return fillText(text, { hooks: Object.fromEntries(hooks.map(eventOf)) });
  const problem = problemWithHooks(text);
  if (problem !== undefined) return { problem };
  if (hasHooks(text, hooks)) return { text, insertions: [] };
  let now = removeHooks(text);
  const insertions: Insertion[] = [];
  for (const hook of hooks) {
    const added = insertAt(now, ["hooks", hook.event, -1], groupOf(hook));
    now = applyInsertions(now, added);
    insertions.push(...added);
  }
  return { text: now, insertions };
}

/** Why hooks cannot be added or removed: the file is invalid, or has an unexpected structure. */
export function problemWithHooks(text: string): string | undefined {
  const problem = problemWithObject(text, "hooks");
  const hooks = hooksIn(text);
  if (problem !== undefined || hooks === undefined) return problem;
  if (!isRecord(hooks)) return "The value of hooks is not an object.";
  const odd = Object.entries(hooks).find(([, groups]) => !Array.isArray(groups));
  return odd && `The value of hooks.${odd[0]} is not a list.`;
}

function hooksIn(text: string): unknown {
  const settings = readJsonc(text);
  return isRecord(settings) ? settings.hooks : undefined;
}

/** True if the file has exactly these Throughline hooks. */
export function hasHooks(text: string, hooks: readonly Hook[]): boolean {
  const found = findOurs(text).map(({ event, hook }) => [event, hook]);
  return sameJson(found.toSorted(byEvent), hooks.map((hook) => [hook.event, settingOf(hook)]).toSorted(byEvent));
}

function byEvent([a]: readonly unknown[], [b]: readonly unknown[]): number {
  return String(a) < String(b) ? -1 : 1;
}

/** Removes all Throughline hooks, and containers that become empty. */
export function removeHooks(text: string): string {
  let now = text;
  for (let [ours] = findOurs(now); ours !== undefined; [ours] = findOurs(now)) {
    now = removeAt(now, ours.path, holdsOneHook);
  }
  return now;
}

interface OwnHook {
  readonly event: string;
  readonly hook: unknown;
  readonly path: JsonPath;
}

function findOurs(text: string): readonly OwnHook[] {
  const hooks = hooksIn(text);
  return Object.entries(isRecord(hooks) ? hooks : {}).flatMap(([event, groups]) =>
    (Array.isArray(groups) ? groups : []).flatMap((group: unknown, g) =>
      ((isRecord(group) && arrayField(group, "hooks")) || []).flatMap((hook, h) => {
        const isOurs = isRecord(hook) && typeof hook.command === "string" && OURS.test(hook.command);
        return isOurs ? [{ event, hook, path: ["hooks", event, g, "hooks", h] }] : [];
      }),
    ),
  );
}

/** True if a container has only one hook; a group of hooks may also have a matcher. */
function holdsOneHook(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 1;
  const keys = isRecord(value) ? Object.keys(value) : [];
  return keys.length === 1 || (keys.length > 0 && keys.every((key) => key === "hooks" || key === "matcher"));
}

function settingOf({ command, timeout }: Hook): object {
  return { type: "command", command, timeout };
}

function groupOf(hook: Hook): object {
  return { hooks: [settingOf(hook)] };
}

function eventOf(hook: Hook): [string, readonly object[]] {
  return [hook.event, [groupOf(hook)]];
}

/** Name of the MCP server in an agent's configuration. */
const NAME = "throughline";

/**
 * Adds the MCP server to an agent's file. Existing content stays unchanged; a Throughline entry with different content
 * is replaced.
 *
 * @param text the file; "" if there is none
 * @param list the field that lists the servers: `mcpServers`
 * @param server the entry in the agent's format
 */
export function addServer(text: string, list: string, server: object): TextEdit {
  if (text.trim() === "") return fillText(text, { [list]: { [NAME]: server } });
  const problem = problemWithServers(text, list) ?? foreignServerIn(text, list);
  if (problem !== undefined) return { problem };
  if (sameJson(findServer(text, list), server)) return { text, insertions: [] };
  const rest = removeServer(text, list);
  const insertions = insertAt(rest, [list, NAME], server);
  return { text: applyInsertions(rest, insertions), insertions };
}

/** Why a server cannot be added or removed: the file is invalid, or has an unexpected structure. */
export function problemWithServers(text: string, list: string): string | undefined {
  const servers = serversIn(text, list);
  const isOdd = servers !== undefined && !isRecord(servers);
  return problemWithObject(text, list) ?? (isOdd ? `The value of ${list} is not an object.` : undefined);
}

function serversIn(text: string, list: string): unknown {
  const settings = readJsonc(text);
  return isRecord(settings) ? settings[list] : undefined;
}

/** Removes the MCP server, and containers that become empty. */
export function removeServer(text: string, list: string): string {
  if (findServer(text, list) === undefined || foreignServerIn(text, list) !== undefined) return text;
  return removeAt(text, [list, NAME], (container) => isRecord(container) && Object.keys(container).length === 1);
}

function findServer(text: string, list: string): unknown {
  const servers = serversIn(text, list);
  return isRecord(servers) ? servers[NAME] : undefined;
}

/** An entry with this name that starts another program, or a remote server. */
function foreignServerIn(text: string, list: string): string | undefined {
  const server = findServer(text, list);
  if (server === undefined || (isRecord(server) && [server.command, server.args].flat().includes("mcp"))) {
    return undefined;
  }
  return `The file already has a server named ${NAME} that Throughline did not write.`;
}

/** Agents that list MCP servers in a JSON file. */
export type McpAgent = "claude-code" | "cursor" | "gemini-cli" | "opencode" | "vscode";

/** The place and content of Throughline's entry in such a file. */
interface McpEntry {
  readonly list: string;
  readonly server: object;
}

const LISTS: Readonly<Record<McpAgent, string>> = {
  "claude-code": "mcpServers",
  cursor: "mcpServers",
  "gemini-cli": "mcpServers",
  opencode: "mcp",
  vscode: "servers",
};

/**
 * The MCP server entry for an agent.
 *
 * @param program the command line as a list: a program and its first arguments
 * @param isOfUser true for all projects: the agent starts the server in the folder of the project
 */
export function mcpEntry(agent: McpAgent, program: readonly string[], isOfUser: boolean): McpEntry {
  const list = LISTS[agent];
  const words = [...program, "mcp", ...projectWords(agent, isOfUser)];
  if (agent === "opencode") return { list, server: { type: "local", command: words, enabled: true } };
  const [command, ...args] = words;
  return { list, server: { ...(agent !== "gemini-cli" && { type: "stdio" }), command, args } };
}

/**
 * Cursor does not document the folder in which it starts servers. VS Code does, and fails if a variable has no value.
 */
function projectWords(agent: McpAgent, isOfUser: boolean): readonly string[] {
  const isNamed = agent === "cursor" || (agent === "vscode" && !isOfUser);
  return isNamed ? ["--project", `\${workspaceFolder}`] : [];
}
