import { InvalidOptionError, NotFoundError } from "throughline";
import { memoryText } from "throughline/internal/engine";
import { messageText, pageOf, stripInvisible } from "throughline/internal/util";
import { z } from "zod";
import { quoteText } from "../quoted-data.ts";
import type { McpThroughline } from "../tool.ts";
import { defineTool } from "../tool.ts";

/** Handles of content that left the window of a session. */
const HANDLE = /^(?:part|messages?):/;
/** A compaction id, which may start with the id of its session. */
const COMPACTION = /^(?:(.+)\/)?compaction-\d+$/s;

export const expandTool = defineTool({
  name: "expand",
  title: "Expand",
  description: `Reads the full content behind a short form: an index entry of \`assemble_context\` (id or topic), a memory that \`recall\` shortened (id), or a handle in a conversation (part:…, message:…, messages:…, compaction-…; handles need session_id).
Returns 6,000 characters at a time; to read on, call it again with \`from\`.`,
  input: z.strictObject({
    pointer: z.string().min(1).max(2_000).describe("Id of a memory, topic of the index, or handle."),
    session_id: z.string().min(1).max(500).optional().describe("Session of the handle."),
    from: z.int().min(0).max(1_000_000_000).optional().describe("First character to return (default 0)."),
  }),
  effect: "reads",
  isIdempotent: true,
  async run({ input: { pointer, session_id, from = 0 }, throughline }) {
    const session = session_id ?? sessionOf(pointer);
    const whole = await (session === undefined
      ? readMemories(throughline, pointer)
      : readMessages(throughline, session, pointer));
    const { text, next } = pageOf(whole, from);
    const more = next === undefined ? "" : `\n${whole.length - next} more characters: call expand with from ${next}.`;
    return `${quoteText("recalled", text)}${more}`;
  },
});

/** The session id in a handle; `undefined` for other pointers. */
function sessionOf(pointer: string): string | undefined {
  const compaction = COMPACTION.exec(pointer);
  if (compaction === null && !HANDLE.test(pointer)) return undefined;
  const session = compaction?.[1];
  if (session === undefined) {
    throw new InvalidOptionError("session_id", "missing", "the id of the handle's session");
  }
  return session;
}

async function readMemories({ context, memory }: McpThroughline, pointer: string): Promise<string> {
  const known = await memory.get(pointer);
  // The index has only current memories.
  const isOver = known?.validTo !== undefined || known?.archivedAt !== undefined;
  const found = isOver ? [{ id: known.id, text: memoryText(known, "full") }] : await context.expand(pointer);
  if (found.length === 0) throw new NotFoundError(JSON.stringify(pointer.slice(0, 200)), "here");
  return found.map(({ text }) => stripInvisible(text)).join("\n\n");
}

async function readMessages(throughline: McpThroughline, sessionId: string, handle: string): Promise<string> {
  const { messages } = await throughline.session(sessionId).recall(handle);
  return stripInvisible(messages.map((message) => `${message.role}:\n${messageText(message)}`).join("\n\n"));
}
