import { fence } from "../compact/prose/generate-summary.ts";
import { checkSession } from "../errors/check-options.ts";
import { SecretRefusedError } from "../errors/memory-errors.ts";
import { NotFoundError } from "../errors/store-errors.ts";
import { isRecord, numberField, stringField } from "../internal/json.ts";
import { stripInvisible } from "../internal/text.ts";
import type { MemoryService } from "../memory/memory-service.ts";
import { messageText, pageOf } from "../message/message-text.ts";
import type { Session } from "../session/session.ts";

/** A tool for AI SDK 6 and 7. */
export interface SessionTool<I> {
  readonly description: string;
  readonly inputSchema: InputSchema<I>;
  readonly execute: (input: I) => Promise<string>;
}

export type SessionTools = {
  readonly recall: SessionTool<{ handle: string }>;
  readonly expand: SessionTool<{ handle: string; from: number }>;
  readonly remember: SessionTool<{ text: string }>;
};

/**
 * Creates tools with which a model expands content that left its window and, if `throughline` is given, saves memories.
 * Tool results are escaped data inside tags.
 *
 * @param session Session whose handles the model may expand.
 * @param throughline Saves memories. Without it there is no `remember` tool.
 * @throws InvalidOptionError if `session` is no session.
 *
 * @example
 * await generateText({ model, messages: prompt, tools: tools(session, tl) });
 */
export function tools(session: Session): Omit<SessionTools, "remember">;
export function tools(
  session: Session,
  throughline: { readonly memory: Pick<MemoryService, "remember"> },
): SessionTools;
export function tools(
  session: Session,
  throughline?: { readonly memory: Pick<MemoryService, "remember"> },
): Omit<SessionTools, "remember"> & Partial<SessionTools> {
  checkSession("tools", session);
  const read = (handle: string, from: number) => readPiece(session, handle, from);
  return {
    recall: {
      description:
        "Returns the original content behind a handle (part:…, message:…, messages:…, compaction-…): a tool output or messages that are no longer in the context window. Notes in the conversation contain the handles.",
      inputSchema: describeInput({ handle: "Handle from a note." }, (input) =>
        requiredText(input, "handle", (handle) => ({ handle })),
      ),
      execute: ({ handle }) => read(handle, 0),
    },
    expand: {
      description:
        "Reads more of the content behind a handle, from a character position, if `recall` returned only the beginning.",
      inputSchema: describeInput(
        { handle: "Handle from a note.", from: "Character position to start from, as returned by `recall`." },
        (input): Checked<{ handle: string; from: number }> =>
          requiredText(input, "handle", (handle) => ({ handle, from: optionalNumber(input, "from") ?? 0 })),
        { numbers: ["from"] },
      ),
      execute: ({ handle, from }) => read(handle, from),
    },
    ...(throughline && { remember: rememberTool(session, throughline.memory) }),
  };
}

function rememberTool(session: Session, memory: Pick<MemoryService, "remember">): SessionTools["remember"] {
  return {
    description:
      "Saves one fact for later conversations. Call it when the user states a lasting rule or preference, corrects you, decides something and says why, or tells you about themselves or their project. Do not save one-time requests, guesses, passwords or keys.",
    inputSchema: describeInput({ text: "The fact as one sentence that makes sense on its own." }, (input) =>
      requiredText(input, "text", (text) => ({ text })),
    ),
    async execute({ text }) {
      try {
        const { outcome, memory: kept } = await memory.remember({ text, source: { sessionId: session.id } });
        return `${outcome}: ${fence("remembered", kept.levels.full)}`;
      } catch (error) {
        if (error instanceof SecretRefusedError) return `refused: ${error.summary}`;
        throw error;
      }
    },
  };
}

async function readPiece(session: Session, handle: string, from: number): Promise<string> {
  try {
    const { messages } = await session.recall(handle);
    const text = stripInvisible(messages.map((message) => `${message.role}:\n${messageText(message)}`).join("\n\n"));
    const { text: piece, next, characters } = pageOf(text, from);
    const more = next === undefined ? "" : `\n${characters - next} characters follow: expand it from ${next}.`;
    return `${fence("recalled", piece)}${more}`;
  } catch (error) {
    if (error instanceof NotFoundError)
      return `Unknown handle ${JSON.stringify(handle.slice(0, 200))}. Use a handle from a note in the conversation.`;
    throw error;
  }
}

/** Result of a validation: the value or the issues. */
type Checked<I> = { readonly value: I } | { readonly issues: readonly { readonly message: string }[] };

/** A Standard Schema with JSON Schema output. Both versions of the AI SDK accept it, and nothing has to be imported. */
interface InputSchema<I> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => Checked<I>;
    readonly jsonSchema: {
      readonly input: () => Record<string, unknown>;
      readonly output: () => Record<string, unknown>;
    };
    readonly types?: { readonly input: unknown; readonly output: I };
  };
}

/** Makes the schema of an object. All fields are required, and strings unless they are listed in `numbers`. */
function describeInput<I>(
  fields: Readonly<Record<string, string>>,
  validate: (input: unknown) => Checked<I>,
  { numbers = [] }: { readonly numbers?: readonly string[] } = {},
): InputSchema<I> {
  // A new object each time, because the AI SDK mutates it.
  const schema = () => ({
    type: "object",
    properties: Object.fromEntries(
      Object.entries(fields).map(([name, description]) => [
        name,
        { type: numbers.includes(name) ? "number" : "string", description },
      ]),
    ),
    required: Object.keys(fields),
    additionalProperties: false,
  });
  return {
    "~standard": { version: 1, vendor: "throughline", validate, jsonSchema: { input: schema, output: schema } },
  };
}

function requiredText<I>(input: unknown, name: string, make: (text: string) => I): Checked<I> {
  const text = isRecord(input) ? stringField(input, name) : undefined;
  return text === undefined ? { issues: [{ message: `${name} must be a string` }] } : { value: make(text) };
}

function optionalNumber(input: unknown, name: string): number | undefined {
  return isRecord(input) ? numberField(input, name) : undefined;
}
