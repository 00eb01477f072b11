import type { Contradiction, MemoryService } from "throughline";
import { omitUndefined } from "throughline/internal";
import { z } from "zod";
import { readDate } from "../dates.ts";
import { shortText } from "../fit-texts.ts";
import { CATEGORIES, KINDS, memoryShape, toMemoryShape } from "../memory-shape.ts";
import { quoteLines } from "../quoted-data.ts";
import { defineTool } from "../tool.ts";

const MAX_CONTRADICTIONS = 10;
/** Maximum tokens of each related memory. */
const MAX_RELATED_TOKENS = 60;

const output = z.object({
  outcome: z
    .enum(["added", "merged", "replaced"])
    .describe("added: new; merged: already known; replaced: another memory is no longer true"),
  memory: memoryShape,
  replaced: memoryShape.optional().describe("The memory that is no longer true."),
  related: z
    .array(z.object({ id: z.string(), text: z.string() }))
    .describe("Up to five related current memories. If this one makes some outdated, call again with `replaces`."),
  contradictions: z
    .array(z.object({ id: z.string(), reason: z.string() }))
    .describe("Open contradictions with this memory; ask the user, then call `resolve_contradiction`."),
  // Claude Code and Codex show their model the structured result only.
  advice: z.string().optional().describe("What to do about related memories."),
});
type Output = z.output<typeof output>;

const OUTCOMES: Readonly<Record<Output["outcome"], string>> = {
  added: "Saved.",
  merged: "Already known; its mention count went up.",
  replaced: "Saved; it replaces the previous statement.",
};

export const rememberTool = defineTool({
  name: "remember",
  title: "Remember",
  description: `Saves one memory for later sessions. Call it as soon as you hear or learn something that a later session should know:
- a standing rule or preference of the user ("please always use pnpm here")
- a correction that will apply again ("no, the staging database is on port 5433")
- a decision with its reason, also one that you made together
- a command, cause or fix that took effort to find
- anything that the user asks you to remember
Do not save one-time requests ("fix the typo in line 3", "run the tests"), progress of the current task, what the code, its documentation or git already shows, your own guesses, or passwords and keys (secrets are refused).
Write one statement in one or two sentences that make sense on their own: names instead of "it" and "this", the user's wording where possible, the reason if there is one. Call it once per statement.
The answer lists up to five related current memories with their ids. If the new statement makes one of them outdated, call \`remember\` again with the same text and \`replaces: ["mem_…"]\`; if you know the id already, give \`replaces\` at once. An old memory does not end by itself unless both have the same \`key\` or the statement spells out the change ("moved from X to Y", "no longer").`,
  input: z.strictObject({
    text: z
      .string()
      .min(1)
      .max(20_000)
      .describe('One statement, such as "Use pnpm in this repository, not npm: the lock file is pnpm-lock.yaml."'),
    kind: z
      .enum(KINDS)
      .optional()
      .describe("Kind (default: fact). episode: an event; pattern: how code is written here; workflow: steps."),
    category: z
      .enum(CATEGORIES)
      .optional()
      .describe("Only for facts about the user: who they are, what they prefer, what they work on."),
    key: z.string().min(1).max(200).optional().describe("Key of the fact, in one word, such as db."),
    value: z.string().min(1).max(2_000).optional().describe("Value of the fact, such as PostgreSQL. Requires `key`."),
    subject: z.string().min(1).max(200).optional().describe("Who or what the fact is about (default: the user)."),
    aliases: z.array(z.string().min(1).max(200)).max(20).optional().describe("Other names to find it by."),
    replaces: z
      .array(z.string().min(1).max(200))
      .max(20)
      .optional()
      .describe(
        "Ids of memories that this one makes outdated, from `related` or `recall`. They end now; nothing is erased.",
      ),
    title: z.string().min(1).max(500).optional().describe("Title of an episode, pattern or workflow."),
    steps: z.array(z.string().min(1).max(2_000)).max(100).optional().describe("Steps of a workflow, in order."),
    scope: z
      .enum(["user-private", "project-shared"])
      .optional()
      .describe("Who can see it: only the user (default), or everyone in the project."),
    pinned: z.boolean().optional().describe("Never archive it to make space; only if the user asks for it."),
    valid_from: z.string().max(40).optional().describe('When it became true (default: now), such as "2026-05-01".'),
    session_id: z.string().min(1).max(500).optional().describe("Session in which it was said, if you know its id."),
  }),
  output,
  effect: "adds",
  isIdempotent: false,
  async run({ input: { valid_from, session_id, ...said }, throughline: { memory } }) {
    const {
      outcome,
      memory: kept,
      updatesFactId,
      related,
    } = await memory.remember(
      omitUndefined({
        ...omitUndefined(said),
        validFrom: valid_from === undefined ? undefined : readDate("valid_from", valid_from, "start"),
        // From a model, not entered by hand.
        source: omitUndefined({ sessionId: session_id }),
      }),
    );
    const other = updatesFactId === undefined ? undefined : await memory.get(updatesFactId);
    const data: Output = omitUndefined({
      outcome,
      memory: toMemoryShape(kept),
      replaced: other === undefined ? undefined : toMemoryShape(other),
      related: related.map((one) => ({ id: one.id, text: shortText(one.levels.full, MAX_RELATED_TOKENS) })),
      contradictions: await openContradictions(memory, kept.id),
      advice: adviceOn(related.map(({ id }) => id)),
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

function render({ outcome, memory, replaced, related, contradictions, advice }: Output): string {
  const lines = [
    `${memory.text} (${memory.id})`,
    ...(replaced === undefined ? [] : [`replaces: ${replaced.text} (${replaced.id})`]),
    ...contradictions.map(({ id, reason }) => `contradiction: ${reason} (${id})`),
    ...related.map(({ id, text }) => `related: ${text} (${id})`),
  ];
  return [OUTCOMES[outcome], quoteLines(lines), ...(advice === undefined ? [] : [advice])].join("\n");
}

/** Imported ids may be any text: only plain ones are repeated outside of quoted data. */
const PLAIN_ID = /^[\w-]{1,80}$/;

/** Leads the caller to end outdated memories, which nothing else would. */
function adviceOn(related: readonly string[]): string | undefined {
  const ids = related.filter((id) => PLAIN_ID.test(id));
  const [first] = ids;
  if (first === undefined) return undefined;
  return `Related memories that are still current: ${ids.join(", ")}. Compare each with the one you saved. If yours makes one outdated or says the opposite, call remember again with the same text and replaces: ["${first}"] (the id of the outdated one). If all of them remain true, do nothing.`;
}
