import type { CallToolResult, McpServer, ServerContext, StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import { InvalidOptionError, SecretRefusedError, type Throughline, ThroughlineError } from "throughline";
import type { UndoneImport } from "throughline/internal/engine";
import { isRecord, oneLine } from "throughline/internal/util";
import type { UserProjects } from "throughline/memory";
import { z } from "zod";

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
  /** Undoes an import, or previews it. Default: not offered. */
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

const MAX_VALUE_LENGTH = 80;

type Node = z.core.JSONSchema.BaseSchema;

/**
 * Validates the input of a tool.
 *
 * @throws InvalidOptionError that names the invalid field and the expected value
 */
function readInput<S extends z.ZodObject>(schema: S, input: unknown): z.output<S> {
  const given = withoutNulls(input ?? {});
  const read = schema.safeParse(given);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw refusal(z.toJSONSchema(schema), given, issue);
}

/** Some callers send null for missing fields. */
function withoutNulls(input: unknown): unknown {
  if (!isRecord(input)) return input;
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
}

function refusal(schema: Node, given: unknown, issue: z.core.$ZodIssue | undefined): InvalidOptionError {
  const known = Object.keys(schema.properties ?? {});
  if (issue?.code === "unrecognized_keys") {
    return new InvalidOptionError(short(issue.keys[0]), "unknown field", `one of ${known.join(", ")}`);
  }
  const path = issue?.path ?? [];
  if (path.length === 0) return new InvalidOptionError("input", describe(given), "an object");
  const name = path.map(String).join(".");
  return new InvalidOptionError(short(name), describe(valueAt(given, path)), wantedBy(nodeAt(schema, path)));
}

function valueAt(given: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, step) => Object(value)[step], given);
}

function nodeAt(schema: Node, path: readonly PropertyKey[]): Node {
  return path.reduce<Node>((node, step) => {
    const next = typeof step === "number" ? node.items : node.properties?.[String(step)];
    return isRecord(next) ? (next as Node) : {};
  }, schema);
}

function describe(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === "") return "empty";
  if (typeof value === "string" && value.length > MAX_VALUE_LENGTH) return `${value.length} characters long`;
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return isRecord(value) ? "an object" : short(value);
}

function short(value: unknown): string {
  return oneLine(String(value), MAX_VALUE_LENGTH);
}

function wantedBy({ type, enum: values, minimum, maximum, maxLength, maxItems, items }: Node): string {
  if (values !== undefined) return values.join(", ");
  switch (type) {
    case "integer":
      return `a whole number from ${minimum} to ${maximum}`;
    case "boolean":
      return "true or false";
    case "array":
      return `a list of at most ${maxItems}, each ${wantedBy(isRecord(items) ? (items as Node) : {})}`;
    default:
      return `a non-empty string of at most ${maxLength} characters`;
  }
}

const MAX_CHARS = 600;
const INSIDE = "Internal error; the server's log has the details. Try once more, or continue without this tool.";

/** An error message with advice for a model. Internal errors are reported and described only in general terms. */
export function errorText(error: unknown, onError: (error: unknown) => void): string {
  if (!ThroughlineError.isInstance(error)) {
    onError(error);
    return INSIDE;
  }
  return oneLine(`${error.summary} ${hintOf(error)}`, MAX_CHARS);
}

/** Only a person may decide to store a secret. */
function hintOf(error: ThroughlineError): string {
  return error instanceof SecretRefusedError
    ? "Remove the secret from the text; the user can save it with the command line."
    : error.hint;
}
