import type { Contradiction, Memory } from "../../ports/memory.ts";
import { claimOf, openContradiction } from "../contradictions/contradictions.ts";
import { compareFacts, toComparable } from "../facts/compare-facts.ts";
import { normalizeFact } from "../facts/normalize-fact.ts";
import { isSingleValued } from "../facts/slot-keys.ts";
import { findContradiction } from "../reconcile/compare-claims.ts";
import { isPersonal } from "./comparison-key.ts";
import { isCurrent } from "./current.ts";
import { knownPairs, pairKey } from "./pair-key.ts";
import { haveSameWords } from "./same-fact.ts";
import { shareFact, updateSharedFact } from "./share-fact.ts";
import { slotOf } from "./slot-claim.ts";

export interface SharingInput {
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

export interface SharingPlan {
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
