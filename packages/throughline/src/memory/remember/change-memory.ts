import { checkOptions, FLAG, type OptionRules, parseOptionTime } from "../../errors/check-options.ts";
import { InvalidOptionError } from "../../errors/input-errors.ts";
import { redactSecrets } from "../../internal/find-secrets.ts";
import { isRecord, omitUndefined } from "../../internal/json.ts";
import { readTerms, type Term } from "../../language/terms.ts";
import type { Memory } from "../../ports/memory.ts";
import type { MemoryUse } from "../../ports/memory-store.ts";
import {
  checkCategory,
  checkedLater,
  checkScope,
  cleanArtifacts,
  cleanKey,
  cleanText,
  cleanTexts,
  MAX_NAME_LENGTH,
  refuseSecrets,
} from "../check-input.ts";
import { isCurrentFact, pinFact } from "../facts/fact-rules.ts";
import { readSlot } from "../facts/slots.ts";
import { newId } from "../ids.ts";
import { type PlacedMemory, requireMemory } from "../list-memories.ts";
import type { MemoryPatch } from "../memory-api.ts";
import type { MemoryContext } from "../memory-context.ts";
import type { SearchIndex } from "../search/search-index.ts";
import type { SearchSpaces } from "../search/search-spaces.ts";
import { spaceOf } from "../space/spaces.ts";
import { StagedSpace } from "../space/staged-space.ts";
import { changeSpace } from "../space/write-changes.ts";
import { chatFactsBeside } from "../space/write-rules.ts";
import { buildLevels } from "../text-levels/build-levels.ts";
import { isPersonal } from "./draft-memory.ts";

/** An interrupted move between scopes: the copy is written, the original is not archived yet. */
export interface InterruptedMove {
  /** The copy in the new scope. */
  readonly memory: Memory;
  readonly journalId: string;
}

const PATCH_RULES: OptionRules<MemoryPatch> = {
  ...checkedLater("text", "category", "key", "value", "subject", "aliases", "confidence"),
  ...checkedLater("scope", "validFrom", "validTo", "artifacts", "links"),
  pinned: FLAG,
  archived: FLAG,
  reviewed: FLAG,
  keepSecrets: FLAG,
};

/** Changes a memory by hand, or completes an interrupted move. */
export async function updateMemory(
  context: MemoryContext,
  id: string,
  patch: MemoryPatch,
  interrupted?: InterruptedMove,
): Promise<Memory> {
  checkOptions("memory.update", patch, PATCH_RULES);
  const clean = readPatch(patch);
  const found = await requireMemory(context, id);
  const { scope, projectId = context.projectId } = found.memory;
  const target = spaceOf(clean.scope ?? scope, { ...context, projectId });
  if (target === found.space) return updateInPlace(context, found, clean);
  const move = interrupted ?? (await copyTo(context, found, clean, target));
  await leaveSpace(context, found, move);
  return move.memory;
}

/** Archives a memory. Archived memories are not recalled and can be restored. */
export async function forgetMemory(context: MemoryContext, id: string): Promise<Memory> {
  const found = await requireMemory(context, id);
  return changeOne(context, found, "forget", async (memory) => {
    if (memory.archivedAt !== undefined) return memory;
    return { ...memory, archivedAt: context.clock.now(), pinned: false };
  });
}

function updateInPlace(context: MemoryContext, found: PlacedMemory, patch: CleanPatch): Promise<Memory> {
  return changeOne(context, found, "update", async (memory) => {
    const { pinned = memory.pinned, ...rest } = patch;
    const changed = { ...applyPatch(memory, rest, context.clock.now()), pinned: false };
    if (!pinned || (memory.pinned && isCurrentFact(memory))) return { ...changed, pinned };
    return pinFact(
      changed,
      await chatFactsBeside({ memoryStore: new StagedSpace(context.memoryStore, found.space) }, changed),
    );
  });
}

async function currentMemory({ memoryStore }: MemoryContext, { memory, space }: PlacedMemory): Promise<Memory> {
  const [current = memory] = await memoryStore.get(space, "memories", [memory.id]);
  return current;
}

/**
 * Copies a memory to another space under a new id; the original is archived afterwards. So no id exists in two spaces.
 * One journal entry undoes both steps.
 */
async function copyTo(
  context: MemoryContext,
  found: PlacedMemory,
  patch: CleanPatch,
  target: string,
): Promise<InterruptedMove> {
  const now = context.clock.now();
  const [id, journalId] = [newId("mem", now), newId("jrn", now)];
  const { scope = found.memory.scope } = patch;
  const write = async () => {
    const memory = await currentMemory(context, found);
    const moved: Memory = omitUndefined({
      ...applyPatch(memory, patch, now),
      id,
      scope,
      owner: scope === "user-private" ? context.userId : memory.owner,
      projectId:
        scope === "system" || isPersonal({ ...memory, scope }) ? undefined : (context.projectId ?? memory.projectId),
      pinned: false,
      supersedes: undefined,
      supersededBy: undefined,
      links: [],
    });
    return { memories: [moved], result: moved };
  };
  const { result, written } = await changeSpace(context, target, "update", write, journalId);
  return { memory: written.memories.find((memory) => memory.id === id) ?? result, journalId };
}

/** Archives the original of a moved memory. */
async function leaveSpace(
  context: MemoryContext,
  found: PlacedMemory,
  { memory, journalId }: InterruptedMove,
): Promise<void> {
  const archivedAt = context.clock.now();
  const leave = async () => ({
    memories: [{ ...(await currentMemory(context, found)), archivedAt, supersededBy: memory.id }],
    result: undefined,
  });
  await changeSpace(context, found.space, "update", leave, journalId);
}

/** Applies a change to the stored memory in one commit. */
async function changeOne(
  context: MemoryContext,
  { memory: { id }, space }: PlacedMemory,
  action: string,
  change: (memory: Memory) => Promise<Memory>,
): Promise<Memory> {
  const { result, written } = await changeSpace(context, space, action, async () => {
    const [current] = await context.memoryStore.get(space, "memories", [id]);
    if (current === undefined) return { result: undefined };
    const result = await change(current);
    return { memories: result === current ? [] : [result], result };
  });
  const memory = written.memories.find((one) => one.id === id) ?? result;
  return memory ?? (await requireMemory(context, id)).memory;
}

/** A checked patch, with its times in milliseconds since 1970. */
type CleanPatch = Omit<MemoryPatch, "validFrom" | "validTo"> & {
  readonly validFrom?: number;
  readonly validTo?: number | null;
};

/** Validates a patch, and removes invisible characters from its texts. */
function readPatch(patch: MemoryPatch): CleanPatch {
  if (!isRecord(patch)) throw new InvalidOptionError("patch", typeof patch, "an object with the fields to change");
  const { category, scope, validFrom, validTo, confidence, keepSecrets = false, ...rest }: MemoryPatch = patch;
  checkCategory(category ?? undefined);
  checkScope(scope);
  const times = {
    validFrom: validFrom === undefined ? undefined : parseOptionTime("validFrom", validFrom),
    validTo: validTo === undefined || validTo === null ? validTo : parseOptionTime("validTo", validTo),
  };
  if (confidence !== undefined && !(confidence >= 0 && confidence <= 1)) {
    throw new InvalidOptionError("confidence", confidence, "a number from 0 to 1");
  }
  const { text, key, value, subject, aliases, artifacts, links } = rest;
  const clean = {
    text: text === undefined ? undefined : cleanText("text", text),
    key: cleaned(key, cleanKey),
    value: cleaned(value, (given) => cleanText("value", given)),
    subject: cleaned(subject, (given) => cleanText("subject", given, MAX_NAME_LENGTH)),
    aliases: aliases === undefined ? undefined : cleanTexts("aliases", aliases, MAX_NAME_LENGTH),
    artifacts: artifacts === undefined ? undefined : cleanArtifacts(artifacts),
    links: links === undefined ? undefined : cleanTexts("links", links),
  };
  if (!keepSecrets) {
    const named = [clean.text, clean.key, clean.value, clean.subject].map((one) => one ?? undefined);
    refuseSecrets([...named, ...(clean.aliases ?? []), ...(clean.artifacts ?? []).map(({ ref }) => ref)]);
  }
  return omitUndefined({ ...patch, ...clean, ...times });
}

function cleaned(given: string | null | undefined, clean: (text: string) => string): string | null | undefined {
  return given === null || given === undefined ? given : clean(given);
}

function applyPatch(memory: Memory, patch: Omit<CleanPatch, "pinned">, now: number): Memory {
  const changed: Memory = omitUndefined({
    ...memory,
    category: merged(patch.category, memory.category),
    subject: merged(patch.subject, memory.subject),
    aliases: patch.aliases ?? memory.aliases,
    confidence: patch.confidence ?? memory.confidence,
    validFrom: patch.validFrom ?? memory.validFrom,
    validTo: merged(patch.validTo, memory.validTo),
    archivedAt:
      patch.archived === undefined ? memory.archivedAt : patch.archived ? (memory.archivedAt ?? now) : undefined,
    reviewedAt:
      patch.reviewed === undefined ? memory.reviewedAt : patch.reviewed ? (memory.reviewedAt ?? now) : undefined,
    artifacts: patch.artifacts ?? memory.artifacts,
    links: patch.links ?? memory.links,
    ...slotOf(memory, patch),
  });
  const { kind, key, value, category, validFrom, validTo } = changed;
  if (validTo !== undefined && validTo < validFrom) {
    throw new InvalidOptionError("validTo", validTo, "a time that is not before validFrom");
  }
  if (category !== undefined && kind !== "fact") {
    throw new InvalidOptionError(
      "category",
      category,
      `no category: this memory is of kind ${kind}, and only facts have one`,
    );
  }
  const { text = memory.levels.full } = patch;
  const isReworded = text !== memory.levels.full || key !== memory.key || value !== memory.value;
  return isReworded
    ? { ...changed, levels: buildLevels(omitUndefined({ kind, text, key, value })), lastSeenAt: now }
    : changed;
}

/** Key and value after a patch: as given, else read from a new text, else unchanged. */
function slotOf(
  memory: Memory,
  { text, key, value }: MemoryPatch,
): { key: string | undefined; value: string | undefined } {
  const revised = text === undefined ? memory : slotOfText(memory, text);
  const named = merged(key, revised.key);
  return { key: named, value: named === undefined ? undefined : merged(value, revised.value) };
}

/** Key and value of a new text. If none can be read, the old ones are kept only if the text contains the old value. */
function slotOfText(memory: Memory, text: string): { readonly key?: string; readonly value?: string } {
  const { kind, key, value } = memory;
  const read = kind === "fact" ? readSlot(text) : undefined;
  if (read?.value !== undefined && !read.isChoice) return { key: read.key, value: read.value };
  const isKept = value === undefined || text.toLowerCase().includes(value.toLowerCase());
  return isKept ? omitUndefined({ key, value }) : {};
}

/** Applies a patch value: `null` removes, `undefined` keeps. */
function merged<T>(given: T | null | undefined, before: T | undefined): T | undefined {
  return given === null ? undefined : (given ?? before);
}

/** Number of useful queries with a word after which the word becomes an alias of the memory. */
const MIN_USES = 2;
/** Maximum number of words per memory that are counted as possible aliases. */
const MAX_COUNTED = 20;

/** Counts that a memory was cited or ignored. */
export async function trackUse(context: MemoryContext, id: string, use: MemoryUse): Promise<void> {
  const { space } = await requireMemory(context, id);
  await context.memoryStore.record(space, { uses: { ids: [id], use, at: context.clock.now() } });
}

/**
 * Learns aliases from use: query words that no document in the space contains, if the memory was useful for the query.
 * On its second occurrence such a word becomes an alias.
 */
export async function learnNames(
  context: MemoryContext,
  search: SearchSpaces,
  id: string,
  question: string,
): Promise<Memory> {
  const found = await requireMemory(context, id);
  const index = await search.open(found.space);
  const unknown = [
    ...new Set(
      readTerms(redactSecrets(question))
        .filter((term) => !isKnown(index, term))
        .map(({ word }) => word),
    ),
  ];
  if (unknown.length === 0) return found.memory;
  return changeOne(context, found, "learn", async (memory) => countWords(memory, unknown));
}

/** True if a document in the space contains the word. */
function isKnown({ postings }: SearchIndex, { hash }: Term): boolean {
  return postings.find(hash).some(({ documents }) => documents.length > 0);
}

function countWords(memory: Memory, words: readonly string[]): Memory {
  const counts = new Map(Object.entries(memory.heard ?? {}));
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const learned = [...counts].filter(([, times]) => times >= MIN_USES).map(([word]) => word);
  for (const word of learned) counts.delete(word);
  const left = [...counts].slice(-MAX_COUNTED);
  return omitUndefined({
    ...memory,
    aliases: [...new Set([...memory.aliases, ...learned])],
    heard: left.length === 0 ? undefined : Object.fromEntries(left),
  });
}
