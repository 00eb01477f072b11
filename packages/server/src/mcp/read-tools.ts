import { InvalidOptionError, NotFoundError, type RecallHit } from "throughline";
import { memoryText } from "throughline/internal/engine";
import { messageText, omitUndefined, pageOf, stripInvisible } from "throughline/internal/util";
import type { ProjectSummary, UserProjects } from "throughline/memory";
import { z } from "zod";
import { defineTool, type McpThroughline, type ProjectAccess } from "./tool.ts";
import { fitTexts, KINDS, quoteLines, quoteText, readDate, writeTime } from "./tool-text.ts";

const DEFAULT_LIMIT = 10;
const DEFAULT_BUDGET = 2_000;
const MAX_NAME_LENGTH = 160;

export const recallTool = defineTool({
  name: "recall",
  title: "Recall",
  description: `Searches memories and past utterances for a question. Call it before you ask the user for something they may have told you before, when they refer to earlier work ("as last time"), and before you decide something that may have been decided already.
If nothing matches, say so and do not guess. Results may be outdated: check their dates. \`expand\` returns a cut one in full.`,
  input: z.strictObject({
    query: z.string().min(1).max(20_000).describe('Question or keywords, such as "Which database do we use, and why?"'),
    limit: z.int().min(1).max(50).optional().describe("Maximum number of results (default 10)."),
    budget: z.int().min(50).max(20_000).optional().describe("Maximum tokens (default 2000)."),
    from: z
      .enum(["both", "memories", "turns"])
      .optional()
      .describe("turns: past utterances, verbatim (default: both)."),
    kinds: z.array(z.enum(KINDS)).max(4).optional().describe("Only memories of these kinds."),
    as_of: z.string().max(40).optional().describe('Only what was true at this time, such as "2026-05-01".'),
    project: z.string().min(1).max(500).optional().describe("Id of another project, from `projects`."),
    all: z.boolean().optional().describe("Fill up to the limit, including weak matches."),
  }),
  effect: "reads",
  isIdempotent: true,
  async run({ input, throughline, listProjects, openProject }) {
    const { memory } = await projectFor(input.project, { throughline, listProjects, openProject });
    const { query, limit = DEFAULT_LIMIT, budget = DEFAULT_BUDGET, from, kinds, as_of, all = false } = input;
    const asOf = as_of === undefined ? undefined : readDate("as_of", as_of, "end");
    const cut = all ? "none" : "calibrated";
    const found = await memory.recall(query, omitUndefined({ limit, cut, from, kinds, asOf }));
    const { fitted, leftOut } = fitTexts(found, ({ text }) => text, budget);
    if (found.length === 0) return "No matching memories.";
    const more = leftOut === 0 ? "" : `\n${leftOut} more did not fit the budget.`;
    return `${quoteLines(fitted.map(({ item, text, isCut }) => describeHit(item, text, isCut)))}${more}`;
  },
});

async function projectFor(
  project: string | undefined,
  { throughline, listProjects, openProject }: { readonly throughline: McpThroughline } & ProjectAccess,
): Promise<McpThroughline> {
  if (project === undefined) return throughline;
  const isKnown = (await listProjects?.())?.projects.some(({ id }) => id === project) ?? false;
  if (openProject === undefined || !isKnown) {
    throw new InvalidOptionError("project", project.slice(0, MAX_NAME_LENGTH), "the id of a project from `projects`");
  }
  return openProject(project);
}

/** A hit with its id, source and date. */
function describeHit({ type, id, source, memory }: RecallHit, text: string, isCut: boolean): string {
  const day = (time: number) => writeTime(time).slice(0, 10);
  const saidOn = source.at === undefined ? undefined : day(source.at);
  const until = memory?.validTo === undefined ? undefined : `was true until ${day(memory.validTo)}`;
  const about =
    memory === undefined ? [source.speaker, saidOn] : [memory.kind, `since ${day(memory.validFrom)}`, until];
  const pieces = [id, ...about, isCut ? "cut" : undefined].filter((piece) => piece !== undefined);
  return `${type === "memory" ? text : `“${text}”`} (${pieces.join(", ")})`;
}

const MAX_NOTES = 10;

export const assembleContextTool = defineTool({
  name: "assemble_context",
  title: "Assemble context",
  description: `Returns the context for a task within a token budget: decisions, open contradictions, fixes of current errors, memories that will probably be needed, conventions, workflows, and an index of the rest. With a file, it also predicts the files that are needed next.
Call it once at the start of a task, and again when the work moves to something else. For a single question, \`recall\` is faster; \`expand\` reads an index entry in full.`,
  input: z.strictObject({
    message: z.string().min(1).max(20_000).optional().describe("The user's request, in their own words."),
    budget: z.int().min(200).max(32_000).optional().describe("Maximum tokens of the context (default 8000)."),
    current_file: z
      .string()
      .min(1)
      .max(2_000)
      .optional()
      .describe("Path from the project root, such as src/auth/login.ts."),
    recent_errors: z.array(z.string().min(1).max(20_000)).max(20).optional().describe("Current errors, newest last."),
    activity: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe("Type of work: default, new-feature or debugging. It changes how the budget is divided."),
    branch: z.string().min(1).max(500).optional(),
    collaborator: z.string().min(1).max(200).optional().describe("Another person who works on it."),
  }),
  effect: "reads",
  isIdempotent: true,
  async run({ input: { message, budget, ...signals }, throughline }) {
    const { current_file: currentFile, recent_errors: recentErrors, activity, branch, collaborator } = signals;
    const { context, receipt } = await throughline.context.assemble(
      omitUndefined({
        message,
        budget,
        signals: omitUndefined({ currentFile, recentErrors, activity, branch, collaborator }),
      }),
    );
    const notes = receipt.notes.slice(0, MAX_NOTES);
    return [context === "" ? "No memory is relevant yet." : context, ...notes].join("\n");
  },
});

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

const MAX_PROJECTS = 100;
const NONE: UserProjects = { projects: [], personal: { memories: 0, archived: 0, sessions: 0 } };

export const projectsTool = defineTool({
  name: "projects",
  title: "Projects",
  description: `Lists the projects that memories are stored for, last used first, with their numbers of memories and sessions. Call it when the user asks about another project; then pass its id as \`project\` to \`recall\`.`,
  input: z.strictObject({}),
  effect: "reads",
  isIdempotent: true,
  async run({ listProjects }) {
    const { projects, personal } = (await listProjects?.()) ?? NONE;
    const lines = projects.slice(0, MAX_PROJECTS).map(describeProject);
    const about = `Memories about the user, outside of projects: ${personal.memories}`;
    return lines.length === 0 ? "No projects yet." : quoteLines([...lines, about]);
  },
});

function describeProject({ id, memories, sessions, lastUsedAt }: ProjectSummary): string {
  const lastUse = lastUsedAt === undefined ? "" : `, last used ${writeTime(lastUsedAt).slice(0, 10)}`;
  return `${id}: ${memories} memories, ${sessions} sessions${lastUse}`;
}
