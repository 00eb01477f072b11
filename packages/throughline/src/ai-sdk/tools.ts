import { fence } from "../compact/format-messages.ts";
import { NotFoundError } from "../errors/not-found-error.ts";
import { SecretRefusedError } from "../errors/secret-refused-error.ts";
import { stripInvisible } from "../internal/one-line.ts";
import type { MemoryService } from "../memory/service/memory-service.ts";
import { messageText } from "../message/message-text.ts";
import { pieceOf } from "../message/piece-of.ts";
import type { Session } from "../session/session.ts";
import { type Checked, describeInput, type InputSchema, optionalNumber, requiredText } from "./input-schema.ts";

/** A tool of the AI SDK, versions 6 and 7. */
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
 * Tools with which a model looks up what left its window, and remembers across sessions where memories are given. What
 * they return is data between tags that it cannot close.
 *
 * @example
 * await generateText({ model, messages, tools: { ...mine, ...tools(session, throughline) } });
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
  const read = (handle: string, from: number) => readPiece(session, handle, from);
  return {
    recall: {
      description:
        "Gives back what left this conversation's window, as it was: the output or the messages that a handle stands for (part:…, message:…, messages:…, compaction-…), as notes in the conversation name them.",
      inputSchema: describeInput({ handle: "The handle, as the note names it." }, (input) =>
        requiredText(input, "handle", (handle) => ({ handle })),
      ),
      execute: ({ handle }) => read(handle, 0),
    },
    expand: {
      description: "Reads on in what a handle stands for, from a character on, where `recall` gave only its beginning.",
      inputSchema: describeInput(
        { handle: "The handle, as the note names it.", from: "The character to begin with, as `recall` named it." },
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
      "Keeps one fact for later conversations: what the user said of themselves, of what they want or of their project. One short sentence; no passwords or keys.",
    inputSchema: describeInput({ text: "The fact, as one sentence." }, (input) =>
      requiredText(input, "text", (text) => ({ text })),
    ),
    async execute({ text }) {
      try {
        const { outcome, memory: kept } = await memory.remember({ text, source: { sessionId: session.id } });
        return `${outcome}: ${fence("remembered", kept.levels.full)}`;
      } catch (error) {
        if (error instanceof SecretRefusedError) return `refused: ${error.message}`;
        throw error;
      }
    },
  };
}

async function readPiece(session: Session, handle: string, from: number): Promise<string> {
  try {
    const { messages } = await session.recall(handle);
    const text = stripInvisible(messages.map((message) => `${message.role}:\n${messageText(message)}`).join("\n\n"));
    const { text: piece, next, characters } = pieceOf(text, from);
    const more = next === undefined ? "" : `\n${characters - next} characters follow: expand it from ${next}.`;
    return `${fence("recalled", piece)}${more}`;
  } catch (error) {
    if (error instanceof NotFoundError)
      return `Nothing stands under the handle ${JSON.stringify(handle.slice(0, 200))}.`;
    throw error;
  }
}
