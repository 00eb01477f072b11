import { isRecord, sameJson } from "throughline/internal";
import { applyInsertions, fillText, insertEntry, layoutOf, renderProperty, type TextEdit } from "./jsonc/edit-jsonc.ts";
import { type JsonNode, parseJsonc, plainValue, problemWithObject, propertyOf } from "./jsonc/parse-jsonc.ts";
import { removeAt } from "./jsonc/remove-at.ts";

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
  const found = findServer(text, list);
  if (found !== undefined && sameJson(plainValue(found), server)) return { text, insertions: [] };
  const rest = removeServer(text, list);
  const { node } = parseJsonc(rest);
  const layout = layoutOf(rest);
  const servers = propertyOf(node, list)?.value;
  const insertions =
    servers?.type === "object"
      ? insertEntry(rest, servers, renderProperty(NAME, server, layout), layout)
      : node?.type === "object"
        ? insertEntry(rest, node, renderProperty(list, { [NAME]: server }, layout), layout)
        : [];
  return { text: applyInsertions(rest, insertions), insertions };
}

/** What keeps a server from being added, or taken out: the file is broken, or says something else than an agent reads. */
export function problemWithServers(text: string, list: string): string | undefined {
  const servers = propertyOf(parseJsonc(text).node, list);
  if (servers === undefined) return problemWithObject(text);
  return servers.value.type === "object" ? undefined : `Its ${list} are no object.`;
}

/** The text without our server, and without what held nothing else. */
export function removeServer(text: string, list: string): string {
  if (findServer(text, list) === undefined || strangerIn(text, list) !== undefined) return text;
  return removeAt(text, [list, NAME], holdsOneServer);
}

function holdsOneServer(node: JsonNode): boolean {
  return node.type === "object" && node.children.length === 1;
}

function findServer(text: string, list: string): JsonNode | undefined {
  return propertyOf(propertyOf(parseJsonc(text).node, list)?.value, NAME)?.value;
}

/** A server of our name that starts something else, or is somewhere else. */
function strangerIn(text: string, list: string): string | undefined {
  const node = findServer(text, list);
  const server = node && plainValue(node);
  if (node === undefined || (isRecord(server) && [server.command, server.args].flat().includes("mcp")))
    return undefined;
  return `It has a server named ${NAME} that is not ours.`;
}
