import { checkOptions } from "../../errors/check-options.ts";
import { InvalidOptionError } from "../../errors/input-errors.ts";
import { NotFoundError } from "../../errors/store-errors.ts";
import { omitUndefined } from "../../internal/json.ts";
import { yieldToEventLoop } from "../../internal/yield-to-event-loop.ts";
import { type Contradiction, isCurrent, type Memory, type PendingFact, type Utterance } from "../../ports/memory.ts";
import { isAboutSpeaker } from "../extract/signals.ts";
import {
  type ComparableFact,
  compareFacts,
  factHandles,
  mergeFact,
  replaceFact,
  toComparable,
} from "../facts/compare-facts.ts";
import { isCurrentFact, pinFact, planEviction } from "../facts/fact-rules.ts";
import { readSlot } from "../facts/slots.ts";
import { newId } from "../ids.ts";
import { markStatement } from "../ingest/mark-outdated.ts";
import type { Remembered, RememberInput } from "../memory-api.ts";
import type { MemoryContext } from "../memory-context.ts";
import { openContradiction } from "../reconcile/contradictions.ts";
import { statementTerms } from "../reconcile/statement.ts";
import type { SearchSpaces } from "../search/search-spaces.ts";
import { isVisible, spaceOf } from "../space/spaces.ts";
import type { PlanContext } from "../space/staged-space.ts";
import { type Plan, type SpaceDraft, writeSpace } from "../space/write-changes.ts";
import { chatFactsBeside } from "../space/write-rules.ts";
import { draftMemory, overwriteMemory, REMEMBER_RULES } from "./draft-memory.ts";
import {
  dropClashingKey,
  findCandidates,
  type Judge,
  judgeFor,
  type RelatedFact,
  recordJudgements,
  relateToCandidates,
  sharesWordsWith,
} from "./relate-facts.ts";

/**
 * Saves a memory. Keys and rules decide between added, merged and replaced; the model, if there is one, decides the
 * rest.
 */
export async function remember(
  context: MemoryContext,
  search: SearchSpaces,
  input: RememberInput,
): Promise<Remembered> {
  checkOptions("memory.remember", input, REMEMBER_RULES);
  const request = readRememberRequest(context, input);
  // If the caller names the replaced memories, no judge is needed.
  const judge = request.replaces.length > 0 ? undefined : judgeFor(context, request.draft);
  const judged = { ...request, judge, byMeaning: true };
  const remembered = await writeSpace(context, request.space, (draft) => stageRemember(draft, search, judged));
  await recordJudgements(context, request.space, [judged], [remembered]);
  return remembered;
}

/** Plans a request on top of the staged changes of a draft, and adds its changes to the draft. */
async function stageRemember(draft: SpaceDraft, search: SearchSpaces, request: RememberRequest): Promise<Remembered> {
  const planned = await planRemember(draft.context, search, request);
  const { result, ...changes } = await withReplaced(draft.context, request, planned);
  const { memories } = await draft.stage("remember", changes);
  // A fact that precedes a known later one was written with an end.
  return { ...result, memory: memories.find(({ id }) => id === result.memory.id) ?? result.memory };
}

/** The same for several requests: each sees those before it. */
export async function stageRememberAll(
  draft: SpaceDraft,
  search: SearchSpaces,
  requests: Iterable<RememberRequest>,
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
  readonly stated: ComparableFact;
  /** Ids of memories that the caller declared as replaced. */
  readonly replaces: readonly string[];
  /** The fact was extracted: its key is a proposal. Default: false, the caller gave the key. */
  readonly isExtracted?: boolean;
  /** The model, if it is to be asked. */
  readonly judge?: Judge | undefined;
  /** Search for related facts by meaning too. Default: false, because it takes a vector of the fact. */
  readonly byMeaning?: boolean;
}

/** Maximum number of related facts, and of the closest ones, which need not share a word with the memory. */
const MAX_RELATED = 5;
const ALWAYS_RELATED = 3;

export function readRememberRequest(context: MemoryContext, input: RememberInput): RememberRequest {
  const draft = draftMemory(input, context, context.clock.now());
  const stated = { ...toComparable(draft), ...(input.updatesPrevious === true && { updatesPrevious: true }) };
  const { replaces = [] } = input;
  return {
    space: spaceOf(draft.scope, context),
    isNamed: input.id !== undefined,
    draft,
    stated,
    replaces: typeof replaces === "string" ? [replaces] : replaces,
  };
}

/** Requests for facts that were extracted from a session. Facts that cannot be saved are logged and left out. */
export function readExtractedFacts(
  context: MemoryContext,
  facts: readonly PendingFact[],
  { sessionId, createdAt }: Pick<Utterance, "sessionId" | "createdAt">,
): readonly RememberRequest[] {
  return facts.flatMap((fact) => {
    const validFrom = fact.source.at === undefined ? createdAt : undefined;
    try {
      // Secrets are removed from turns before facts are extracted.
      const { referent: _, ...input } = fact;
      const request = readRememberRequest(context, omitUndefined({ ...input, validFrom, keepSecrets: true }));
      return [withOrigin(request, fact, context)];
    } catch (error) {
      if (!(error instanceof InvalidOptionError)) throw error;
      context.logger.warn(`Fact of session ${sessionId} not saved: ${error.message}`);
      return [];
    }
  });
}

/** Adds the project of a fact that is not about its speaker, and the message that it refers to as a further source. */
function withOrigin(request: RememberRequest, fact: PendingFact, { projectId }: MemoryContext): RememberRequest {
  const draft = isAboutSpeaker(fact) ? request.draft : omitUndefined({ ...request.draft, projectId });
  const { referent } = fact;
  const sources = referent && { earlierSources: [referent] };
  return { ...request, isExtracted: true, draft: { ...draft, ...sources } };
}

async function planRemember(
  context: PlanContext,
  search: SearchSpaces,
  request: RememberRequest,
): Promise<Plan<Remembered>> {
  if (request.isNamed) return planNamed(context, request);
  return request.draft.kind === "fact" ? planFact(context, search, request) : planOther(context, request);
}

/** Episodes, patterns and workflows are merged if their texts are the same. */
async function planOther(context: PlanContext, { draft, stated }: RememberRequest): Promise<Plan<Remembered>> {
  const known = await context.memoryStore.list("memories", {
    current: true,
    matchAny: { slots: [], fingerprints: [factHandles(stated).fingerprint] },
  });
  const same = known.find(
    (memory) =>
      memory.kind === draft.kind && isVisible(memory, draft) && compareFacts(stated, toComparable(memory)) === "same",
  );
  return same === undefined ? planAdd(context, draft, []) : planMerge(context, same, draft);
}

async function planFact(context: PlanContext, search: SearchSpaces, given: RememberRequest): Promise<Plan<Remembered>> {
  const { judge, byMeaning = false } = given;
  const { updatesPrevious = false } = given.stated;
  const candidates = await findCandidates(context, search, given.draft, {
    byMeaning,
    byKind: judge !== undefined,
  });
  const draft = given.isExtracted && !updatesPrevious ? dropClashingKey(given.draft, candidates) : given.draft;
  const request = draft === given.draft ? given : { ...given, draft, stated: toComparable(draft) };
  const compared = await relateToCandidates(draft, candidates, { judge, updatesPrevious });
  const duplicate = compared.find(({ relation }) => relation === "duplicate")?.memory;
  const replaced = compared.filter((one) => isReplaced(one, request)).map(({ memory }) => memory);
  const opposed = compared.filter(({ memory, relation }) => isConflict(relation) && !replaced.includes(memory));
  const plan = await planCompared(context, search, request, { duplicate, replaced, opposed });
  const ended = new Set((plan.memories ?? []).filter((memory) => !isCurrent(memory)).map(({ id }) => id));
  const sharesWords = sharesWordsWith(draft);
  const related = candidates
    .filter(({ id }) => id !== plan.result.memory.id && !ended.has(id))
    .filter((memory, at) => at < ALWAYS_RELATED || sharesWords(memory));
  return { ...plan, result: { ...plan.result, related: related.slice(0, MAX_RELATED) } };
}

interface Compared {
  readonly duplicate: Memory | undefined;
  readonly replaced: readonly Memory[];
  readonly opposed: readonly RelatedFact[];
}

async function planCompared(
  context: PlanContext,
  search: SearchSpaces,
  request: RememberRequest,
  { duplicate, replaced, opposed }: Compared,
): Promise<Plan<Remembered>> {
  const { space, draft } = request;
  if (duplicate !== undefined) {
    const plan = await planMerge(context, duplicate, draft);
    // The owner now agrees with another user's fact, so their own opposite facts end.
    return endOwn(plan, replaced, draft);
  }
  const [first, ...others] = replaced;
  if (first === undefined) return planAdd(context, draft, opposed);
  const past = draft.validFrom < first.validFrom ? await findPast(context, request) : undefined;
  if (past !== undefined) return planMerge(context, past, draft);
  return endOwn(await planReplace(context, search, { space, draft, known: first, opposed }), others, draft);
}

function isConflict(relation: RelatedFact["relation"]): boolean {
  return relation === "supersedes" || relation === "contradicts";
}

/**
 * True if a fact ends because of the new one: by a single-valued key or a stated change. Among chat facts the later one
 * always wins. A fact ends only for facts of the same owner and project.
 */
function isReplaced({ memory, relation }: RelatedFact, { draft, stated }: RememberRequest): boolean {
  if (!mayReplace(memory, draft) || !isConflict(relation)) return false;
  if (relation === "supersedes") return true;
  const isOfChat = draft.category !== undefined && readSlot(draft.levels.full)?.isChoice !== true;
  return isOfChat && compareFacts(stated, toComparable(memory)) === "conflict";
}

/**
 * Ends the memories that the caller declared as replaced.
 *
 * @throws NotFoundError if one of them is not in the space of the new one; then nothing is saved.
 */
async function withReplaced(
  { memoryStore }: PlanContext,
  { draft, replaces }: RememberRequest,
  plan: Plan<Remembered>,
): Promise<Plan<Remembered>> {
  const { memory } = plan.result;
  const ids = replaces.filter((id) => id !== memory.id);
  if (ids.length === 0) return plan;
  const found = await memoryStore.get("memories", ids);
  const missing = ids.find((id) => !found.some((one) => one.id === id && isVisible(one, draft)));
  if (missing !== undefined) throw new NotFoundError(`Memory ${missing}`, "here");
  const ended = found.filter(isCurrent).map((one) => ({
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
    result: {
      ...plan.result,
      memory: current,
      outcome: "replaced",
      updatesFactId: first.id,
      related: plan.result.related.filter(({ id }) => !ids.includes(id)),
    },
  };
}

async function planNamed(context: PlanContext, { draft }: RememberRequest): Promise<Plan<Remembered>> {
  const [known] = await context.memoryStore.get("memories", [draft.id]);
  if (known === undefined) return planAdd(context, draft, []);
  const memory = overwriteMemory(known, draft);
  return { memories: memory === known ? [] : [memory], result: { memory, outcome: "merged", related: [] } };
}

function endOwn(plan: Plan<Remembered>, own: readonly Memory[], draft: Memory): Plan<Remembered> {
  const ended = own.filter(({ validFrom }) => draft.validFrom >= validFrom);
  const closed = ended.map((one) => ({
    ...one,
    validTo: draft.validFrom,
    supersededBy: plan.result.memory.id,
    pinned: false,
  }));
  return closed.length === 0 ? plan : { ...plan, memories: [...(plan.memories ?? []), ...closed] };
}

/** A fact with the same statement that was valid at the draft's time and has ended since. */
async function findPast({ memoryStore }: PlanContext, { draft, stated }: RememberRequest): Promise<Memory | undefined> {
  const { slot } = factHandles(stated);
  const all = slot === undefined ? [] : await memoryStore.list("memories", { matchAny: { slots: [slot] } });
  return all.find(
    (memory) =>
      memory.archivedAt === undefined &&
      mayReplace(memory, draft) &&
      memory.validFrom <= draft.validFrom &&
      draft.validFrom < (memory.validTo ?? Number.POSITIVE_INFINITY) &&
      compareFacts(stated, toComparable(memory)) === "same",
  );
}

/** A fact replaces only facts of the same owner and project. */
function mayReplace(known: Memory, draft: Memory): boolean {
  return known.owner === draft.owner && known.projectId === draft.projectId;
}

async function planMerge(context: PlanContext, known: Memory, draft: Memory): Promise<Plan<Remembered>> {
  const hasPlace = !draft.byHand || draft.source.sessionId !== undefined;
  const merged = mergeFact(known, { at: draft.lastSeenAt, ...(hasPlace && { source: draft.source }) });
  const aliases = [...new Set([...merged.aliases, ...draft.aliases])];
  const { earlierSources: referents } = draft;
  const links = {
    ...merged,
    ...(merged !== known && referents && { earlierSources: [...referents, ...(merged.earlierSources ?? [])] }),
    ...(saysMore(draft, known) && { levels: draft.levels }),
    aliases,
    artifacts: [...merged.artifacts, ...newArtifacts(merged, draft)],
  };
  const memory = draft.pinned ? pinFact(links, await chatFactsBeside(context, links)) : links;
  const isChanged =
    merged !== known ||
    links.levels !== known.levels ||
    aliases.length > known.aliases.length ||
    links.artifacts.length > known.artifacts.length ||
    memory.pinned !== known.pinned;
  return { memories: isChanged ? [memory] : [], result: { memory, outcome: "merged", related: [] } };
}

/** True if a fact contains all terms of a known one, and more. */
function saysMore(draft: Memory, known: Memory): boolean {
  if (draft.kind !== "fact" || known.key !== undefined || known.byHand !== draft.byHand) return false;
  const [more, less] = [draft, known].map(({ levels }) => new Set(statementTerms(levels.full)));
  return more !== undefined && less !== undefined && more.size > less.size && [...less].every((term) => more.has(term));
}

function newArtifacts(known: Memory, draft: Memory): Memory["artifacts"] {
  return draft.artifacts.filter(({ type, ref }) => !known.artifacts.some((a) => a.type === type && a.ref === ref));
}

interface Replacing {
  readonly space: string;
  readonly draft: Memory;
  readonly known: Memory;
  readonly opposed: readonly RelatedFact[];
}

async function planReplace(
  context: PlanContext,
  search: SearchSpaces,
  { space, draft, known, opposed }: Replacing,
): Promise<Plan<Remembered>> {
  const { closed, current } = replaceFact(known, draft);
  // A fact about an earlier time does not replace the current one.
  if (closed.id === draft.id) {
    return { memories: [current, closed], result: { memory: closed, outcome: "added", related: [] } };
  }
  const memory =
    draft.pinned && !known.pinned
      ? pinFact({ ...current, pinned: false }, await chatFactsBeside(context, current))
      : current;
  const isOwn = space === spaceOf("user-private", context);
  const marked = isOwn ? await markStatement(context, search, known, memory) : [];
  return {
    memories: [memory, closed],
    marked,
    contradictions: openConflicts(context, memory, opposed),
    result: { memory, outcome: "replaced", updatesFactId: known.id, related: [] },
  };
}

async function planAdd(
  context: PlanContext,
  draft: Memory,
  opposed: readonly RelatedFact[],
): Promise<Plan<Remembered>> {
  const facts = isCurrentFact(draft) ? await chatFactsBeside(context, draft) : [];
  const memory = draft.pinned ? pinFact({ ...draft, pinned: false }, facts) : draft;
  return {
    memories: [memory, ...evict(context, facts, memory)],
    contradictions: openConflicts(context, memory, opposed),
    result: { memory, outcome: "added", related: [] },
  };
}

function openConflicts({ clock }: PlanContext, memory: Memory, opposed: readonly RelatedFact[]): Contradiction[] {
  const now = clock.now();
  return opposed.map((other) => openContradiction(newId("con", now), other.memory, memory, other, now));
}

/** Chat facts above the cap are archived, not deleted. */
function evict({ clock }: PlanContext, facts: readonly Memory[], added: Memory): readonly Memory[] {
  const now = clock.now();
  const { evicted } = planEviction([...facts, added], now, new Set([added.id]));
  return evicted.map((fact) => ({ ...fact, archivedAt: now }));
}
