import { HOUR } from "../../internal/time.ts";
import { termHashes } from "../../language/terms.ts";
import type { Contradiction } from "../../ports/memory.ts";
import type { MemoryIndex } from "../memory-index.ts";
import type { MemoryIndexEntry } from "../memory-index-entry.ts";
import {
  AROUND,
  type Candidate,
  candidateOf,
  findEntry,
  type NamedRule,
  type Relevance,
  rank,
  related,
  relatedAndNewest,
} from "./score-candidates.ts";

/** Age up to which an error is recent. */
const RECENT = 24 * HOUR;
const MAX_PINNED = 200;

/** Pinned memories, which are included in every context. */
function pinnedMemories(relevance: Relevance): readonly Candidate[] {
  const pinned = relevance.memoryIndexes.flatMap((memoryIndex) => memoryIndex.ofRole("pinned"));
  return rank(
    pinned.map((entry) => candidateOf(entry, relevance.close.get(entry.id)?.weight ?? 0, ["pinned"])),
    MAX_PINNED,
  );
}

/** Open contradictions with a pinned memory. */
function pinnedContradictions(relevance: Relevance): readonly Candidate[] {
  return rank(openPairs(relevance).filter(({ members }) => members.some(({ entry }) => entry?.pinned)));
}

/** Open contradictions without a pinned memory. */
function openContradictions(relevance: Relevance): readonly Candidate[] {
  return rank(openPairs(relevance).filter(({ members }) => !members.some(({ entry }) => entry?.pinned)));
}

function openPairs(relevance: Relevance): readonly Candidate[] {
  return relevance.memoryIndexes.flatMap(({ contradictions }) =>
    contradictions.flatMap((one) => pairOf(relevance, one) ?? []),
  );
}

function pairOf(relevance: Relevance, { memoryA, memoryB, reason, detectedAt }: Contradiction): Candidate | undefined {
  const [a, b] = [findEntry(relevance, memoryA), findEntry(relevance, memoryB)];
  if (a === undefined || b === undefined) return undefined;
  const weight = Math.max(...[a, b].map(({ id }) => relevance.close.get(id)?.weight ?? 0));
  const reasons = [`contradiction: ${reason}`];
  return { members: [a, b].map((entry) => ({ id: entry.id, entry, reasons })), weight, at: detectedAt };
}

/** Errors and fixes of the last day, and fixes that are linked to them. */
function recentErrors(relevance: Relevance): readonly Candidate[] {
  const { at } = relevance.signals;
  const isRecent = ({ lastSeenAt }: MemoryIndexEntry): boolean => lastSeenAt <= at && lastSeenAt > at - RECENT;
  // Episodes and workflows mention errors among other things.
  const isFact = ({ kind }: MemoryIndexEntry): boolean => kind === "fact";
  const troubles = relevance.memoryIndexes.flatMap((memoryIndex) => [
    ...memoryIndex.latest("error"),
    ...memoryIndex.latest("fix"),
  ]);
  const recent = [...new Set(troubles)].filter((entry) => isFact(entry) && isRecent(entry));
  const fixes = recent
    .flatMap(({ links }) => links.flatMap((id) => findEntry(relevance, id) ?? []))
    .filter((entry) => entry.roles.includes("fix") && !isRecent(entry));
  const weigh = (entry: MemoryIndexEntry, reason: string): Candidate => {
    const relation = relevance.close.get(entry.id);
    return candidateOf(entry, relation?.weight ?? 0, [reason, ...(relation?.reasons ?? [])]);
  };
  return rank([
    ...recent.map((entry) => weigh(entry, "in the last 24 hours")),
    ...[...new Set(fixes)].map((entry) => weigh(entry, "fixed what came up in the last 24 hours")),
  ]);
}

/** Minimum share of an error's words that a memory has, weighted by rarity. */
const MIN_SHARE = 0.5;
const STEPS = 10;
/** Parts that differ between occurrences: paths, numbers, addresses, hashes, times. */
const PASSING =
  /(?<![\w.@~+-])(?:[A-Za-z]:)?(?:[\w.@~+-]*[\\/])+[\w.@~+-]*(?::\d+)*|\b(?:0x)?[0-9a-f]{6,}\b|\b\d[\d.:,]*(?:ms|s|kb|mb)?\b/gi;

/** Lines of a stack trace, which are not part of the message. */
const FRAME = /(?<!\n[^\S\n]*\n)^\s*(?:at\s.*|File ".*|\.{3}|\^+|[-=]{3,}.*|goroutine \d+.*|from .+:\d+.*)$/gm;
/** Error codes, which identify a kind of error. */
const CODE = /\b(?:E[A-Z]{4,}|E\d{3,}|TS\d{3,5}|[A-Z]{2,}_[A-Z_\d]{3,}|SQLSTATE\w*)\b/g;

/** Quoted names in an error. A memory without any of them reports another error. */
const QUOTED = /["'`‘“]([\w@./$-]{2,60})["'`’”]/g;
/** Numbers such as ports. A memory with the same number is more similar. */
const NUMBER = /\b\d{4,6}\b/g;

/**
 * Finds fixes of earlier errors that equal a current one, by common words. Parts that differ between occurrences, such
 * as paths, numbers and hashes, are ignored.
 */
function similarErrors({ signals, memoryIndexes }: Relevance): readonly Candidate[] {
  const best = new Map<string, Candidate>();
  for (const error of signals.errors.map(readError)) {
    for (const memoryIndex of memoryIndexes) {
      for (const [entry, shared] of shares(memoryIndex, error)) {
        const candidate = weigh(entry, shared, memoryIndex, error);
        if (candidate !== undefined && candidate.weight > (best.get(entry.id)?.weight ?? 0))
          best.set(entry.id, candidate);
      }
    }
  }
  return rank(best.values());
}

/** Words of an error, as hashes of their stems. */
interface ReadError {
  readonly words: ReadonlySet<number>;
  readonly codes: ReadonlySet<number>;
  readonly about: ReadonlySet<number>;
  readonly numbers: ReadonlySet<number>;
}

function readError(error: string): ReadError {
  const bare = error.replace(FRAME, " ");
  const message = bare.trim() === "" ? error : bare;
  return {
    words: stems(message.replace(PASSING, " ")),
    codes: stems((message.match(CODE) ?? []).join(" ")),
    about: stems([...message.matchAll(QUOTED)].map(([, name]) => name).join(" ")),
    numbers: stems((message.match(NUMBER) ?? []).join(" ")),
  };
}

/** Weight of a memory for an error. Undefined if it reports another error. */
function weigh(
  entry: MemoryIndexEntry,
  shared: number,
  memoryIndex: MemoryIndex,
  { codes, about, numbers }: ReadError,
): Candidate | undefined {
  const has = (hashes: ReadonlySet<number>): boolean => [...hashes].some((hash) => memoryIndex.hasWord(hash, entry.id));
  if (about.size > 0 && !has(about)) return undefined;
  const share = has(codes) ? Math.max(shared, MIN_SHARE) : shared;
  if (share < MIN_SHARE) return undefined;
  const nearer = Number(has(codes)) + Number(has(numbers));
  const plain = candidateOf(entry, Math.round(share * STEPS) + nearer * STEPS, ["like an error of now"]);
  return { ...plain, members: plain.members.map((member) => ({ ...member, withFailure: true })) };
}

function stems(text: string): ReadonlySet<number> {
  return termHashes(text);
}

/** Share of the error's words by entry, for fixes that can reach the minimum. */
function shares(memoryIndex: MemoryIndex, { words, codes }: ReadError): ReadonlyMap<MemoryIndexEntry, number> {
  const weighed = [...words]
    .map((word) => ({ word, weight: Math.log(1 + (memoryIndex.size + 1) / (memoryIndex.countOf(word) + 1)) }))
    .sort((a, b) => b.weight - a.weight);
  const all = weighed.reduce((sum, { weight }) => sum + weight, 0);
  const found = new Set([...codes].flatMap((code) => memoryIndex.withWord(code)).filter(isFix));
  let rest = all;
  for (const { word, weight } of weighed) {
    // An entry without any rare word cannot reach the minimum, so entries with frequent words only are skipped.
    if (rest < all * MIN_SHARE) break;
    rest -= weight;
    for (const entry of memoryIndex.withWord(word)) if (isFix(entry)) found.add(entry);
  }
  const shareOf = ({ id }: MemoryIndexEntry): number =>
    weighed.reduce((sum, { word, weight }) => sum + (memoryIndex.hasWord(word, id) ? weight : 0), 0) / all;
  return new Map([...found].map((entry) => [entry, shareOf(entry)]));
}

/** True for fixes. Episodes with an error may have one. */
function isFix({ kind, roles }: MemoryIndexEntry): boolean {
  return roles.includes("fix") || (kind === "episode" && roles.includes("error"));
}

/** Rules of the critical tier by the name that receipts use, and those that several tiers have. */
export const CRITICAL_RULES = {
  "pinned-contradiction": { find: pinnedContradictions, isFirst: true },
  pinned: { find: pinnedMemories, isFirst: true },
  "open-contradiction": { find: openContradictions },
  "active-decision": { find: (relevance) => related(relevance, "decision") },
  "recent-decision": { find: (relevance) => relatedAndNewest(relevance, "decision", "decided lately") },
  "similar-error": { find: similarErrors },
  "recent-error": { find: recentErrors },
  // Earlier fixes and known errors in the current files, or in their part of the project.
  "fix-here": { find: (relevance) => related(relevance, "fix", AROUND) },
  "known-issue": { find: (relevance) => related(relevance, "error", AROUND) },
  "open-question": { find: (relevance) => related(relevance, "open-question") },
  "any-open-question": { find: (relevance) => relatedAndNewest(relevance, "open-question", "still open") },
} satisfies Readonly<Record<string, NamedRule>>;
