import { InvalidOptionError, type RecallHit } from "throughline";
import { omitUndefined } from "throughline/internal/util";
import { z } from "zod";
import { readDate, writeTime } from "../dates.ts";
import { fitTexts } from "../fit-texts.ts";
import { KINDS } from "../memory-line.ts";
import { quoteLines } from "../quoted-data.ts";
import { defineTool, type McpThroughline, type ProjectAccess } from "../tool.ts";

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
    return `${quoteLines(fitted.map(({ item, text, isCut }) => describe(item, text, isCut)))}${more}`;
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
function describe({ type, id, source, memory }: RecallHit, text: string, isCut: boolean): string {
  const day = (time: number) => writeTime(time).slice(0, 10);
  const saidOn = source.at === undefined ? undefined : day(source.at);
  const until = memory?.validTo === undefined ? undefined : `was true until ${day(memory.validTo)}`;
  const about =
    memory === undefined ? [source.speaker, saidOn] : [memory.kind, `since ${day(memory.validFrom)}`, until];
  const pieces = [id, ...about, isCut ? "cut" : undefined].filter((piece) => piece !== undefined);
  return `${type === "memory" ? text : `“${text}”`} (${pieces.join(", ")})`;
}
