import type { Contradiction, MemoryService } from "throughline";
import { omitUndefined } from "throughline/internal";
import { z } from "zod";
import { readDate } from "../dates.ts";
import { CATEGORIES, KINDS, memoryShape, toMemoryShape } from "../memory-shape.ts";
import { dataLines } from "../quoted-data.ts";
import { defineTool } from "../tool.ts";

const MAX_CONTRADICTIONS = 10;

const output = z.object({
  outcome: z
    .enum(["added", "merged", "replaced"])
    .describe("added: it is new; merged: it was known; replaced: something else no longer holds"),
  memory: memoryShape,
  replaced: memoryShape.optional().describe("what no longer holds"),
  contradictions: z
    .array(z.object({ id: z.string(), reason: z.string() }))
    .describe("open ones that it is part of; ask the user, then `resolve_contradiction`"),
});
type Output = z.output<typeof output>;

const OUTCOMES: Readonly<Record<Output["outcome"], string>> = {
  added: "Remembered.",
  merged: "Known already; it counts as said once more.",
  replaced: "Remembered; what was said of it before no longer holds.",
};

export const rememberTool = defineTool({
  name: "remember",
  title: "Remember",
  description: `Keeps one thing for later sessions: what the user says of themselves, how they want things done, what was decided in this project and why, what failed and what fixed it, the steps of something that is done again and again.
Use it when the user asks you to remember, when they correct you, and when something is settled that a later session has to know. One thing at a time, one or two sentences that can be understood alone, with names in place of "it" and "this". What the user says replaces what they said before of the same thing: no need to look it up or to forget the old one.
Not for what the code or its history says already, for what matters only now, or for passwords and keys: they are refused.`,
  input: z.strictObject({
    text: z.string().min(1).max(20_000).describe('"We deploy on Fridays because support is staffed at weekends."'),
    kind: z
      .enum(KINDS)
      .optional()
      .describe("fact if not given; episode: what happened; pattern: how code is written here; workflow: steps"),
    category: z
      .enum(CATEGORIES)
      .optional()
      .describe("Only for a fact of the user: who they are, what they like, what they work on."),
    key: z.string().min(1).max(200).optional().describe("What it says something of, in a word: db."),
    value: z.string().min(1).max(2_000).optional().describe("What it says of it: PostgreSQL. Goes with `key`."),
    subject: z.string().min(1).max(200).optional().describe("Of whom or what it is true; the user if not given."),
    aliases: z
      .array(z.string().min(1).max(200))
      .max(20)
      .optional()
      .describe("Other names under which it is looked for."),
    title: z.string().min(1).max(500).optional().describe("What an episode, a pattern or a workflow is called."),
    steps: z.array(z.string().min(1).max(2_000)).max(100).optional().describe("The steps of a workflow, in order."),
    scope: z
      .enum(["user-private", "project-shared"])
      .optional()
      .describe("Who sees it: the user alone if not given, or everybody who works on the project."),
    pinned: z.boolean().optional().describe("Never let it make room for others; only where the user asks for that."),
    valid_from: z.string().max(40).optional().describe('Since when it is true, if not from now on: "2026-05-01".'),
    session_id: z.string().min(1).max(500).optional().describe("The session in which it was said, if you know its id."),
  }),
  output,
  effect: "adds",
  isIdempotent: false,
  async run({ input: { valid_from, session_id, ...said }, throughline: { memory } }) {
    const {
      outcome,
      memory: kept,
      updatesFactId,
    } = await memory.remember(
      omitUndefined({
        ...omitUndefined(said),
        validFrom: valid_from === undefined ? undefined : readDate("valid_from", valid_from, "start"),
        // Told by a model, not by hand.
        source: omitUndefined({ sessionId: session_id }),
      }),
    );
    const other = updatesFactId === undefined ? undefined : await memory.get(updatesFactId);
    const data: Output = omitUndefined({
      outcome,
      memory: toMemoryShape(kept),
      replaced: other === undefined ? undefined : toMemoryShape(other),
      contradictions: await openContradictions(memory, kept.id),
    });
    return { data, text: render(data) };
  },
});

async function openContradictions(memory: MemoryService, id: string): Promise<Output["contradictions"]> {
  const open = await memory.contradictions({ status: "open" });
  const isPart = ({ memoryA, memoryB }: Contradiction) => memoryA === id || memoryB === id;
  return open
    .filter(isPart)
    .slice(0, MAX_CONTRADICTIONS)
    .map(({ id, reason }) => ({ id, reason: reason.slice(0, 300) }));
}

function render({ outcome, memory, replaced, contradictions }: Output): string {
  const lines = [
    `${memory.text} (${memory.id})`,
    ...(replaced === undefined ? [] : [`no longer: ${replaced.text} (${replaced.id})`]),
    ...contradictions.map(({ id, reason }) => `contradicts something: ${reason} (${id})`),
  ];
  return `${OUTCOMES[outcome]}\n${dataLines(lines)}`;
}
