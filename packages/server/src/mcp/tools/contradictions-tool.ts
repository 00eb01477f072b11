import { type Contradiction, InvalidOptionError, type MemoryService } from "throughline";
import { omitUndefined } from "throughline/internal";
import type { Resolution } from "throughline/memory";
import { z } from "zod";
import { writeTime } from "../dates.ts";
import { shortText } from "../fit-texts.ts";
import { quoteLines } from "../quoted-data.ts";
import { defineTool } from "../tool.ts";

const RESOLUTIONS = ["a_wins", "b_wins", "both_valid", "merged"] as const satisfies readonly Resolution[];
const DEFAULT_LIMIT = 10;
const MAX_TOKENS = 120;

const sideShape = z.object({
  id: z.string(),
  text: z.string().optional().describe("Missing if the memory was deleted."),
});

export const contradictionShape = z.object({
  id: z.string(),
  status: z.enum(["open", "resolved"]),
  reason: z.string(),
  detected_at: z.string(),
  resolution: z.enum(RESOLUTIONS).optional(),
  resolved_at: z.string().optional(),
  note: z.string().optional(),
});

const listedShape = contradictionShape.extend({ a: sideShape, b: sideShape });
type Listed = z.output<typeof listedShape>;

export const contradictionsTool = defineTool({
  name: "contradictions",
  title: "Contradictions",
  description: `Lists pairs of memories that cannot both be true, with both texts and the reason. Call it when memories disagree, before you rely on one of them, or when the user wants to tidy up. Do not resolve one by guessing: ask the user which side is true, then call \`resolve_contradiction\`.`,
  input: z.strictObject({
    status: z.enum(["open", "resolved", "all"]).optional().describe("Which ones to list (default: open)."),
    limit: z.int().min(1).max(50).optional().describe("Maximum number of results (default 10)."),
  }),
  output: z.object({
    contradictions: z.array(listedShape),
    left_out: z.int().describe("Number of further contradictions."),
  }),
  effect: "reads",
  isIdempotent: true,
  async run({ input: { status = "open", limit = DEFAULT_LIMIT }, throughline: { memory } }) {
    const all = await memory.contradictions(status === "all" ? {} : { status });
    const contradictions = await Promise.all(all.slice(0, limit).map((one) => withSides(memory, one)));
    const left_out = all.length - contradictions.length;
    return { data: { contradictions, left_out }, text: render(contradictions, left_out) };
  },
});

/** A contradiction in structured results. */
function toContradictionShape(contradiction: Contradiction): z.output<typeof contradictionShape> {
  const { id, status, reason, detectedAt, resolution, resolvedAt, note } = contradiction;
  return omitUndefined({
    id,
    status,
    reason: shortText(reason, MAX_TOKENS),
    detected_at: writeTime(detectedAt),
    resolution,
    resolved_at: resolvedAt === undefined ? undefined : writeTime(resolvedAt),
    note: note === undefined ? undefined : shortText(note, MAX_TOKENS),
  });
}

async function withSides(memory: MemoryService, contradiction: Contradiction): Promise<Listed> {
  const [a, b] = await Promise.all([sideOf(memory, contradiction.memoryA), sideOf(memory, contradiction.memoryB)]);
  return { ...toContradictionShape(contradiction), a, b };
}

async function sideOf(memory: MemoryService, id: string): Promise<Listed["a"]> {
  const side = await memory.get(id);
  return side === undefined ? { id } : { id, text: shortText(side.levels.full, MAX_TOKENS) };
}

function render(contradictions: readonly Listed[], leftOut: number): string {
  if (contradictions.length === 0) return "No contradictions.";
  const side = ({ id, text }: Listed["a"]) => `${text ?? "(deleted)"} (${id})`;
  const lines = contradictions.flatMap(({ id, a, b, reason, resolution }) => [
    `${id}, ${resolution ?? "open"}: ${reason}`,
    `a of ${id}: ${side(a)}`,
    `b of ${id}: ${side(b)}`,
  ]);
  const more = leftOut === 0 ? "" : `\n${leftOut} more not shown.`;
  return `${quoteLines(lines)}${more}`;
}

export const resolveContradictionTool = defineTool({
  name: "resolve_contradiction",
  title: "Resolve a contradiction",
  description: `Resolves a contradiction from \`contradictions\` after the user has decided: a_wins or b_wins (the other one is no longer true as of now), both_valid (both stay), merged (one new memory replaces both). Nothing is erased.`,
  input: z.strictObject({
    id: z.string().min(1).max(500).describe("Id of the contradiction: con_…"),
    resolution: z.enum(RESOLUTIONS),
    note: z.string().min(1).max(2_000).optional().describe('Reason, such as "The migration is done, a is outdated."'),
    text: z
      .string()
      .min(1)
      .max(20_000)
      .optional()
      .describe("Text of the new memory, for merged (default: both texts)."),
  }),
  output: z.object({ contradiction: contradictionShape }),
  effect: "changes",
  isIdempotent: false,
  async run({ input: { id, resolution, note, text }, throughline }) {
    if (text !== undefined && resolution !== "merged") {
      throw new InvalidOptionError("text", "given", "no text unless the resolution is merged");
    }
    const settled = await throughline.memory.resolve(id, omitUndefined({ resolution, note, text }));
    return {
      data: { contradiction: toContradictionShape(settled) },
      text: `${settled.id} is resolved: ${resolution}.`,
    };
  },
});
