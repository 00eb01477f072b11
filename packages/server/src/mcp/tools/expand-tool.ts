import { InvalidOptionError, NotFoundError } from "throughline";
import { memoryText, messageText, omitUndefined, pieceOf, stripInvisible } from "throughline/internal";
import { z } from "zod";
import type { McpThroughline } from "../mcp-throughline.ts";
import { dataText } from "../quoted-data.ts";
import { defineTool } from "../tool.ts";

/** What stands in the place of something that left the window of a session. */
const HANDLE = /^(?:part|messages?):/;
/** A compaction by its whole name, which begins with that of its session. */
const COMPACTION = /^(?:(.+)\/)?compaction-\d+$/s;
const MAX_IDS = 20;

export const expandTool = defineTool({
  name: "expand",
  title: "Expand",
  description: `Reads all of something of which you have seen only a line: an entry of the index of \`assemble_context\` (its id or its topic), a memory that \`recall\` cut (its id), or what a note in a conversation stands for (part:…, message:…, messages:…, compaction-…; these need the id of their session).
It gives 6,000 characters at a time; where there is more, call it again with \`from\`.`,
  input: z.strictObject({
    pointer: z.string().min(1).max(2_000).describe("A memory's id, a topic of the index, or a handle."),
    session_id: z.string().min(1).max(500).optional().describe("The session that a handle belongs to."),
    from: z.int().min(0).max(1_000_000_000).optional().describe("The character to go on with; 0 if not given."),
  }),
  output: z.object({
    ids: z.array(z.string()).describe("the memories or messages that it stands for"),
    text: z.string(),
    from: z.int(),
    next_from: z.int().optional().describe("where the rest begins, where there is one"),
    characters: z.int().describe("of all of it"),
  }),
  effect: "reads",
  isIdempotent: true,
  async run({ input: { pointer, session_id, from = 0 }, throughline }) {
    const session = session_id ?? sessionOf(pointer);
    const { ids, whole } = await (session === undefined
      ? readMemories(throughline, pointer)
      : readMessages(throughline, session, pointer));
    const { text, next, ...piece } = pieceOf(whole, from);
    const data = omitUndefined({ ids: ids.slice(0, MAX_IDS), text, ...piece, next_from: next });
    const more = next === undefined ? "" : `\n${whole.length - next} characters follow: expand it from ${next}.`;
    return { data, text: `${dataText("recalled", text)}${more}` };
  },
});

/** The session of a handle that says it; nothing for what is no handle. */
function sessionOf(pointer: string): string | undefined {
  const compaction = COMPACTION.exec(pointer);
  if (compaction === null && !HANDLE.test(pointer)) return undefined;
  const session = compaction?.[1];
  if (session === undefined) {
    throw new InvalidOptionError("session_id", "missing", "the id of the session that the handle belongs to");
  }
  return session;
}

interface Found {
  readonly ids: readonly string[];
  readonly whole: string;
}

async function readMemories({ context, memory }: McpThroughline, pointer: string): Promise<Found> {
  const known = await memory.get(pointer);
  // The index has only what holds.
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
