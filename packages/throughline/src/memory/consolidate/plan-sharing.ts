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
import { sharedAgain, shareFact } from "./share-fact.ts";
import { slotOf } from "./slot-claim.ts";

export interface SharingInput {
  readonly projectId: string;
  /** The private facts of several people; what is not of this project, or about a person, is left out. */
  readonly facts: readonly Memory[];
  /** What the project shares already, also what was put away. */
  readonly shared: readonly Memory[];
  /** Contradictions among what is shared. */
  readonly contradictions?: readonly Contradiction[];
  readonly now: number;
  readonly newId: (kind: "memory" | "contradiction") => string;
}

export interface SharingPlan {
  /** Shared facts that are new, or were said by more people. */
  readonly memories: readonly Memory[];
  readonly contradictions: readonly Contradiction[];
}

/** One thing that is said of a project: by whom in private, and as a shared fact, where there is one. */
interface Saying {
  readonly facts: Memory[];
  shared?: Memory;
}

/**
 * Facts that several people of a project hold, as facts of the project: what two of them say is shared, and where they
 * say different things of something that is one way at a time, both are shared with an open contradiction between them.
 * The private facts stay as they are. Planned again over its own result it changes nothing.
 */
export function planSharing(input: SharingInput): SharingPlan {
  const { facts, shared, now, projectId } = input;
  const said = inOrder(facts.filter((fact) => fact.projectId === projectId && isShareable(fact, now)));
  const topics = Map.groupBy(said, topicOf);
  const known = Map.groupBy(inOrder(shared.filter(({ kind }) => kind === "fact")), topicOf);
  const changed = new Map<string, Memory>();
  const opened: Contradiction[] = [];
  const isKnown = knownPairs(input.contradictions ?? []);
  for (const [topic, sayings] of topics) {
    const all = gather(sayings, known.get(topic) ?? [], now);
    const conflicts = conflictsIn(all);
    for (const saying of all) {
      const isInConflict = conflicts.some((pair) => pair.includes(saying));
      const next = nextShared(saying, isInConflict, input);
      if (next === undefined) continue;
      if (next !== saying.shared) changed.set(next.id, next);
      saying.shared = next;
    }
    for (const [{ shared: a }, { shared: b }] of conflicts) {
      if (a === undefined || b === undefined || isKnown.has(pairKey(a.id, b.id))) continue;
      const finding = findContradiction(claimOf(a), claimOf(b));
      if (finding !== undefined) opened.push(openContradiction(input.newId("contradiction"), a, b, finding, now));
    }
  }
  return { memories: [...changed.values()], contradictions: opened };
}

/** What is said of the project or of things, and not of a person. */
function isShareable(fact: Memory, now: number): boolean {
  const { kind, scope, category, subject } = fact;
  if (kind !== "fact" || scope !== "user-private" || !isCurrent(fact, now)) return false;
  if (subject !== undefined && isPersonal(subject)) return false;
  return category === "project" || (category === undefined && subject !== undefined);
}

/** What a fact is about: a thing that is one way at a time, or just what it says. */
function topicOf(fact: Memory): string {
  const subject = (fact.subject ?? "project").trim().toLowerCase();
  const slot = slotOf(fact);
  const isSlot = slot?.value !== undefined && isSingleValued(slot.key);
  return JSON.stringify(isSlot ? [subject, "slot", slot.key] : [subject, "words", normalizeFact(fact.levels.full)]);
}

function inOrder(facts: readonly Memory[]): readonly Memory[] {
  return [...facts].sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
}

/** Those that say the same together. What the project has put away, or ended, since it was last said is not said any more. */
function gather(facts: readonly Memory[], known: readonly Memory[], now: number): readonly Saying[] {
  const past = known.filter((memory) => !isCurrent(memory, now));
  const sayings: Saying[] = known.filter((memory) => isCurrent(memory, now)).map((shared) => ({ facts: [], shared }));
  for (const fact of facts) {
    const saying = sayings.find((one) => saysSame(one.shared ?? one.facts[0] ?? fact, fact));
    if (saying !== undefined) saying.facts.push(fact);
    else if (!past.some((old) => endOf(old) >= fact.lastSeenAt && saysSame(old, fact))) sayings.push({ facts: [fact] });
  }
  return sayings;
}

function endOf({ archivedAt, validTo }: Memory): number {
  return Math.min(archivedAt ?? Number.POSITIVE_INFINITY, validTo ?? Number.POSITIVE_INFINITY);
}

function saysSame(a: Memory, b: Memory): boolean {
  const subject = "project";
  const [one, other] = [
    { ...a, subject: a.subject ?? subject },
    { ...b, subject: b.subject ?? subject },
  ];
  const slot = slotOf(one);
  const isSlot = slot?.value !== undefined && isSingleValued(slot.key);
  return isSlot ? compareFacts(toComparable(one), toComparable(other)) === "same" : haveSameWords(one, other);
}

/** Two things that cannot both be so and that different people say. */
function conflictsIn(sayings: readonly Saying[]): readonly (readonly [Saying, Saying])[] {
  return sayings.flatMap((a, at) =>
    sayings.slice(at + 1).flatMap((b) => (areOfDifferentPeople(a, b) && areInConflict(a, b) ? [[a, b] as const] : [])),
  );
}

function areOfDifferentPeople(a: Saying, b: Saying): boolean {
  const [mine, yours] = [peopleOf(a), peopleOf(b)];
  return mine.size > 0 && yours.size > 0 && new Set([...mine, ...yours]).size > 1;
}

function areInConflict({ shared: a, facts: [first] }: Saying, { shared: b, facts: [second] }: Saying): boolean {
  const [one, other] = [a ?? first, b ?? second];
  return one !== undefined && other !== undefined && findContradiction(claimOf(one), claimOf(other)) !== undefined;
}

function peopleOf({ facts, shared }: Saying): ReadonlySet<string> {
  return new Set([...facts, ...(shared === undefined ? [] : [shared])].map(({ owner }) => owner));
}

function nextShared(
  saying: Saying,
  isInConflict: boolean,
  { now, newId, projectId }: SharingInput,
): Memory | undefined {
  const { facts, shared } = saying;
  if (shared !== undefined) return sharedAgain(shared, facts);
  const isShared = isInConflict || peopleOf(saying).size > 1;
  return isShared ? shareFact(facts, { id: newId("memory"), projectId, now }) : undefined;
}
