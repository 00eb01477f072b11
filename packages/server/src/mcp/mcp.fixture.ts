import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { type OpenMemory, type OpenOptions, openMemory } from "../../../throughline/src/memory/open-memory.fixture.ts";
import { createMcpServer } from "./create-mcp-server.ts";
import type { ProjectAccess } from "./tool.ts";

/** The result of a tool. */
export interface Answer {
  readonly isError: boolean;
  readonly text: string;
  /** Ids of memories, utterances and contradictions in the text, in order. */
  readonly ids: readonly string[];
}

export interface OpenMcp extends OpenMemory {
  readonly client: Client;
  /** Internal errors. */
  readonly errors: readonly unknown[];
  call(name: string, input?: unknown): Promise<Answer>;
}

/** An agent's client and the server, connected, over memories that tests can inspect. */
export async function openMcp(
  options: OpenOptions & { readonly canWrite?: boolean; readonly access?: ProjectAccess } = {},
): Promise<OpenMcp> {
  const { canWrite = true, access, ...rest } = options;
  const open = await openMemory(rest);
  const errors: unknown[] = [];
  const { throughline } = open;
  const server = createMcpServer({ ...access, throughline, canWrite, onError: (error) => errors.push(error) });
  const client = new Client({ name: "test", version: "1" });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await server.connect(theirs);
  await client.connect(ours);
  return { ...open, client, errors, call: (name, input) => callTool(client, name, input) };
}

export async function callTool(client: Client, name: string, input: unknown = {}): Promise<Answer> {
  const result = await client.callTool({ name, arguments: input as Record<string, unknown> });
  const [first] = result.content;
  const text = first?.type === "text" ? first.text : "";
  // Clients that get a structured result show their model nothing else.
  if (result.structuredContent !== undefined) throw new TypeError(`${name} returned a structured result`);
  return { isError: result.isError === true, text, ids: text.match(/\b(?:mem|turn|con)_\w+/g) ?? [] };
}
