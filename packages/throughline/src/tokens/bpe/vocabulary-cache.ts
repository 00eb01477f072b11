import type { Encoding } from "./token-ranks.ts";
import { isPackedVocabulary } from "./vocabulary.ts";

/** Keeps packed vocabularies between processes: building one takes longer than counting a short text. */
export interface VocabularyCache {
  load(encoding: Encoding): Int32Array | undefined;
  store(encoding: Encoding, packed: Int32Array<ArrayBuffer>): void;
}

let used: VocabularyCache | undefined;

/** Sets the cache for all later counts of this process. */
export function useVocabularyCache(cache: VocabularyCache): void {
  used = cache;
}

/** The packed vocabulary of an encoding, from the cache if there is one. */
export function cachedVocabulary(encoding: Encoding, build: () => Int32Array<ArrayBuffer>): Int32Array {
  const known = used?.load(encoding);
  if (known !== undefined && isPackedVocabulary(known)) return known;
  const packed = build();
  used?.store(encoding, packed);
  return packed;
}
