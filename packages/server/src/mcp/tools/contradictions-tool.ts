import { type Contradiction, InvalidOptionError, type MemoryService } from "throughline";
import { omitUndefined } from "throughline/internal/util";
import type { Resolution } from "throughline/memory";
import { z } from "zod";
import { shortText } from "../fit-texts.ts";
import { quoteLines } from "../quoted-data.ts";
import { defineTool } from "../tool.ts";

const RESOLUTIONS = ["a_wins", "b_wins", "both_valid", "merged"] as const satisfies readonly Resolution[];
const DEFAULT_LIMIT = 10;
const MAX_TOKENS = 120;

export const contradictionsTool = defineTool({
  name: "contradictions",
  title: "Contradictions",
  description: `Lists pairs of memories that cannot both be true, with both texts and the reason. Call it when memories disagree, before you rely on one of them. Ask the user which side is true, then call \`resolve_contradiction\`.`,
  input: z.strictObject({
    status: z.enum(["open", "resolved", "all"]).optional().describe("Which ones to list (default: open)."),
    limit: z.int().min(1).max(50).optional().describe("Maximum number of results (default 10)."),
  }),
  effect: "reads",
  isIdempotent: true,
  async run({ input: { status = "open", limit = DEFAULT_LIMIT }, throughline: { memory } }) {
    const all = await memory.contradictions(status === "all" ? {} : { status });
    if (all.length === 0) return "No contradictions.";
    const lines = await Promise.all(all.slice(0, limit).map((one) => describe(memory, one)));
    const more = all.length <= limit ? "" : `\n${all.length - limit} more not shown.`;
    return `${quoteLines(lines.flat())}${more}`;
  },
});

async function describe(memory: MemoryService, contradiction: Contradiction): Promise<readonly string[]> {
  const { id, memoryA, memoryB, reason, resolution, note } = contradiction;
  const remark = note === undefined ? "" : ` (${shortText(note, MAX_TOKENS)})`;
  return [
    `${id}, ${resolution ?? "open"}${remark}: ${shortText(reason, MAX_TOKENS)}`,
    `a of ${id}: ${await describeSide(memory, memoryA)}`,
    `b of ${id}: ${await describeSide(memory, memoryB)}`,
  ];
}

async function describeSide(memory: MemoryService, id: string): Promise<string> {
  const side = await memory.get(id);
  return `${side === undefined ? "(deleted)" : shortText(side.levels.full, MAX_TOKENS)} (${id})`;
}

export const resolveContradictionTool = defineTool({
  name: "resolve_contradiction",
  title: "Resolve a contradiction",
  description: `Resolves a contradiction from \`contradictions\` after the user has decided: a_wins or b_wins (the other one is no longer true as of now), both_valid (both stay), merged (one new memory replaces both). Nothing is erased.`,
  input: z.strictObject({
    id: z.string().min(1).max(500).describe("Id of the contradiction: con_…"),
    resolution: z.enum(RESOLUTIONS),
    note: z.string().min(1).max(2_000).optional().describe("Reason."),
    text: z
      .string()
      .min(1)
      .max(20_000)
      .optional()
      .describe("Text of the new memory, for merged (default: both texts)."),
  }),
  effect: "changes",
  isIdempotent: false,
  async run({ input: { id, resolution, note, text }, throughline }) {
    if (text !== undefined && resolution !== "merged") {
      throw new InvalidOptionError("text", "given", "no text unless the resolution is merged");
    }
    const resolved = await throughline.memory.resolve(id, omitUndefined({ resolution, note, text }));
    return `${resolved.id} is resolved: ${resolution}.`;
  },
});
