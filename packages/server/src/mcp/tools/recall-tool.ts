import type { RecallHit } from "throughline";
import { omitUndefined } from "throughline/internal";
import { z } from "zod";
import { readDate, writeTime } from "../dates.ts";
import { fitTexts } from "../fit-texts.ts";
import { KINDS } from "../memory-shape.ts";
import { dataLines } from "../quoted-data.ts";
import { defineTool } from "../tool.ts";

const DEFAULT_LIMIT = 10;
const DEFAULT_BUDGET = 2_000;
const MAX_REASON_LENGTH = 160;
const MAX_REASONS = 4;

const hitShape = z.object({
  type: z.enum(["memory", "turn"]).describe("memory: something remembered; turn: something said, as it was said"),
  id: z.string(),
  text: z.string(),
  is_cut: z.boolean().describe("only head and tail of it are here"),
  score: z.number(),
  reasons: z.array(z.string()).describe("why it fits"),
  kind: z.enum(KINDS).optional(),
  valid_from: z.string().optional(),
  valid_to: z.string().optional().describe("since when it no longer holds"),
  session_id: z.string().optional(),
  message_id: z.string().optional(),
  speaker: z.string().optional(),
  said_at: z.string().optional(),
});
type Hit = z.output<typeof hitShape>;

export const recallTool = defineTool({
  name: "recall",
  title: "Recall",
  description: `Finds what is remembered that fits a question: facts, decisions, preferences, past sessions, ways of working, and what was said, word for word.
Use it before you ask the user for something they may have told you before, when they speak of earlier work ("as last time", "our usual way"), and before you decide what may have been decided already. Ask in plain words: a question, or a few keywords.
Nothing comes back where nothing fits; then say so and do not guess. Hits may be outdated: look at their dates. \`expand\` reads a long one whole.`,
  input: z.strictObject({
    query: z.string().min(1).max(20_000).describe('A question or keywords: "Which database do we use, and why?"'),
    limit: z.int().min(1).max(50).optional().describe("Hits at the most; 10 if not given."),
    budget: z
      .int()
      .min(50)
      .max(20_000)
      .optional()
      .describe("Tokens that the texts of all hits take at the most; 2,000 if not given."),
    from: z
      .enum(["both", "memories", "turns"])
      .optional()
      .describe("memories: what was concluded; turns: what was said, as it was said; both if not given."),
    kinds: z.array(z.enum(KINDS)).max(4).optional().describe("Only memories of these kinds."),
    as_of: z
      .string()
      .max(40)
      .optional()
      .describe('What was so then, in place of now: "2026-05-01" or "2026-05-01T14:30:00Z".'),
    all: z.boolean().optional().describe("Fill the limit, also with what hardly fits."),
  }),
  output: z.object({
    hits: z.array(hitShape).describe("the best first"),
    left_out: z.int().describe("hits that did not fit the budget"),
  }),
  effect: "reads",
  isIdempotent: true,
  async run({ input, throughline }) {
    const { query, limit = DEFAULT_LIMIT, budget = DEFAULT_BUDGET, from, kinds, as_of, all = false } = input;
    const asOf = as_of === undefined ? undefined : readDate("as_of", as_of, "end");
    const cut = all ? "none" : "calibrated";
    const found = await throughline.memory.recall(query, omitUndefined({ limit, cut, from, kinds, asOf }));
    const { fitted, leftOut } = fitTexts(found, ({ text }) => text, budget);
    const hits = fitted.map(({ item, text, isCut }) => toShape(item, text, isCut));
    return { data: { hits, left_out: leftOut }, text: render(hits, leftOut) };
  },
});

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
  if (hits.length === 0) return "Nothing that is remembered fits.";
  const more = leftOut === 0 ? "" : `\n${leftOut} more did not fit the budget.`;
  return `${dataLines(hits.map(renderHit))}${more}`;
}

function renderHit({ type, id, text, kind, valid_to, speaker, said_at }: Hit): string {
  const about = type === "memory" ? [kind, until(valid_to)] : [speaker, said_at?.slice(0, 10)];
  const said = type === "memory" ? text : `“${text}”`;
  return `${said} (${[id, ...about].filter((piece) => piece !== undefined).join(", ")})`;
}

function until(end: string | undefined): string | undefined {
  return end === undefined ? undefined : `held until ${end.slice(0, 10)}`;
}
