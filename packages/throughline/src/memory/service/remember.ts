import { InvalidOptionError } from "../../errors/invalid-option-error.ts";
import { NotFoundError } from "../../errors/not-found-error.ts";
import { omitUndefined } from "../../internal/json.ts";
import { yieldToEventLoop } from "../../internal/yield-to-event-loop.ts";
import type { Contradiction, Memory, PendingFact, Turn } from "../../ports/memory.ts";
import { type ComparableFact, compareFacts, factHandles, findRelated, toComparable } from "../facts/compare-facts.ts";
import { evictFactsIfNeeded } from "../facts/evict-facts.ts";
import { hasNoEnd, isCurrentFact } from "../facts/fact-rules.ts";
import { mergeFact, replaceFact } from "../facts/merge-fact.ts";
import { pinFact } from "../facts/pin-fact.ts";
import { draftMemory } from "./draft-memory.ts";
import { chatFactsBeside } from "./enforce-limits.ts";
import { findConflicts } from "./find-conflicts.ts";
import { markSaying } from "./mark-outdated.ts";
import type { Remembered, RememberInput } from "./memory-api.ts";
import type { MemoryContext } from "./memory-context.ts";
import { overwriteMemory } from "./overwrite-memory.ts";
import type { SearchSpaces } from "./search-spaces.ts";
import { isVisible, spaceOf } from "./spaces.ts";
import type { PlanContext } from "./staged-space.ts";
import { type Plan, type SpaceDraft, writeSpace } from "./write-changes.ts";

/** Saves a memory. Rules alone decide whether it is added, merged or replaces another one; no model is asked. */
export async function remember(
  context: MemoryContext,
  search: SearchSpaces,
  input: RememberInput,
): Promise<Remembered> {
  const request = readRememberRequest(context, input);
  return writeSpace(context, request.space, (draft) => stageRemember(draft, search, request));
}

/** Plans a request on top of what a draft holds, and adds its changes to the draft. */
async function stageRemember(draft: SpaceDraft, search: SearchSpaces, request: RememberRequest): Promise<Remembered> {
  const planned = await planRemember(draft.context, search, request);
  const { result, ...changes } = await withReplaced(draft.context, request, planned);
  const { memories } = await draft.stage("remember", changes);
  // A fact that a later one is known to follow is written with an end.
  return { ...result, memory: memories.find(({ id }) => id === result.memory.id) ?? result.memory };
}

/** The same for several requests: each sees those before it. */
export async function stageRememberAll(
  draft: SpaceDraft,
  search: SearchSpaces,
  requests: readonly RememberRequest[],
): Promise<readonly Remembered[]> {
  const remembered: Remembered[] = [];
  for (const request of requests) {
    remembered.push(await stageRemember(draft, search, request));
    await yieldToEventLoop();
  }
  return remembered;
}

/** A parsed and checked input of `remember`. */
export interface RememberRequest {
  readonly space: string;
  /** The input names its id: a memory stored under it is overwritten. */
  readonly isNamed: boolean;
  readonly draft: Memory;
  /** The draft in the form in which facts are compared. */
  readonly said: ComparableFact;
  /** Ids of memories that the caller says it replaces. */
  readonly replaces: readonly string[];
}

export function readRememberRequest(context: MemoryContext, input: RememberInput): RememberRequest {
  const draft = draftMemory(input, context, context.clock.now());
  const said = { ...toComparable(draft), ...(input.updatesPrevious === true && { updatesPrevious: true }) };
  const { replaces = [] } = input;
  return {
    space: spaceOf(draft.scope, context),
    isNamed: input.id !== undefined,
    draft,
    said,
    replaces: typeof replaces === "string" ? [replaces] : replaces,
  };
}

/** Requests for facts that were extracted from a session. Facts that cannot be saved are logged and left out. */
export function readExtractedFacts(
  context: MemoryContext,
  facts: readonly PendingFact[],
  { sessionId, createdAt }: Pick<Turn, "sessionId" | "createdAt">,
): readonly RememberRequest[] {
  return facts.flatMap((fact) => {
    const validFrom = fact.source.at === undefined ? createdAt : undefined;
    try {
      // Secrets are removed from turns before facts are extracted.
      return [readRememberRequest(context, omitUndefined({ ...fact, validFrom, keepSecrets: true }))];
    } catch (error) {
      if (!(error instanceof InvalidOptionError)) throw error;
      context.logger.warn(`Fact of session ${sessionId} not saved: ${error.message}`);
      return [];
    }
  });
}

async function planRemember(
  context: PlanContext,
  search: SearchSpaces,
  request: RememberRequest,
): Promise<Plan<Remembered>> {
  const { space, draft, said } = request;
  if (request.isNamed) return planNamed(context, search, request);
  const { related, fingerprint } = factHandles(said);
  const isFact = draft.kind === "fact";
  const known = (
    await context.memoryStore.list(space, "memories", {
      current: true,
      matchAny: { slots: isFact ? related : [], fingerprints: [fingerprint] },
    })
  ).filter((memory) => memory.kind === draft.kind && isVisible(memory, draft));
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
    // The owner now agrees with another user's fact, so their own opposite fact ends.
    return own?.relation === "conflict" ? endOwn(plan, own.fact, draft) : plan;
  }
  if (own === undefined) return planAdd(context, search, { request, against });
  const past = draft.validFrom < own.fact.validFrom ? await findPast(context, request) : undefined;
  if (past !== undefined) return planMerge(context, space, past, draft);
  return planReplace(context, search, { request, known: own.fact, against });
}

/**
 * Ends the memories that the caller says the new one replaces.
 *
 * @throws NotFoundError if one of them is not in the space of the new one; then nothing is saved.
 */
async function withReplaced(
  { memoryStore }: PlanContext,
  { space, draft, replaces }: RememberRequest,
  plan: Plan<Remembered>,
): Promise<Plan<Remembered>> {
  const { memory } = plan.result;
  const ids = replaces.filter((id) => id !== memory.id);
  if (ids.length === 0) return plan;
  const found = await memoryStore.get(space, "memories", ids);
  const missing = ids.find((id) => !found.some((one) => one.id === id && isVisible(one, draft)));
  if (missing !== undefined) throw new NotFoundError(`Memory ${missing}`, "here");
  const ended = found.filter(hasNoEnd).map((one) => ({
    ...one,
    validTo: Math.max(one.validFrom, memory.validFrom),
    supersededBy: memory.id,
    pinned: false,
  }));
  const [first] = ended;
  if (first === undefined) return plan;
  const current = { ...memory, supersedes: memory.supersedes ?? first.id };
  const changed = [
    ...(plan.memories ?? []).filter(({ id }) => id !== memory.id && !ids.includes(id)),
    current,
    ...ended,
  ];
  return {
    ...plan,
    memories: changed,
    result: { ...plan.result, memory: current, outcome: "replaced", updatesFactId: first.id },
  };
}

async function planNamed(
  context: PlanContext,
  search: SearchSpaces,
  request: RememberRequest,
): Promise<Plan<Remembered>> {
  const [known] = await context.memoryStore.get(request.space, "memories", [request.draft.id]);
  if (known === undefined) return planAdd(context, search, { request });
  const memory = overwriteMemory(known, request.draft);
  return { memories: memory === known ? [] : [memory], result: { memory, outcome: "merged" } };
}

function endOwn(plan: Plan<Remembered>, own: Memory, draft: Memory): Plan<Remembered> {
  if (draft.validFrom < own.validFrom) return plan;
  const closed = { ...own, validTo: draft.validFrom, supersededBy: plan.result.memory.id, pinned: false };
  return { ...plan, memories: [...(plan.memories ?? []), closed] };
}

/** A fact with the same statement that was valid at the draft's time and has ended since. */
async function findPast(
  { memoryStore }: PlanContext,
  { space, draft, said }: RememberRequest,
): Promise<Memory | undefined> {
  const { slot } = factHandles(said);
  const all = slot === undefined ? [] : await memoryStore.list(space, "memories", { matchAny: { slots: [slot] } });
  return all.find(
    (memory) =>
      memory.archivedAt === undefined &&
      mayReplace(memory, draft) &&
      memory.validFrom <= draft.validFrom &&
      draft.validFrom < (memory.validTo ?? Number.POSITIVE_INFINITY) &&
      compareFacts(said, toComparable(memory)) === "same",
  );
}

/** A fact replaces only facts of the same owner and project. */
function mayReplace(known: Memory, draft: Memory): boolean {
  return known.owner === draft.owner && known.projectId === draft.projectId;
}

function findSameText(said: ComparableFact, known: readonly Memory[]): ReturnType<typeof findRelated<Memory>> {
  const fact = known.find((memory) => compareFacts(said, toComparable(memory)) === "same");
  return fact === undefined ? undefined : { relation: "same", fact };
}

async function planMerge(context: PlanContext, space: string, known: Memory, draft: Memory): Promise<Plan<Remembered>> {
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
  readonly request: RememberRequest;
  /** Another user's fact that it contradicts. */
  readonly against?: Memory | undefined;
}

async function planReplace(
  context: PlanContext,
  search: SearchSpaces,
  { request: { space, draft }, known, against }: Addition & { readonly known: Memory },
): Promise<Plan<Remembered>> {
  const { closed, current } = replaceFact(known, draft);
  // A fact about an earlier time does not replace the current one.
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
  context: PlanContext,
  search: SearchSpaces,
  { request, against }: Addition,
): Promise<Plan<Remembered>> {
  const { space, draft } = request;
  const facts = isCurrentFact(draft) ? await chatFactsBeside(context, space, draft) : [];
  const memory = draft.pinned ? pinFact({ ...draft, pinned: false }, facts) : draft;
  const contradictions: readonly Contradiction[] = await findConflicts(context, search, { space, memory, against });
  return { memories: [memory, ...evict(context, facts, memory)], contradictions, result: { memory, outcome: "added" } };
}

/** Chat facts above the cap are archived, not deleted. */
function evict({ clock }: PlanContext, facts: readonly Memory[], added: Memory): readonly Memory[] {
  const now = clock.now();
  const { evicted } = evictFactsIfNeeded([...facts, added], now, new Set([added.id]));
  return evicted.map((fact) => ({ ...fact, archivedAt: now }));
}
