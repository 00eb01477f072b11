import { type Contradiction, InvalidOptionError, type MemoryService, type Remembered } from "throughline";
import { omitUndefined } from "throughline/internal/util";
import type { Resolution } from "throughline/memory";
import { z } from "zod";
import { defineTool } from "./tool.ts";
import { CATEGORIES, KINDS, memoryLine, quoteLines, readDate, shortText } from "./tool-text.ts";

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

export const forgetTool = defineTool({
  name: "forget",
  title: "Forget",
  description: `Archives a memory, so that it is no longer recalled. Call it when the user asks you to forget something, or says that a memory was never true. If something changed, \`remember\` the new state instead. Nothing is erased: the user can restore it with the command line.`,
  input: z.strictObject({ id: z.string().min(1).max(500).describe("Id of the memory, as `recall` returns it: mem_…") }),
  effect: "changes",
  isIdempotent: true,
  async run({ input: { id }, throughline }) {
    return `Archived; it is no longer recalled.\n${quoteLines([memoryLine(await throughline.memory.forget(id))])}`;
  },
});

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

export const consolidateTool = defineTool({
  name: "consolidate",
  title: "Consolidate",
  description: `Tidies up memories: merges duplicates, shortens old ones, archives unused ones, finds contradictions, and links related ones. A running server does it every night: call it only when the user asks, and with dry_run first. Everything can be undone.`,
  input: z.strictObject({
    dry_run: z.boolean().optional().describe("Report what would change, and change nothing."),
  }),
  effect: "changes",
  isIdempotent: true,
  async run({ input: { dry_run = false }, throughline, signal, progress }) {
    const done = await throughline.memory.consolidate({
      dryRun: dry_run,
      signal,
      onProgress: ({ step }) => progress(step),
    });
    const { deduped, compressed, adjusted, forgotten, contradictionsFound, linked, journalId } = done;
    const counts = { deduped, compressed, adjusted, forgotten, contradictions_found: contradictionsFound, linked };
    const parts = Object.entries(counts).map(([name, count]) => `${name.replaceAll("_", " ")} ${count}`);
    const undo = journalId === undefined ? "" : ` The user can undo it: throughline undo ${journalId}`;
    return `${dry_run ? "Would be" : "Done"}: ${parts.join(", ")}.${undo}`;
  },
});

export const undoImportTool = defineTool({
  name: "undo_import",
  title: "Undo an import",
  description: `Undoes a whole import by the id that \`throughline import\` printed: what it added is erased, what it changed is as before, and what was changed since stays. Call it only when the user asks, and with dry_run first.`,
  input: z.strictObject({
    id: z.string().min(1).max(200).describe("Id of the import, such as imp_0mwhp5h4cf5d."),
    dry_run: z.boolean().optional().describe("Report what would be erased, and change nothing."),
  }),
  effect: "changes",
  isIdempotent: true,
  async run({ input: { id, dry_run = false }, undoImport }) {
    if (undoImport === undefined) {
      throw new InvalidOptionError("id", id, "an import of this server: use `throughline undo` on the command line");
    }
    const { sessions, turns, memories, restored, keptMemories, keptSessions } = await undoImport(id, dry_run);
    const kept = keptMemories.length + keptSessions.length;
    const numbers = `${sessions} sessions, ${turns} utterances and ${memories} memories erased, ${restored} restored, ${kept} kept`;
    return `${dry_run ? "Would be" : "Done"}: ${numbers}.`;
  },
});
