import { TopK } from "../../../memory/recall/query/top-k.ts";
import type { RecallHit } from "../../../memory/service/memory-api.ts";
import type { MemoryIndexEntry } from "../../memory-index-entry.ts";
import type { Role } from "../roles/read-roles.ts";
import type { Scene } from "../scene.ts";

/** A memory, or something that was said, with why it is wanted. */
export interface Member {
  readonly id: string;
  readonly entry?: MemoryIndexEntry;
  readonly said?: RecallHit;
  readonly reasons: readonly string[];
  /** What failed in it is told, as far as it is like the errors of now. */
  readonly withFailure?: boolean;
}

/** What a rule of a tier wants to have in it. */
export interface Candidate {
  /** One, or the two sides of a contradiction. */
  readonly members: readonly Member[];
  /** In coarse steps: small differences, which come and go, do not shake the order. */
  readonly weight: number;
  /** Of what weighs the same the newer comes first. */
  readonly at: number;
}

/** What a rule finds in a scene, the weightiest first. */
export type Rule = (scene: Scene) => readonly Candidate[];

const MAX_CANDIDATES = 40;

export function candidateOf(entry: MemoryIndexEntry, weight: number, reasons: readonly string[]): Candidate {
  const { id, pinned, validFrom } = entry;
  return { members: [{ id, entry, reasons }], weight: weight + (pinned ? 0.5 : 0), at: validFrom };
}

/** The weightiest of what a rule found, in an order that neither the clock nor use decides. */
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

/** Memories of a role that have to do with what is worked on. */
export function related(scene: Scene, role: Role, least = 1): readonly Candidate[] {
  const found = scene.related.get(role)?.filter(({ weight }) => weight >= least) ?? [];
  return rank(found.map(({ entry, weight, reasons }) => candidateOf(entry, weight, reasons)));
}

/** Memories of a role that are about what is worked on. */
export function aboutWork(scene: Scene, role: Role): readonly Candidate[] {
  const found = scene.related.get(role)?.filter(({ isClose }) => isClose) ?? [];
  return rank(found.map(({ entry, weight, reasons }) => candidateOf(entry, weight, reasons)));
}

/** Memories of a role: those that have to do with what is worked on, and then the newest. */
export function relatedAndNewest(scene: Scene, role: Role, reason: string): readonly Candidate[] {
  const newest = scene.memoryIndexes.flatMap((memoryIndex) => memoryIndex.newest(role));
  const others = newest.filter(({ id }) => !scene.close.has(id));
  return rank([...related(scene, role), ...others.map((entry) => candidateOf(entry, 0, [reason]))]);
}
