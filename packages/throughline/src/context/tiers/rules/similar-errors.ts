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

/**
 * Errors that were had before, and what fixed them, by the words that errors of one kind share. What differs each time
 * does not count: paths, numbers, hashes.
 */
export function similarErrors({ situation, catalogues }: Scene): readonly Candidate[] {
  const best = new Map<string, Candidate>();
  for (const error of situation.errors) {
    const words = new Set(readTerms(error.replace(PASSING, " ")).map(({ hash }) => hash));
    for (const catalogue of catalogues) {
      for (const [entry, share] of shares(catalogue, words)) {
        const candidate = candidateOf(entry, Math.round(share * STEPS), ["like an error of now"]);
        if (share >= LEAST_SHARE && candidate.weight > (best.get(entry.id)?.weight ?? 0)) best.set(entry.id, candidate);
      }
    }
  }
  return rank(best.values());
}

/** The share of the words that errors and fixes have, for those that may have enough of them. */
function shares(catalogue: Catalogue, words: ReadonlySet<number>): ReadonlyMap<CatalogueEntry, number> {
  const weighed = [...words]
    .map((word) => ({ word, weight: Math.log(1 + (catalogue.size + 1) / (catalogue.countOf(word) + 1)) }))
    .sort((a, b) => b.weight - a.weight);
  const all = weighed.reduce((sum, { weight }) => sum + weight, 0);
  const found = new Set<CatalogueEntry>();
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
