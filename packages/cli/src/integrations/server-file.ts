import { isRecord, sameJson } from "throughline/internal";
import { applyInsertions, fillText, insertAt, problemWithObject, readJsonc, removeAt, type TextEdit } from "./jsonc.ts";

/** What our MCP server is called in the configuration of an agent. */
const NAME = "throughline";

/**
 * Adds our MCP server to a file of an agent's. Everything that is there stays where and as it is; ours, where it is there
 * already and says something else, is replaced.
 *
 * @param text the file; "" where there is none
 * @param list the name under which the file lists servers: `mcpServers`
 * @param server how it is started, as the agent wants it written
 */
export function addServer(text: string, list: string, server: object): TextEdit {
  if (text.trim() === "") return fillText(text, { [list]: { [NAME]: server } });
  const problem = problemWithServers(text, list) ?? strangerIn(text, list);
  if (problem !== undefined) return { problem };
  if (sameJson(findServer(text, list), server)) return { text, insertions: [] };
  const rest = removeServer(text, list);
  const insertions = insertAt(rest, [list, NAME], server);
  return { text: applyInsertions(rest, insertions), insertions };
}

/** Says why a server cannot be added or removed: the file is invalid, or has another form than the agents read. */
export function problemWithServers(text: string, list: string): string | undefined {
  const servers = serversIn(text, list);
  const isOdd = servers !== undefined && !isRecord(servers);
  return problemWithObject(text, list) ?? (isOdd ? `The value of ${list} is no object.` : undefined);
}

function serversIn(text: string, list: string): unknown {
  const settings = readJsonc(text);
  return isRecord(settings) ? settings[list] : undefined;
}

/** The text without our server, and without what held nothing else. */
export function removeServer(text: string, list: string): string {
  if (findServer(text, list) === undefined || strangerIn(text, list) !== undefined) return text;
  return removeAt(text, [list, NAME], (container) => isRecord(container) && Object.keys(container).length === 1);
}

function findServer(text: string, list: string): unknown {
  const servers = serversIn(text, list);
  return isRecord(servers) ? servers[NAME] : undefined;
}

/** A server of our name that starts something else, or is somewhere else. */
function strangerIn(text: string, list: string): string | undefined {
  const server = findServer(text, list);
  if (server === undefined || (isRecord(server) && [server.command, server.args].flat().includes("mcp"))) {
    return undefined;
  }
  return `It has a server named ${NAME} that is not ours.`;
}
