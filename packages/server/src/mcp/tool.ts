import type { CallToolResult, McpServer, ServerContext, StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import type { z } from "zod";
import { sayError } from "./error-text.ts";
import type { McpThroughline } from "./mcp-throughline.ts";
import { readInput } from "./read-input.ts";

/** What all tools share. */
export interface ToolContext {
  readonly throughline: McpThroughline;
  /** Told of what went wrong inside; whoever called hears only that something did. */
  readonly onError: (error: unknown) => void;
}

/** One call of a tool. */
interface ToolCall<I> {
  readonly input: I;
  readonly throughline: McpThroughline;
  readonly signal: AbortSignal;
  /** Says that one more step is done, where the caller wants to know. */
  readonly progress: (step: string) => void;
}

/** What a tool answers: the same for programs and for readers. */
interface ToolAnswer<O> {
  readonly data: O;
  readonly text: string;
}

interface ToolDefinition<I extends z.ZodObject, O extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: I;
  readonly output: O;
  /** `reads` changes nothing, `adds` takes nothing away, `changes` may. */
  readonly effect: "reads" | "adds" | "changes";
  /** Done twice, it is as if it were done once. */
  readonly isIdempotent: boolean;
  readonly run: (call: ToolCall<z.output<I>>) => Promise<ToolAnswer<z.output<O>>>;
}

export interface McpTool {
  readonly name: string;
  readonly isReadOnly: boolean;
  addTo(server: McpServer, context: ToolContext): void;
}

/** A tool whose input is checked in our words, and whose failures are answers that a model can act on. */
export function defineTool<I extends z.ZodObject, O extends z.ZodObject>(tool: ToolDefinition<I, O>): McpTool {
  const { name, title, description, effect, isIdempotent } = tool;
  const annotations = {
    title,
    readOnlyHint: effect === "reads",
    destructiveHint: effect === "changes",
    idempotentHint: isIdempotent,
    // It knows nothing but what is kept here.
    openWorldHint: false,
  };
  const inputSchema = unchecked(tool.input);
  const settings = { title, description, annotations, inputSchema, outputSchema: tool.output };
  return {
    name,
    isReadOnly: annotations.readOnlyHint,
    addTo: (server, context) => {
      server.registerTool(name, settings, (input, call) => answer(tool, input, context, call));
    },
  };
}

async function answer<I extends z.ZodObject, O extends z.ZodObject>(
  tool: ToolDefinition<I, O>,
  input: unknown,
  { throughline, onError }: ToolContext,
  call: ServerContext,
): Promise<CallToolResult> {
  try {
    const { signal } = call.mcpReq;
    const { data, text } = await tool.run({
      input: readInput(tool.input, input),
      throughline,
      signal,
      progress: progressOf(call, onError),
    });
    return { content: [{ type: "text", text }], structuredContent: data };
  } catch (error) {
    return { content: [{ type: "text", text: sayError(error, onError) }], isError: true };
  }
}

/** The schema as it is shown; what it refuses is said by us, not by the library. */
function unchecked(schema: z.ZodObject): StandardSchemaWithJSON<unknown, unknown> {
  return { "~standard": { ...schema["~standard"], validate: (value) => ({ value }) } };
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
