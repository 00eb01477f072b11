import type { Contradiction, MemoryService } from "throughline";
import { omitUndefined } from "throughline/internal";
import type { Resolution } from "throughline/memory";
import { z } from "zod";
import { writeTime } from "../dates.ts";
import { shortText } from "../fit-texts.ts";
import { dataLines } from "../quoted-data.ts";
import { defineTool } from "../tool.ts";

export const RESOLUTIONS = ["a_wins", "b_wins", "both_valid", "merged"] as const satisfies readonly Resolution[];
const DEFAULT_LIMIT = 10;
const MAX_TOKENS = 120;

const sideShape = z.object({
  id: z.string(),
  text: z.string().optional().describe("nothing where it is not there any more"),
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
  description: `Lists pairs of memories that cannot both be true, with both sides and why they clash. Look here when memories disagree, before you rely on one of them, and when the user wants to tidy up. Do not settle one by guessing: ask the user which side holds, then call \`resolve_contradiction\`.`,
  input: z.strictObject({
    status: z.enum(["open", "resolved", "all"]).optional().describe("open if not given"),
    limit: z.int().min(1).max(50).optional().describe("At the most so many; 10 if not given."),
  }),
  output: z.object({ contradictions: z.array(listedShape), left_out: z.int().describe("how many more there are") }),
  effect: "reads",
  isIdempotent: true,
  async run({ input: { status = "open", limit = DEFAULT_LIMIT }, throughline: { memory } }) {
    const all = await memory.contradictions(status === "all" ? {} : { status });
    const contradictions = await Promise.all(all.slice(0, limit).map((one) => withSides(memory, one)));
    const left_out = all.length - contradictions.length;
    return { data: { contradictions, left_out }, text: render(contradictions, left_out) };
  },
});

/** A contradiction as programs are told of it. */
export function toContradictionShape(contradiction: Contradiction): z.output<typeof contradictionShape> {
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
  if (contradictions.length === 0) return "There are none.";
  const side = ({ id, text }: Listed["a"]) => `${text ?? "not there any more"} (${id})`;
  const lines = contradictions.flatMap(({ id, a, b, reason, resolution }) => [
    `${id}, ${resolution ?? "open"}: ${reason}`,
    `a of ${id}: ${side(a)}`,
    `b of ${id}: ${side(b)}`,
  ]);
  const more = leftOut === 0 ? "" : `\nThere are ${leftOut} more.`;
  return `${dataLines(lines)}${more}`;
}
