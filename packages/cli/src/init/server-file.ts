import { isRecord, sameJson } from "throughline/internal";
import { applyInsertions, fillText, insertAt, problemWithObject, readJsonc, removeAt, type TextEdit } from "./jsonc.ts";

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
  return `It already has a server named ${NAME} that Throughline did not write.`;
}
