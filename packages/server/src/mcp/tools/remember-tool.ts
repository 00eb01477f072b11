import type { Contradiction, MemoryService, Remembered } from "throughline";
import { omitUndefined } from "throughline/internal/util";
import { z } from "zod";
import { readDate } from "../dates.ts";
import { CATEGORIES, KINDS, memoryLine } from "../memory-line.ts";
import { quoteLines } from "../quoted-data.ts";
import { defineTool } from "../tool.ts";

const MAX_CONTRADICTIONS = 10;
const MAX_REASON_LENGTH = 300;
/** Maximum tokens of each related memory. */
const MAX_RELATED_TOKENS = 60;

const OUTCOMES: Readonly<Record<Remembered["outcome"], string>> = {
  added: "Saved.",
  merged: "Already known; its mention count went up.",
  replaced: "Saved; it replaces the previous statement.",
};

export const rememberTool = defineTool({
  name: "remember",
  title: "Remember",
  description: `Saves one memory for later sessions. Call it as soon as you learn something that a later session should know: a standing rule or preference of the user, a correction that will apply again, a decision with its reason, a command, cause or fix that took effort to find, and anything that the user asks you to remember.
Do not save one-time requests, progress of the current task, what the code or git already shows, your own guesses, or secrets.
Write one statement that makes sense on its own: names instead of "it" and "this", the user's wording where possible, the reason if there is one.
The answer lists related current memories. If yours makes one of them outdated, call \`remember\` again with the same text and \`replaces: ["mem_…"]\`. An old memory does not end by itself unless both have the same \`key\` or the statement spells out the change.`,
  input: z.strictObject({
    text: z
      .string()
      .min(1)
      .max(20_000)
      .describe('One statement, such as "Use pnpm in this repository, not npm: the lock file is pnpm-lock.yaml."'),
    kind: z
      .enum(KINDS)
      .optional()
      .describe("Default: fact. episode: an event; pattern: how code is written here; workflow: steps."),
    category: z.enum(CATEGORIES).optional().describe("Only for facts about the user."),
    key: z.string().min(1).max(200).optional().describe("Key of the fact, such as db."),
    value: z.string().min(1).max(2_000).optional().describe("Its value, such as PostgreSQL."),
    subject: z.string().min(1).max(200).optional().describe("Who or what the fact is about (default: the user)."),
    aliases: z.array(z.string().min(1).max(200)).max(20).optional().describe("Other names to find it by."),
    replaces: z
      .array(z.string().min(1).max(200))
      .max(20)
      .optional()
      .describe("Ids of memories that this one makes outdated."),
    title: z.string().min(1).max(500).optional().describe("Title of an episode, pattern or workflow."),
    steps: z.array(z.string().min(1).max(2_000)).max(100).optional().describe("Steps of a workflow, in order."),
    scope: z.enum(["user-private", "project-shared"]).optional().describe("Who can see it (default: only the user)."),
    pinned: z.boolean().optional().describe("Never archive it; only if the user asks for it."),
    valid_from: z.string().max(40).optional().describe('When it became true (default: now), such as "2026-05-01".'),
    session_id: z.string().min(1).max(500).optional().describe("Session in which it was said."),
  }),
  effect: "adds",
  isIdempotent: false,
  async run({ input: { valid_from, session_id, ...said }, throughline: { memory } }) {
    const result = await memory.remember(
      omitUndefined({
        ...omitUndefined(said),
        validFrom: valid_from === undefined ? undefined : readDate("valid_from", valid_from, "start"),
        // From a model, not entered by hand.
        source: omitUndefined({ sessionId: session_id }),
      }),
    );
    const { outcome, memory: kept, updatesFactId, related } = result;
    const replaced = updatesFactId === undefined ? undefined : await memory.get(updatesFactId);
    const lines = [
      memoryLine(kept),
      ...(replaced === undefined ? [] : [`replaces: ${memoryLine(replaced)}`]),
      ...(await openContradictions(memory, kept.id)),
      ...related.map((one) => `related: ${memoryLine(one, MAX_RELATED_TOKENS)}`),
    ];
    return [OUTCOMES[outcome], quoteLines(lines), ...adviceOn(related.map(({ id }) => id))].join("\n");
  },
});

async function openContradictions(memory: MemoryService, id: string): Promise<readonly string[]> {
  const open = await memory.contradictions({ status: "open" });
  const isPart = ({ memoryA, memoryB }: Contradiction) => memoryA === id || memoryB === id;
  return open
    .filter(isPart)
    .slice(0, MAX_CONTRADICTIONS)
    .map((one) => `contradiction: ${one.reason.slice(0, MAX_REASON_LENGTH)} (${one.id})`);
}

/** Imported ids may be any text: only plain ones are repeated outside of quoted data. */
const PLAIN_ID = /^[\w-]{1,80}$/;

/** Leads the caller to end outdated memories, which nothing else would. */
function adviceOn(related: readonly string[]): readonly string[] {
  const ids = related.filter((id) => PLAIN_ID.test(id));
  const [first] = ids;
  if (first === undefined) return [];
  return [
    `Related memories that are still current: ${ids.join(", ")}. Compare each with the one you saved. If yours makes one outdated or says the opposite, call remember again with the same text and replaces: ["${first}"] (the id of the outdated one). If all of them remain true, do nothing.`,
  ];
}
