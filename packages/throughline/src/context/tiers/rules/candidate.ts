import type { RecallHit } from "../../../memory/memory-api.ts";
import { TopK } from "../../../memory/search/query/select-candidates.ts";
import type { MemoryIndexEntry } from "../../memory-index-entry.ts";
import type { Role } from "../roles/read-roles.ts";
import type { Relevance } from "../score-candidates.ts";

/** A memory, a stored utterance or a file, with the reasons for its selection. */
export interface Member {
  readonly id: string;
  readonly entry?: MemoryIndexEntry;
  readonly utterance?: RecallHit;
  /** Path of a file that is likely next. */
  readonly file?: string;
  readonly reasons: readonly string[];
  /** True if its text includes the failure that is similar to the current errors. */
  readonly withFailure?: boolean;
}

/** A candidate of a rule for its tier. */
export interface Candidate {
  /** One memory, or the two of a contradiction. */
  readonly members: readonly Member[];
  /** Rounded, so that small fluctuations do not change the order. */
  readonly weight: number;
  /** Time for ties: newer candidates come first. */
  readonly at: number;
}

/** Finds candidates in a scene, the highest weight first. */
export type Rule = (relevance: Relevance) => readonly Candidate[];

const MAX_CANDIDATES = 40;
/** Weight of a memory that was stated more than once, below that of a related one. */
const REPEATED = 0.25;

export function candidateOf(entry: MemoryIndexEntry, weight: number, reasons: readonly string[]): Candidate {
  const { id, pinned, validFrom } = entry;
  return { members: [{ id, entry, reasons }], weight: weight + (pinned ? 0.5 : 0), at: validFrom };
}

/** Candidates with the highest weights. The order does not depend on the current time or on usage. */
export function rank(found: Iterable<Candidate>, most = MAX_CANDIDATES): readonly Candidate[] {
  const top = new TopK<Candidate>(most, isBefore);
  for (const candidate of found) top.offer(candidate);
  return top.best;
}

function isBefore(a: Candidate, b: Candidate): boolean {
  if (a.weight !== b.weight) return a.weight > b.weight;
  if (a.at !== b.at) return a.at > b.at;
  return (a.members[0]?.id ?? "") > (b.members[0]?.id ?? "");
}

/** Memories of a role that are related to the current work. */
export function related(relevance: Relevance, role: Role, least = 1): readonly Candidate[] {
  const found = relevance.related.get(role)?.filter(({ weight }) => weight >= least) ?? [];
  return rank(found.map(({ entry, weight, reasons }) => candidateOf(entry, weight, reasons)));
}

/** Memories of a role that are directly about the current work. */
export function aboutWork(relevance: Relevance, role: Role): readonly Candidate[] {
  const found = relevance.related.get(role)?.filter(({ isClose }) => isClose) ?? [];
  return rank(found.map(({ entry, weight, reasons }) => candidateOf(entry, weight, reasons)));
}

/** Memories of a role: those related to the current work, then repeated ones, then the newest. */
export function relatedAndNewest(relevance: Relevance, role: Role, reason: string): readonly Candidate[] {
  const newest = relevance.memoryIndexes.flatMap((memoryIndex) => memoryIndex.newest(role));
  const others = newest.filter(({ id }) => !relevance.close.has(id));
  return rank([
    ...related(relevance, role),
    ...others.map((entry) => candidateOf(entry, entry.isRepeated ? REPEATED : 0, [reason])),
  ]);
}
