import type { Contradiction, Memory } from "../../ports/memory.ts";
import { type ComparableFact, compareFacts, factHandles, findRelated, toComparable } from "../facts/compare-facts.ts";
import { evictFactsIfNeeded } from "../facts/evict-facts.ts";
import { isCurrentFact } from "../facts/fact-rules.ts";
import { mergeFact, replaceFact } from "../facts/merge-fact.ts";
import { pinFact } from "../facts/pin-fact.ts";
import { draftMemory } from "./draft-memory.ts";
import { findConflicts } from "./find-conflicts.ts";
import { chatFactsBeside } from "./hold-limits.ts";
import { markSaying } from "./mark-outdated.ts";
import type { Remembered, RememberInput } from "./memory-api.ts";
import type { MemoryContext } from "./memory-context.ts";
import { retellMemory } from "./retell-memory.ts";
import type { SearchSpaces } from "./search-spaces.ts";
import { isVisible, spaceOf } from "./spaces.ts";
import { changeSpace, type Plan } from "./write-changes.ts";

/**
 * Remembers something. Rules alone decide whether it is new, known already, or takes the place of something that no
 * longer holds; no model is asked.
 */
export async function remember(
  context: MemoryContext,
  search: SearchSpaces,
  input: RememberInput,
): Promise<Remembered> {
  const saying = readSaying(context, input);
  return rememberBy(context, saying.space, () => planRemember(context, search, saying));
}

/** Remembers by a plan, and gives what became of it. */
export async function rememberBy<T extends Remembered | undefined>(
  context: MemoryContext,
  space: string,
  plan: () => Promise<Plan<T>>,
): Promise<T> {
  const { result, written } = await changeSpace(context, space, "remember", plan);
  if (result === undefined) return result;
  // Its end may have been set because something later is known.
  return { ...result, memory: written.memories.find(({ id }) => id === result.memory.id) ?? result.memory };
}

/** What is to be remembered, and where. */
export interface Saying {
  readonly space: string;
  /** It comes with its id: what is there under it is told anew. */
  readonly isNamed: boolean;
  readonly draft: Memory;
  readonly said: ComparableFact;
}

export function readSaying(context: MemoryContext, input: RememberInput): Saying {
  const draft = draftMemory(input, context, context.clock.now());
  const said = { ...toComparable(draft), ...(input.updatesPrevious === true && { updatesPrevious: true }) };
  return { space: spaceOf(draft.scope, context), isNamed: input.id !== undefined, draft, said };
}

export async function planRemember(
  context: MemoryContext,
  search: SearchSpaces,
  saying: Saying,
): Promise<Plan<Remembered>> {
  const { space, draft, said } = saying;
  if (saying.isNamed) return planNamed(context, search, saying);
  const { related, fingerprint } = factHandles(said);
  const isFact = draft.kind === "fact";
  const known = (await context.shelf.related(space, isFact ? related : [], fingerprint)).filter(
    (memory) => memory.kind === draft.kind && isVisible(memory, draft),
  );
  const found = isFact ? findRelated(said, known) : findSameText(said, known);
  const own = isFact
    ? findRelated(
        said,
        known.filter((memory) => mayReplace(memory, draft)),
      )
    : undefined;
  const against = found?.relation === "conflict" && found.fact !== own?.fact ? found.fact : undefined;
  if (found?.relation === "same") {
    const plan = await planMerge(context, space, found.fact, draft);
    // Whoever comes to say what somebody else says does not say the opposite any more.
    return own?.relation === "conflict" ? endOwn(plan, own.fact, draft) : plan;
  }
  if (own === undefined) return planAdd(context, search, { saying, against });
  const past = draft.validFrom < own.fact.validFrom ? await findPast(context, saying) : undefined;
  if (past !== undefined) return planMerge(context, space, past, draft);
  return planReplace(context, search, { saying, known: own.fact, against });
}

async function planNamed(context: MemoryContext, search: SearchSpaces, saying: Saying): Promise<Plan<Remembered>> {
  const [known] = await context.shelf.memories(saying.space, [saying.draft.id]);
  if (known === undefined) return planAdd(context, search, { saying });
  const memory = retellMemory(known, saying.draft);
  return { memories: memory === known ? [] : [memory], result: { memory, outcome: "merged" } };
}

function endOwn(plan: Plan<Remembered>, own: Memory, draft: Memory): Plan<Remembered> {
  if (draft.validFrom < own.validFrom) return plan;
  const closed = { ...own, validTo: draft.validFrom, supersededBy: plan.result.memory.id, pinned: false };
  return { ...plan, memories: [...(plan.memories ?? []), closed] };
}

/** What was said before of the same time, and does not hold any more. */
async function findPast({ shelf }: MemoryContext, { space, draft, said }: Saying): Promise<Memory | undefined> {
  const { slot } = factHandles(said);
  const all = slot === undefined ? [] : await shelf.list(space, { slot });
  return all.find(
    (memory) =>
      memory.archivedAt === undefined &&
      mayReplace(memory, draft) &&
      memory.validFrom <= draft.validFrom &&
      draft.validFrom < (memory.validTo ?? Number.POSITIVE_INFINITY) &&
      compareFacts(said, toComparable(memory)) === "same",
  );
}

/** Nobody ends what somebody else said, and what is said in one project ends nothing that holds in others. */
function mayReplace(known: Memory, draft: Memory): boolean {
  return known.owner === draft.owner && known.projectId === draft.projectId;
}

function findSameText(said: ComparableFact, known: readonly Memory[]): ReturnType<typeof findRelated<Memory>> {
  const fact = known.find((memory) => compareFacts(said, toComparable(memory)) === "same");
  return fact === undefined ? undefined : { relation: "same", fact };
}

async function planMerge(
  context: MemoryContext,
  space: string,
  known: Memory,
  draft: Memory,
): Promise<Plan<Remembered>> {
  const hasPlace = !draft.byHand || draft.source.sessionId !== undefined;
  const merged = mergeFact(known, { at: draft.lastSeenAt, ...(hasPlace && { source: draft.source }) });
  const aliases = [...new Set([...merged.aliases, ...draft.aliases])];
  const links = { ...merged, aliases, artifacts: [...merged.artifacts, ...newArtifacts(merged, draft)] };
  const memory = draft.pinned ? pinFact(links, await chatFactsBeside(context, space, links)) : links;
  const isChanged =
    merged !== known ||
    aliases.length > known.aliases.length ||
    links.artifacts.length > known.artifacts.length ||
    memory.pinned !== known.pinned;
  return { memories: isChanged ? [memory] : [], result: { memory, outcome: "merged" } };
}

function newArtifacts(known: Memory, draft: Memory): Memory["artifacts"] {
  return draft.artifacts.filter(({ type, ref }) => !known.artifacts.some((a) => a.type === type && a.ref === ref));
}

interface Addition {
  readonly saying: Saying;
  /** Somebody else's fact that it contradicts. */
  readonly against?: Memory | undefined;
}

async function planReplace(
  context: MemoryContext,
  search: SearchSpaces,
  { saying: { space, draft }, known, against }: Addition & { readonly known: Memory },
): Promise<Plan<Remembered>> {
  const { closed, current } = replaceFact(known, draft);
  // What was so before replaces nothing that holds.
  if (closed.id === draft.id) return { memories: [current, closed], result: { memory: closed, outcome: "added" } };
  const memory =
    draft.pinned && !known.pinned
      ? pinFact({ ...current, pinned: false }, await chatFactsBeside(context, space, current))
      : current;
  const found = against === undefined ? [] : await findConflicts(context, search, { space, memory, against });
  const isOwn = space === spaceOf("user-private", context);
  const marked = isOwn ? await markSaying(context, search, space, known, memory) : [];
  return {
    memories: [memory, closed],
    marked,
    contradictions: found.filter(({ memoryA }) => memoryA !== known.id),
    result: { memory, outcome: "replaced", updatesFactId: known.id },
  };
}

async function planAdd(
  context: MemoryContext,
  search: SearchSpaces,
  { saying, against }: Addition,
): Promise<Plan<Remembered>> {
  const { space, draft } = saying;
  const facts = isCurrentFact(draft) ? await chatFactsBeside(context, space, draft) : [];
  const memory = draft.pinned ? pinFact({ ...draft, pinned: false }, facts) : draft;
  const contradictions: readonly Contradiction[] = await findConflicts(context, search, { space, memory, against });
  return { memories: [memory, ...evict(context, facts, memory)], contradictions, result: { memory, outcome: "added" } };
}

/** Facts of the chat that have to make room are put away, not deleted. */
function evict({ clock }: MemoryContext, facts: readonly Memory[], added: Memory): readonly Memory[] {
  const now = clock.now();
  const { evicted } = evictFactsIfNeeded([...facts, added], now, new Set([added.id]));
  return evicted.map((fact) => ({ ...fact, archivedAt: now }));
}
