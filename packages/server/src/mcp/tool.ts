import type { CallToolResult, McpServer, ServerContext, StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import type { Throughline } from "throughline";
import type { UndoneImport } from "throughline/internal/engine";
import type { UserProjects } from "throughline/memory";
import type { z } from "zod";
import { errorText } from "./error-text.ts";
import { readInput } from "./read-input.ts";

/** Dependencies of all tools. */
export interface ToolDeps extends ProjectAccess {
  readonly throughline: McpThroughline;
  /** Called with internal errors. The caller of the tool gets no details. */
  readonly onError: (error: unknown) => void;
}

/** Access beyond the project of the connection. */
export interface ProjectAccess {
  /** Lists the projects that the caller may access. Default: none are listed. */
  readonly listProjects?: (() => Promise<UserProjects>) | undefined;
  /** Opens another project of the user. Default: only the project of the connection is offered. */
  readonly openProject?: ((projectId: string) => Promise<McpThroughline>) | undefined;
  /** Undoes an import, or reports what that would do. Default: not offered. */
  readonly undoImport?: ((id: string, dryRun: boolean) => Promise<UndoneImport>) | undefined;
}

/** One call of a tool. */
interface ToolCall<I> extends ProjectAccess {
  readonly input: I;
  readonly throughline: McpThroughline;
  readonly signal: AbortSignal;
  /** Reports a finished step, if the caller wants progress. */
  readonly progress: (step: string) => void;
}

interface ToolDefinition<I extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: I;
  /** `reads` changes nothing, `adds` removes nothing, `changes` may do both. */
  readonly effect: "reads" | "adds" | "changes";
  /** True if a repeated call has no further effect. */
  readonly isIdempotent: boolean;
  /**
   * Returns the answer as text. There is no structured result: clients that show it to their model show nothing else,
   * so stored text would reach the model outside of its quoted block.
   */
  readonly run: (call: ToolCall<z.output<I>>) => Promise<string>;
}

export interface McpTool {
  readonly name: string;
  readonly isReadOnly: boolean;
  addTo(server: McpServer, context: ToolDeps): void;
}

/** Defines a tool. Invalid input and failures become results that a model can act on. */
export function defineTool<I extends z.ZodObject>(tool: ToolDefinition<I>): McpTool {
  const { name, title, description, effect, isIdempotent } = tool;
  const annotations = {
    readOnlyHint: effect === "reads",
    destructiveHint: effect === "changes",
    idempotentHint: isIdempotent,
    // The server accesses only its own store.
    openWorldHint: false,
  };
  const settings = { title, description, annotations, inputSchema: unchecked(tool.input) };
  return {
    name,
    isReadOnly: annotations.readOnlyHint,
    addTo: (server, context) => {
      server.registerTool(name, settings, (input, call) => answer(tool, input, context, call));
    },
  };
}

async function answer<I extends z.ZodObject>(
  tool: ToolDefinition<I>,
  input: unknown,
  { throughline, onError, listProjects, openProject, undoImport }: ToolDeps,
  call: ServerContext,
): Promise<CallToolResult> {
  try {
    const { signal } = call.mcpReq;
    const text = await tool.run({
      input: readInput(tool.input, input),
      throughline,
      listProjects,
      openProject,
      undoImport,
      signal,
      progress: progressOf(call, onError),
    });
    return { content: [{ type: "text", text }] };
  } catch (error) {
    return { content: [{ type: "text", text: errorText(error, onError) }], isError: true };
  }
}

/**
 * Parts of a JSON schema that `readInput` checks and a model does not need: agents pay for the list in every session.
 */
const UNLISTED: readonly string[] = ["$schema", "minLength", "maxLength", "maxItems"];

/** The schema for display only; validation errors come from `readInput`. */
function unchecked(schema: z.ZodObject): StandardSchemaWithJSON<unknown, unknown> {
  const standard = schema["~standard"];
  const { input, output } = standard.jsonSchema;
  const jsonSchema = { input: listed(input), output: listed(output) };
  return { "~standard": { ...standard, jsonSchema, validate: (value) => ({ value }) } };
}

function listed<O>(toSchema: (options: O) => Record<string, unknown>): (options: O) => Record<string, unknown> {
  return (options) =>
    JSON.parse(JSON.stringify(toSchema(options), (key, value) => (UNLISTED.includes(key) ? undefined : value)));
}

function progressOf({ mcpReq }: ServerContext, onError: (error: unknown) => void): ToolCall<unknown>["progress"] {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => undefined;
  let progress = 0;
  return (message) => {
    progress += 1;
    const params = { progressToken, progress, message };
    mcpReq.notify({ method: "notifications/progress", params }).catch(onError);
  };
}

/** The parts of a Throughline instance that the MCP server needs. */
export type McpThroughline = Pick<Throughline, "context" | "memory" | "session">;
