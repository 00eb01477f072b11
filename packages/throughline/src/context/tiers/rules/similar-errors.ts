import { readTerms } from "../../../language/terms.ts";
import type { MemoryIndex } from "../../memory-index.ts";
import type { MemoryIndexEntry } from "../../memory-index-entry.ts";
import type { Scene } from "../scene.ts";
import { type Candidate, candidateOf, rank } from "./candidate.ts";

/** Of an error's words, weighed by how rare they are, the share that a memory has to have. */
const MIN_SHARE = 0.5;
const STEPS = 10;
/** What differs each time: places, numbers, addresses, hashes, times. */
const PASSING =
  /(?<![\w.@~+-])(?:[A-Za-z]:)?(?:[\w.@~+-]*[\\/])+[\w.@~+-]*(?::\d+)*|\b(?:0x)?[0-9a-f]{6,}\b|\b\d[\d.:,]*(?:ms|s|kb|mb)?\b/gi;

/** Where it came from, which is no part of what it says. */
const FRAME = /(?<!\n[^\S\n]*\n)^\s*(?:at\s.*|File ".*|\.{3}|\^+|[-=]{3,}.*|goroutine \d+.*|from .+:\d+.*)$/gm;
/** Names that stand for one kind of error alone. */
const CODE = /\b(?:E[A-Z]{4,}|E\d{3,}|TS\d{3,5}|[A-Z]{2,}_[A-Z_\d]{3,}|SQLSTATE\w*)\b/g;

/** What an error is about: names in quotes. Who does not have them tells of another error, or leaves them out. */
const QUOTED = /["'`‘“]([\w@./$-]{2,60})["'`’”]/g;
const OF_ANOTHER = 0.7;
/** Ports and the like: who has the same is nearer. */
const NUMBER = /\b\d{4,6}\b/g;

/**
 * Errors that were had before, and what fixed them, by the words that errors of one kind share. What differs each time
 * does not count: paths, numbers, hashes.
 */
export function similarErrors({ situation, memoryIndexes }: Scene): readonly Candidate[] {
  const best = new Map<string, Candidate>();
  for (const error of situation.errors.map(readError)) {
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

/** What an error says, in stems. */
interface ReadError {
  readonly words: ReadonlySet<number>;
  readonly codes: ReadonlySet<number>;
  readonly about: ReadonlySet<number>;
  readonly numbers: ReadonlySet<number>;
}

function readError(error: string): ReadError {
  const bare = error.replace(FRAME, " ");
  const said = bare.trim() === "" ? error : bare;
  return {
    words: stems(said.replace(PASSING, " ")),
    codes: stems((said.match(CODE) ?? []).join(" ")),
    about: stems([...said.matchAll(QUOTED)].map(([, name]) => name).join(" ")),
    numbers: stems((said.match(NUMBER) ?? []).join(" ")),
  };
}

/** Nothing where it is another error. */
function weigh(
  entry: MemoryIndexEntry,
  shared: number,
  memoryIndex: MemoryIndex,
  { codes, about, numbers }: ReadError,
): Candidate | undefined {
  const has = (hashes: ReadonlySet<number>): boolean => [...hashes].some((hash) => memoryIndex.hasWord(hash, entry.id));
  const own = about.size === 0 || has(about) ? shared : shared * OF_ANOTHER;
  const share = has(codes) ? Math.max(own, MIN_SHARE) : own;
  if (share < MIN_SHARE) return undefined;
  const nearer = Number(has(codes)) + Number(has(numbers));
  const plain = candidateOf(entry, Math.round(share * STEPS) + nearer * STEPS, ["like an error of now"]);
  return { ...plain, members: plain.members.map((member) => ({ ...member, withFailure: true })) };
}

function stems(text: string): ReadonlySet<number> {
  return new Set(readTerms(text).map(({ hash }) => hash));
}

/** The share of the words that errors and fixes have, for those that may have enough of them. */
function shares(memoryIndex: MemoryIndex, { words, codes }: ReadError): ReadonlyMap<MemoryIndexEntry, number> {
  const weighed = [...words]
    .map((word) => ({ word, weight: Math.log(1 + (memoryIndex.size + 1) / (memoryIndex.countOf(word) + 1)) }))
    .sort((a, b) => b.weight - a.weight);
  const all = weighed.reduce((sum, { weight }) => sum + weight, 0);
  const found = new Set([...codes].flatMap((code) => memoryIndex.withWord(code)).filter(isTrouble));
  let rest = all;
  for (const { word, weight } of weighed) {
    // Who has none of the rare words cannot have enough: the many that have a frequent one need not be looked at.
    if (rest < all * MIN_SHARE) break;
    rest -= weight;
    for (const entry of memoryIndex.withWord(word)) if (isTrouble(entry)) found.add(entry);
  }
  const shareOf = ({ id }: MemoryIndexEntry): number =>
    weighed.reduce((sum, { word, weight }) => sum + (memoryIndex.hasWord(word, id) ? weight : 0), 0) / all;
  return new Map([...found].map((entry) => [entry, shareOf(entry)]));
}

function isTrouble({ roles }: MemoryIndexEntry): boolean {
  return roles.includes("error") || roles.includes("fix");
}
