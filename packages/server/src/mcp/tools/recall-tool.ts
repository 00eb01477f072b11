import { InvalidOptionError, type RecallHit } from "throughline";
import { omitUndefined } from "throughline/internal";
import { z } from "zod";
import { readDate, writeTime } from "../dates.ts";
import { fitTexts } from "../fit-texts.ts";
import { KINDS } from "../memory-shape.ts";
import { quoteLines } from "../quoted-data.ts";
import { defineTool, type McpThroughline, type ProjectAccess } from "../tool.ts";

const DEFAULT_LIMIT = 10;
const DEFAULT_BUDGET = 2_000;
const MAX_REASON_LENGTH = 160;
const MAX_REASONS = 4;

const hitShape = z.object({
  type: z.enum(["memory", "turn"]).describe("memory: a stored memory; turn: an utterance, verbatim"),
  id: z.string(),
  text: z.string(),
  is_cut: z.boolean().describe("True if the text is shortened to beginning and end."),
  score: z.number(),
  reasons: z.array(z.string()).describe("Why it matches."),
  kind: z.enum(KINDS).optional(),
  valid_from: z.string().optional(),
  valid_to: z.string().optional().describe("When it stopped being true."),
  session_id: z.string().optional(),
  message_id: z.string().optional(),
  speaker: z.string().optional(),
  said_at: z.string().optional(),
});
type Hit = z.output<typeof hitShape>;

export const recallTool = defineTool({
  name: "recall",
  title: "Recall",
  description: `Searches memories for a question: facts, decisions, preferences, past sessions, workflows, and past utterances verbatim.
Call it before you ask the user for something they may have told you before, when they refer to earlier work ("as last time", "our usual way"), and before you decide something that may have been decided already. Use plain words: a question or a few keywords.
If nothing matches, the result is empty: say so and do not guess. Results may be outdated: check their dates. \`expand\` returns a long one in full.`,
  input: z.strictObject({
    query: z.string().min(1).max(20_000).describe('Question or keywords, such as "Which database do we use, and why?"'),
    limit: z.int().min(1).max(50).optional().describe("Maximum number of results (default 10)."),
    budget: z.int().min(50).max(20_000).optional().describe("Maximum tokens of all texts together (default 2000)."),
    from: z
      .enum(["both", "memories", "turns"])
      .optional()
      .describe("memories: stored memories; turns: past utterances, verbatim (default: both)."),
    kinds: z.array(z.enum(KINDS)).max(4).optional().describe("Only memories of these kinds."),
    as_of: z
      .string()
      .max(40)
      .optional()
      .describe('Only what was true at this time: "2026-05-01" or "2026-05-01T14:30:00Z".'),
    project: z
      .string()
      .min(1)
      .max(500)
      .optional()
      .describe("Search another project, by its id from `projects` (default: the current project)."),
    all: z.boolean().optional().describe("Fill up to the limit, including weak matches."),
  }),
  output: z.object({
    hits: z.array(hitShape).describe("Best match first."),
    left_out: z.int().describe("Number of results that did not fit the budget."),
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
    const hits = fitted.map(({ item, text, isCut }) => toShape(item, text, isCut));
    return { data: { hits, left_out: leftOut }, text: render(hits, leftOut) };
  },
});

async function projectFor(
  project: string | undefined,
  { throughline, listProjects, openProject }: { readonly throughline: McpThroughline } & ProjectAccess,
): Promise<McpThroughline> {
  if (project === undefined) return throughline;
  const isKnown = (await listProjects?.())?.projects.some(({ id }) => id === project) ?? false;
  if (openProject === undefined || !isKnown) {
    throw new InvalidOptionError("project", project.slice(0, MAX_REASON_LENGTH), "the id of a project from `projects`");
  }
  return openProject(project);
}

function toShape({ type, id, score, reasons, source, memory }: RecallHit, text: string, isCut: boolean): Hit {
  return omitUndefined({
    type,
    id,
    text,
    is_cut: isCut,
    score: Math.round(score * 1_000) / 1_000,
    reasons: reasons.slice(0, MAX_REASONS).map((reason) => reason.slice(0, MAX_REASON_LENGTH)),
    kind: memory?.kind,
    valid_from: memory === undefined ? undefined : writeTime(memory.validFrom),
    valid_to: memory?.validTo === undefined ? undefined : writeTime(memory.validTo),
    session_id: source.sessionId,
    message_id: source.messageId,
    speaker: source.speaker,
    said_at: source.at === undefined ? undefined : writeTime(source.at),
  });
}

function render(hits: readonly Hit[], leftOut: number): string {
  if (hits.length === 0) return "No matching memories.";
  const more = leftOut === 0 ? "" : `\n${leftOut} more did not fit the budget.`;
  return `${quoteLines(hits.map(renderHit))}${more}`;
}

function renderHit({ type, id, text, kind, valid_to, speaker, said_at }: Hit): string {
  const about = type === "memory" ? [kind, until(valid_to)] : [speaker, said_at?.slice(0, 10)];
  const said = type === "memory" ? text : `“${text}”`;
  return `${said} (${[id, ...about].filter((piece) => piece !== undefined).join(", ")})`;
}

function until(end: string | undefined): string | undefined {
  return end === undefined ? undefined : `was true until ${end.slice(0, 10)}`;
}
