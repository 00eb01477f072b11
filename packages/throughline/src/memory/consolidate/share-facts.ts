import { InvalidOptionError } from "../../errors/input-errors.ts";
import { omitUndefined } from "../../internal/json.ts";
import type { Contradiction, Memory, MemorySource } from "../../ports/memory.ts";
import { compareFacts, toComparable } from "../facts/compare-facts.ts";
import { REPETITION_BOOST } from "../facts/fact-rules.ts";
import { normalizeFact } from "../facts/normalize-fact.ts";
import { isSingleValued } from "../facts/slots.ts";
import { newId } from "../ids.ts";
import type { MemoryContext } from "../memory-context.ts";
import { claimOf, findContradiction, openContradiction } from "../reconcile/contradictions.ts";
import { spaceOf } from "../space/spaces.ts";
import { changeSpace } from "../space/write-changes.ts";
import { allMemories } from "../transfer/export-memories.ts";
import { isCurrent, isPersonal, knownPairs, pairKey, slotOf } from "./fact-index.ts";
import { haveSameWords } from "./same-fact.ts";

interface SharingInput {
  readonly projectId: string;
  /** Private facts of several users. Facts of other projects and facts about a person are ignored. */
  readonly facts: readonly Memory[];
  /** Shared facts of the project, including archived ones. */
  readonly shared: readonly Memory[];
  /** Contradictions between shared facts. */
  readonly contradictions?: readonly Contradiction[];
  readonly now: number;
  readonly newId: (kind: "memory" | "contradiction") => string;
}

interface SharingPlan {
  /** New shared facts, and shared facts with more mentions. */
  readonly memories: readonly Memory[];
  readonly contradictions: readonly Contradiction[];
}

/** Equivalent facts about a project: the private ones, and the shared one if it exists. */
interface Statement {
  readonly facts: Memory[];
  shared?: Memory;
}

/**
 * Plans shared facts from the private facts of several users of a project. A fact that two users state becomes a shared
 * one. If two users state different values of a single-valued key, both become shared, with an open contradiction.
 * Private facts are not changed. A second run on its result changes nothing.
 */
export function planSharing(input: SharingInput): SharingPlan {
  const { facts, shared, now, projectId } = input;
  const candidates = inOrder(facts.filter((fact) => fact.projectId === projectId && isShareable(fact, now)));
  const topics = Map.groupBy(candidates, topicOf);
  const known = Map.groupBy(inOrder(shared.filter(({ kind }) => kind === "fact")), topicOf);
  const changed = new Map<string, Memory>();
  const opened: Contradiction[] = [];
  const isKnown = knownPairs(input.contradictions ?? []);
  for (const [topic, stated] of topics) {
    const all = groupStatements(stated, known.get(topic) ?? [], now);
    const conflicts = conflictsIn(all);
    for (const statement of all) {
      const isInConflict = conflicts.some((pair) => pair.includes(statement));
      const next = nextShared(statement, isInConflict, input);
      if (next === undefined) continue;
      if (next !== statement.shared) changed.set(next.id, next);
      statement.shared = next;
    }
    for (const [{ shared: a }, { shared: b }] of conflicts) {
      if (a === undefined || b === undefined || isKnown.has(pairKey(a.id, b.id))) continue;
      const finding = findContradiction(claimOf(a), claimOf(b));
      if (finding !== undefined) opened.push(openContradiction(input.newId("contradiction"), a, b, finding, now));
    }
  }
  return { memories: [...changed.values()], contradictions: opened };
}

/** True for current private facts about the project or a thing, not about a person. */
function isShareable(fact: Memory, now: number): boolean {
  const { kind, scope, category, subject } = fact;
  if (kind !== "fact" || scope !== "user-private" || !isCurrent(fact, now)) return false;
  if (subject !== undefined && isPersonal(subject)) return false;
  return category === "project" || (category === undefined && subject !== undefined);
}

/** Groups facts by subject and single-valued key, or by subject and words. */
function topicOf(fact: Memory): string {
  const subject = (fact.subject ?? "project").trim().toLowerCase();
  const slot = slotOf(fact);
  const isSlot = slot?.value !== undefined && isSingleValued(slot.key);
  return JSON.stringify(isSlot ? [subject, "slot", slot.key] : [subject, "words", normalizeFact(fact.levels.full)]);
}

function inOrder(facts: readonly Memory[]): readonly Memory[] {
  return [...facts].sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
}

/** Groups equivalent facts. Facts that the project archived or ended after their last mention are dropped. */
function groupStatements(facts: readonly Memory[], known: readonly Memory[], now: number): readonly Statement[] {
  const past = known.filter((memory) => !isCurrent(memory, now));
  const statements: Statement[] = known
    .filter((memory) => isCurrent(memory, now))
    .map((shared) => ({ facts: [], shared }));
  for (const fact of facts) {
    const statement = statements.find((one) => isSameStatement(one.shared ?? one.facts[0] ?? fact, fact));
    if (statement !== undefined) statement.facts.push(fact);
    else if (!past.some((old) => endOf(old) >= fact.lastSeenAt && isSameStatement(old, fact)))
      statements.push({ facts: [fact] });
  }
  return statements;
}

function endOf({ archivedAt, validTo }: Memory): number {
  return Math.min(archivedAt ?? Number.POSITIVE_INFINITY, validTo ?? Number.POSITIVE_INFINITY);
}

function isSameStatement(a: Memory, b: Memory): boolean {
  const subject = "project";
  const [one, other] = [
    { ...a, subject: a.subject ?? subject },
    { ...b, subject: b.subject ?? subject },
  ];
  const slot = slotOf(one);
  const isSlot = slot?.value !== undefined && isSingleValued(slot.key);
  return isSlot ? compareFacts(toComparable(one), toComparable(other)) === "same" : haveSameWords(one, other);
}

/** Pairs of contradicting statements by different users. */
function conflictsIn(statements: readonly Statement[]): readonly (readonly [Statement, Statement])[] {
  return statements.flatMap((a, at) =>
    statements.slice(at + 1).flatMap((b) => (haveDifferentUsers(a, b) && areInConflict(a, b) ? [[a, b] as const] : [])),
  );
}

function haveDifferentUsers(a: Statement, b: Statement): boolean {
  const [mine, yours] = [usersOf(a), usersOf(b)];
  return mine.size > 0 && yours.size > 0 && new Set([...mine, ...yours]).size > 1;
}

function areInConflict({ shared: a, facts: [first] }: Statement, { shared: b, facts: [second] }: Statement): boolean {
  const [one, other] = [a ?? first, b ?? second];
  return one !== undefined && other !== undefined && findContradiction(claimOf(one), claimOf(other)) !== undefined;
}

function usersOf({ facts, shared }: Statement): ReadonlySet<string> {
  return new Set([...facts, ...(shared === undefined ? [] : [shared])].map(({ owner }) => owner));
}

function nextShared(
  statement: Statement,
  isInConflict: boolean,
  { now, newId, projectId }: SharingInput,
): Memory | undefined {
  const { facts, shared } = statement;
  if (shared !== undefined) return updateSharedFact(shared, facts);
  const isShared = isInConflict || usersOf(statement).size > 1;
  return isShared ? shareFact(facts, { id: newId("memory"), projectId, now }) : undefined;
}

const MAX_SOURCES = 20;

/**
 * Makes a shared fact of a project from equivalent private facts. Speakers, sessions and times are kept. Quotes, pins,
 * links and usage counts stay private. The result has no category, because categories belong to chat facts.
 *
 * @param facts Equivalent private facts, the oldest first. The text of the first one is used.
 * @returns The shared fact, or undefined if `facts` is empty.
 */
function shareFact(
  facts: readonly Memory[],
  { id, projectId, now }: { readonly id: string; readonly projectId: string; readonly now: number },
): Memory | undefined {
  const [first] = facts;
  if (first === undefined) return undefined;
  const [source = {}, ...earlierSources] = sourcesOf(facts);
  return omitUndefined({
    id,
    kind: first.kind,
    levels: first.levels,
    key: first.key,
    value: first.value,
    subject: first.subject ?? "project",
    aliases: [...new Set(facts.flatMap(({ aliases }) => aliases))],
    confidence: confidenceOf(facts),
    mentions: mentionsOf(facts),
    pinned: false,
    byHand: facts.some(({ byHand }) => byHand),
    owner: first.owner,
    projectId,
    scope: "project-shared" as const,
    createdAt: now,
    lastSeenAt: lastSeen(facts),
    validFrom: Math.min(...facts.map(({ validFrom }) => validFrom)),
    usage: { retrieved: 0, cited: 0, ignored: 0 },
    source,
    earlierSources: earlierSources.length === 0 ? undefined : earlierSources,
    artifacts: artifactsOf(facts),
    links: [],
  });
}

/** Updates a shared fact from the private facts behind it. Returns the same object if they add nothing. */
function updateSharedFact(shared: Memory, facts: readonly Memory[]): Memory {
  if (facts.length === 0) return shared;
  const next = {
    ...shared,
    mentions: Math.max(shared.mentions, mentionsOf(facts)),
    confidence: Math.max(shared.confidence, confidenceOf(facts)),
    lastSeenAt: Math.max(shared.lastSeenAt, lastSeen(facts)),
  };
  const isSame =
    next.mentions === shared.mentions && next.confidence === shared.confidence && next.lastSeenAt === shared.lastSeenAt;
  return isSame ? shared : next;
}

/** The highest confidence, plus the boost of a repetition for each further user. */
function confidenceOf(facts: readonly Memory[]): number {
  const users = new Set(facts.map(({ owner }) => owner)).size;
  return Math.min(1, Math.max(...facts.map(({ confidence }) => confidence)) + REPETITION_BOOST * (users - 1));
}

function mentionsOf(facts: readonly Memory[]): number {
  return facts.reduce((sum, { mentions }) => sum + mentions, 0);
}

function lastSeen(facts: readonly Memory[]): number {
  return Math.max(...facts.map(({ lastSeenAt }) => lastSeenAt));
}

/** Sources without quotes, the latest first. */
function sourcesOf(facts: readonly Memory[]): readonly MemorySource[] {
  const sources = facts.map(({ source, owner, lastSeenAt }) => {
    const { quote: _, ...place } = source;
    return { ...place, speaker: source.speaker ?? owner, at: source.at ?? lastSeenAt };
  });
  return sources.sort((a, b) => b.at - a.at).slice(0, 1 + MAX_SOURCES);
}

function artifactsOf(facts: readonly Memory[]): Memory["artifacts"] {
  const all = facts.flatMap(({ artifacts }) => artifacts);
  return [...new Map(all.map((artifact) => [`${artifact.type} ${artifact.ref}`, artifact])).values()];
}

/** New and updated shared facts of a project. */
export interface Shared {
  readonly memories: readonly Memory[];
  /** New contradictions between facts of different users. */
  readonly contradictions: readonly Contradiction[];
}

/**
 * Derives shared project facts from the private project facts of several users. A fact that two users state is shared.
 * If users state conflicting facts, both are shared with an open contradiction. The private facts stay unchanged.
 */
export async function shareFacts(context: MemoryContext, userIds: readonly string[]): Promise<Shared> {
  const { projectId, clock } = context;
  if (projectId === undefined) {
    throw new InvalidOptionError("projectId", projectId, "the project to share with: createThroughline({ projectId })");
  }
  const space = spaceOf("project-shared", context);
  const people = [...new Set(userIds)].map((userId) => spaceOf("user-private", { userId, projectId }));
  const { result, written } = await changeSpace(context, space, "share", async () => {
    const facts = await Promise.all(people.map((person) => allMemories(context, person)));
    const now = clock.now();
    const plan = planSharing({
      projectId,
      facts: facts.flat(),
      shared: await allMemories(context, space),
      contradictions: await context.memoryStore.list(space, "contradictions"),
      now,
      newId: (kind) => newId(kind === "memory" ? "mem" : "con", now),
    });
    return { ...plan, result: plan.contradictions };
  });
  return { memories: written.memories, contradictions: result };
}
