import { InvalidOptionError } from "throughline";
import { omitUndefined } from "throughline/internal";
import { z } from "zod";
import { defineTool } from "../tool.ts";
import { contradictionShape, RESOLUTIONS, toContradictionShape } from "./contradictions-tool.ts";

export const resolveContradictionTool = defineTool({
  name: "resolve_contradiction",
  title: "Resolve a contradiction",
  description: `Settles a contradiction that \`contradictions\` lists, once the user has said what holds: a_wins or b_wins (the other one no longer holds from now on), both_valid (both stay, they do not clash), merged (one new memory takes the place of both). Nothing is erased.`,
  input: z.strictObject({
    id: z.string().min(1).max(500).describe("The contradiction's id: con_…"),
    resolution: z.enum(RESOLUTIONS),
    note: z.string().min(1).max(2_000).optional().describe('Why: "The migration is done, a is outdated."'),
    text: z
      .string()
      .min(1)
      .max(20_000)
      .optional()
      .describe("What the new memory says, with merged; the words of both if not given."),
  }),
  output: z.object({ contradiction: contradictionShape }),
  effect: "changes",
  isIdempotent: false,
  async run({ input: { id, resolution, note, text }, throughline }) {
    if (text !== undefined && resolution !== "merged") {
      throw new InvalidOptionError("text", "given", "a place only where the resolution is merged");
    }
    const settled = await throughline.memory.resolve(id, omitUndefined({ resolution, note, text }));
    return {
      data: { contradiction: toContradictionShape(settled) },
      text: `${settled.id} is settled: ${resolution}.`,
    };
  },
});
