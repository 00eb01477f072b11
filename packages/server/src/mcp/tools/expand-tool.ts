import { InvalidOptionError, NotFoundError } from "throughline";
import { memoryText, messageText, omitUndefined, pageOf, stripInvisible } from "throughline/internal";
import { z } from "zod";
import { quoteText } from "../quoted-data.ts";
import type { McpThroughline } from "../tool.ts";
import { defineTool } from "../tool.ts";

/** Handles of content that left the window of a session. */
const HANDLE = /^(?:part|messages?):/;
/** A compaction id, which may start with the id of its session. */
const COMPACTION = /^(?:(.+)\/)?compaction-\d+$/s;
const MAX_IDS = 20;

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
  output: z.object({
    ids: z.array(z.string()).describe("Ids of the memories or messages."),
    text: z.string(),
    from: z.int(),
    next_from: z.int().optional().describe("Position of the next part, if there is one."),
    characters: z.int().describe("Total length in characters."),
  }),
  effect: "reads",
  isIdempotent: true,
  async run({ input: { pointer, session_id, from = 0 }, throughline }) {
    const session = session_id ?? sessionOf(pointer);
    const { ids, whole } = await (session === undefined
      ? readMemories(throughline, pointer)
      : readMessages(throughline, session, pointer));
    const { text, next, ...piece } = pageOf(whole, from);
    const data = omitUndefined({ ids: ids.slice(0, MAX_IDS), text, ...piece, next_from: next });
    const more = next === undefined ? "" : `\n${whole.length - next} more characters: call expand with from ${next}.`;
    return { data, text: `${quoteText("recalled", text)}${more}` };
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

interface Found {
  readonly ids: readonly string[];
  readonly whole: string;
}

async function readMemories({ context, memory }: McpThroughline, pointer: string): Promise<Found> {
  const known = await memory.get(pointer);
  // The index has only current memories.
  const isOver = known?.validTo !== undefined || known?.archivedAt !== undefined;
  const found = isOver ? [{ id: known.id, text: memoryText(known, "full") }] : await context.expand(pointer);
  if (found.length === 0) throw new NotFoundError(JSON.stringify(pointer.slice(0, 200)), "here");
  const whole = found.map(({ text }) => stripInvisible(text)).join("\n\n");
  return { ids: found.map(({ id }) => id), whole };
}

async function readMessages(throughline: McpThroughline, sessionId: string, handle: string): Promise<Found> {
  const { messages } = await throughline.session(sessionId).recall(handle);
  const whole = messages.map((message) => `${message.role}:\n${messageText(message)}`).join("\n\n");
  return { ids: messages.map(({ id }) => id), whole: stripInvisible(whole) };
}
