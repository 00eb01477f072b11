import { readTerms } from "../../../memory/recall/words/read-terms.ts";
import type { Catalogue } from "../../catalogue.ts";
import type { CatalogueEntry } from "../../catalogue-entry.ts";
import type { Scene } from "../scene.ts";
import { type Candidate, candidateOf, rank } from "./candidate.ts";

/** Of an error's words, weighed by how rare they are, the share that a memory has to have. */
const LEAST_SHARE = 0.5;
const STEPS = 10;
/** What differs each time: places, numbers, addresses, hashes, times. */
const PASSING =
  /(?:[A-Za-z]:)?(?:[\w.@~+-]*[\\/])+[\w.@~+-]*(?::\d+)*|\b(?:0x)?[0-9a-f]{6,}\b|\b\d[\d.:,]*(?:ms|s|kb|mb)?\b/gi;

/** Where it came from, which is no part of what it says. */
const FRAME = /^\s*(?:at\s.*|File ".*|\.{3}|\^+|[-=]{3,}.*|goroutine \d+.*|from .+:\d+.*)$/gm;
/** Names that stand for one kind of error alone. */
const CODE = /\b(?:E[A-Z]{4,}|TS\d{3,5}|[A-Z]{2,}_[A-Z_\d]{3,}|SQLSTATE\w*)\b/g;

/**
 * Errors that were had before, and what fixed them, by the words that errors of one kind share. What differs each time
 * does not count: paths, numbers, hashes.
 */
export function similarErrors({ situation, catalogues }: Scene): readonly Candidate[] {
  const best = new Map<string, Candidate>();
  for (const error of situation.errors) {
    const said = error.replace(FRAME, " ");
    const words = stems((said.trim() === "" ? error : said).replace(PASSING, " "));
    const codes = stems((said.match(CODE) ?? []).join(" "));
    for (const catalogue of catalogues) {
      for (const [entry, shared] of shares(catalogue, words, codes)) {
        const hasCode = [...codes].some((code) => catalogue.hasWord(code, entry.id));
        const share = hasCode ? Math.max(shared, LEAST_SHARE) : shared;
        const plain = candidateOf(entry, Math.round(share * STEPS), ["like an error of now"]);
        const candidate = { ...plain, members: plain.members.map((member) => ({ ...member, withFailure: true })) };
        if (share >= LEAST_SHARE && candidate.weight > (best.get(entry.id)?.weight ?? 0)) best.set(entry.id, candidate);
      }
    }
  }
  return rank(best.values());
}

function stems(text: string): ReadonlySet<number> {
  return new Set(readTerms(text).map(({ hash }) => hash));
}

/** The share of the words that errors and fixes have, for those that may have enough of them. */
function shares(
  catalogue: Catalogue,
  words: ReadonlySet<number>,
  codes: ReadonlySet<number>,
): ReadonlyMap<CatalogueEntry, number> {
  const weighed = [...words]
    .map((word) => ({ word, weight: Math.log(1 + (catalogue.size + 1) / (catalogue.countOf(word) + 1)) }))
    .sort((a, b) => b.weight - a.weight);
  const all = weighed.reduce((sum, { weight }) => sum + weight, 0);
  const found = new Set([...codes].flatMap((code) => catalogue.withWord(code)).filter(isTrouble));
  let rest = all;
  for (const { word, weight } of weighed) {
    // Who has none of the rare words cannot have enough: the many that have a frequent one need not be looked at.
    if (rest < all * LEAST_SHARE) break;
    rest -= weight;
    for (const entry of catalogue.withWord(word)) if (isTrouble(entry)) found.add(entry);
  }
  const shareOf = ({ id }: CatalogueEntry): number =>
    weighed.reduce((sum, { word, weight }) => sum + (catalogue.hasWord(word, id) ? weight : 0), 0) / all;
  return new Map([...found].map((entry) => [entry, shareOf(entry)]));
}

function isTrouble({ roles }: CatalogueEntry): boolean {
  return roles.includes("error") || roles.includes("fix");
}
