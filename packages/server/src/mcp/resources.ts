import {
  type ListResourcesResult,
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  ResourceTemplate,
} from "@modelcontextprotocol/server";
import { InvalidOptionError, type Memory } from "throughline";
import { oneLine } from "throughline/internal/util";
import { errorText, type McpThroughline, type ToolDeps } from "./tool.ts";
import { quoteText, shortText, writeTime } from "./tool-text.ts";

const MEMORY_PREFIX = "throughline://memories/";

/** URI template of a memory. */
const MEMORY_TEMPLATE = `${MEMORY_PREFIX}{id}`;
const CONTEXT_URI = "throughline://context";
const PLAIN = "text/plain";
/** Maximum number of completions that a client shows. */
const MAX_COMPLETIONS = 100;

const CONTEXT: Resource = {
  uri: CONTEXT_URI,
  name: "context",
  title: "Project context",
  description: "Decisions, conventions, recent errors and an index of all other memories, within 8,000 tokens.",
  mimeType: PLAIN,
};

const EXPORT: Resource = {
  uri: "throughline://export",
  name: "export",
  title: "Export",
  description:
    "All memories of the project and personal ones as JSON, for `throughline import`. It may be large; other projects are left out.",
  mimeType: "application/json",
};

/** Registers the resources: every memory by its id, the assembled context, and an export. */
export function addResources(server: McpServer, { throughline, onError }: ToolDeps): void {
  const { uri, name, ...about } = CONTEXT;
  server.registerResource(name, uri, about, () =>
    withProtocolErrors(onError, async () => textOf(uri, (await throughline.context.assemble()).context)),
  );
  const { uri: exportUri, name: exportName, ...aboutExport } = EXPORT;
  server.registerResource(exportName, exportUri, aboutExport, () =>
    withProtocolErrors(onError, async () => {
      const text = JSON.stringify(await throughline.memory.export());
      return { contents: [{ uri: exportUri, mimeType: "application/json", text }] };
    }),
  );
  const template = new ResourceTemplate(MEMORY_TEMPLATE, {
    list: undefined,
    complete: { id: (value) => withProtocolErrors(onError, () => completeId(throughline, value)) },
  });
  const description = "One memory with its source and the time since when it is true.";
  server.registerResource("memory", template, { title: "Memory", description, mimeType: PLAIN }, ({ href }, { id }) =>
    withProtocolErrors(onError, () => readMemory(throughline, href, idIn(id))),
  );
  // Replaces the SDK's own list, which has no pages.
  server.server.setRequestHandler("resources/list", ({ params }) =>
    withProtocolErrors(onError, () => listResources(throughline, [CONTEXT, EXPORT], params?.cursor)),
  );
}

async function readMemory(
  { memory }: McpThroughline,
  uri: string,
  id: string | undefined,
): Promise<ReadResourceResult> {
  const found = id === undefined ? undefined : await memory.get(id);
  if (found === undefined) throw new ResourceNotFoundError(uri);
  return textOf(uri, renderMemory(found));
}

function textOf(uri: string, text: string): ReadResourceResult {
  return { contents: [{ uri, mimeType: PLAIN, text }] };
}

/** Ids with this prefix, in order. */
async function completeId({ memory }: McpThroughline, beginning: string): Promise<string[]> {
  const exact = beginning === "" ? undefined : await memory.get(beginning);
  const next = await memory.list({ all: true, after: beginning, limit: MAX_COMPLETIONS });
  const ids = [...(exact === undefined ? [] : [exact.id]), ...next.map(({ id }) => id)];
  return ids.filter((id) => id.startsWith(beginning)).slice(0, MAX_COMPLETIONS);
}

/** Converts errors to protocol errors without internal details. */
async function withProtocolErrors<T>(onError: (error: unknown) => void, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    const code =
      error instanceof InvalidOptionError ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
    throw new ProtocolError(code, errorText(error, onError));
  }
}

/** Memories per page. */
const PAGE = 200;
const MAX_NAME_LENGTH = 60;
const MAX_TITLE_LENGTH = 120;
/** A cursor is the last id of the previous page, opaque to clients. */
const CURSOR = "after:";

/** A page of resources: `first`, and then memories in creation order. */
async function listResources(
  { memory }: McpThroughline,
  first: readonly Resource[],
  cursor: string | undefined,
): Promise<ListResourcesResult> {
  const after = cursor === undefined ? "" : readCursor(cursor);
  const found = await memory.list({ after, limit: PAGE });
  const resources = [...(cursor === undefined ? first : []), ...found.map(toResource)];
  const last = found.at(-1);
  return found.length < PAGE || last === undefined ? { resources } : { resources, nextCursor: CURSOR + last.id };
}

function readCursor(cursor: string): string {
  if (!cursor.startsWith(CURSOR))
    throw new InvalidOptionError("cursor", "not a cursor of this server", "the `nextCursor` of the previous page");
  return cursor.slice(CURSOR.length);
}

function toResource({ id, kind, levels, pinned, lastSeenAt }: Memory): Resource {
  return {
    uri: memoryUri(id),
    name: oneLine(levels.index, MAX_NAME_LENGTH) || id,
    title: oneLine(levels.summary, MAX_TITLE_LENGTH) || id,
    description: kind,
    mimeType: "text/plain",
    annotations: { lastModified: writeTime(lastSeenAt), ...(pinned && { priority: 1 }) },
  };
}

/** Maximum tokens of a memory; `expand` returns more. */
const MAX_TOKENS = 4_000;
const MAX_ID_LENGTH = 200;

/** A memory with its metadata, as text. */
function renderMemory(memory: Memory): string {
  const { id, kind, category, pinned, levels, confidence, mentions, links } = memory;
  const head = [`Memory ${oneLine(id, MAX_ID_LENGTH)}`, category ?? kind, ...(pinned ? ["pinned"] : [])].join(", ");
  const facts = [
    timesOf(memory),
    `Confidence ${confidence.toFixed(2)}, mentioned ${mentions} ${mentions === 1 ? "time" : "times"}.`,
    ...(links.length === 0 ? [] : [`Linked to ${links.slice(0, 10).join(", ")}.`]),
  ];
  return [
    head,
    ...facts.map((fact) => oneLine(fact, 600)),
    quoteText("memory", shortText(levels.full, MAX_TOKENS)),
  ].join("\n");
}

function timesOf({ source: { speaker, sessionId }, validFrom, validTo, archivedAt, supersededBy }: Memory): string {
  const day = (time: number) => writeTime(time).slice(0, 10);
  return [
    `True since ${day(validFrom)}`,
    ...(validTo === undefined ? [] : [`until ${day(validTo)}`]),
    ...(supersededBy === undefined ? [] : [`replaced by ${supersededBy}`]),
    ...(archivedAt === undefined ? [] : [`archived ${day(archivedAt)}`]),
    ...(speaker === undefined ? [] : [`said by ${speaker}`]),
    ...(sessionId === undefined ? [] : [`in session ${sessionId}`]),
  ].join(", ");
}

export function memoryUri(id: string): string {
  return MEMORY_PREFIX + encodeURIComponent(id);
}

/** The id in a resource URI; `undefined` if it is malformed. */
export function idIn(variable: string | readonly string[] | undefined): string | undefined {
  if (typeof variable !== "string") return undefined;
  try {
    return decodeURIComponent(variable);
  } catch {
    return undefined;
  }
}
