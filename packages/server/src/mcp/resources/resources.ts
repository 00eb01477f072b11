import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  ResourceTemplate,
} from "@modelcontextprotocol/server";
import { InvalidOptionError } from "throughline";
import { sayError } from "../error-text.ts";
import type { McpThroughline } from "../mcp-throughline.ts";
import type { ToolContext } from "../tool.ts";
import { listResources } from "./list-resources.ts";
import { CONTEXT_URI, idIn, MEMORY_TEMPLATE } from "./memory-uri.ts";
import { renderMemory } from "./render-memory.ts";

const PLAIN = "text/plain";
/** What a client shows of completions at the most. */
const MAX_COMPLETIONS = 100;

const CONTEXT: Resource = {
  uri: CONTEXT_URI,
  name: "context",
  title: "What is worth knowing here",
  description: "Decisions, conventions, recent errors and an index of what else is remembered, within 8,000 tokens.",
  mimeType: PLAIN,
};

/** What can be read without a tool: every memory under its id, and the assembled context. */
export function addResources(server: McpServer, { throughline, onError }: ToolContext): void {
  const { uri, name, ...about } = CONTEXT;
  server.registerResource(name, uri, about, () =>
    inOurWords(onError, async () => textOf(uri, (await throughline.context.assemble()).context)),
  );
  const template = new ResourceTemplate(MEMORY_TEMPLATE, {
    list: undefined,
    complete: { id: (value) => inOurWords(onError, () => completeId(throughline, value)) },
  });
  const description = "One remembered thing, with where it was said and since when it is true.";
  server.registerResource("memory", template, { title: "Memory", description, mimeType: PLAIN }, ({ href }, { id }) =>
    inOurWords(onError, () => readMemory(throughline, href, idIn(id))),
  );
  // In place of the SDK's own list, which has no pages.
  server.server.setRequestHandler("resources/list", ({ params }) =>
    inOurWords(onError, () => listResources(throughline, [CONTEXT], params?.cursor)),
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

/** Ids that begin so, in their order. */
async function completeId({ memory }: McpThroughline, beginning: string): Promise<string[]> {
  const exact = beginning === "" ? undefined : await memory.get(beginning);
  const next = await memory.list({ all: true, after: beginning, limit: MAX_COMPLETIONS });
  const ids = [...(exact === undefined ? [] : [exact.id]), ...next.map(({ id }) => id)];
  return ids.filter((id) => id.startsWith(beginning)).slice(0, MAX_COMPLETIONS);
}

/** What goes wrong is an error of the protocol, in our words, and shows nothing of what is inside. */
async function inOurWords<T>(onError: (error: unknown) => void, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    const code =
      error instanceof InvalidOptionError ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
    throw new ProtocolError(code, sayError(error, onError));
  }
}
