import { LateWords } from "./late-words.ts";
import type { Sample } from "./sample-documents.ts";
import type { SearchedIndex } from "./searched-index.ts";

/** Counts of a frequent word that are the same in all queries until the view changes. */
export interface LateTerm {
  /** Number of visible documents that contain the word. */
  readonly documents: number;
  /** Sessions that contain it in turns, and its count in each. */
  readonly sessions: Uint32Array;
  readonly sessionCounts: Float32Array;
  /** By sampled document: count in context, and 1 if the document itself contains the word. */
  readonly counts: Float64Array;
  readonly isOwn: Uint8Array;
  /** Number of sampled documents with the word in or near them. */
  readonly near: number;
}

/** Maximum cached words per view. */
const MAX_TERMS = 64;
/** By sample, because a view has a new one after each change. Counts depend on the usual length of documents. */
const known = new WeakMap<Sample, { readonly usualLength: number; readonly terms: Map<number, LateTerm> }>();

/** The counts of a word in an index. Cached, because they take a look at all of its documents. */
export function lateTermOf(searched: SearchedIndex, hash: number, usualLength: number): LateTerm {
  const { sample } = searched;
  const cached = known.get(sample);
  const terms = cached?.usualLength === usualLength ? cached.terms : new Map<number, LateTerm>();
  if (terms !== cached?.terms) known.set(sample, { usualLength, terms });
  const term = terms.get(hash) ?? { ...countDocuments(searched, hash), ...countSample(searched, hash, usualLength) };
  if (terms.size >= MAX_TERMS) terms.clear();
  terms.set(hash, term);
  return term;
}

function countDocuments(
  { view }: SearchedIndex,
  hash: number,
): Pick<LateTerm, "documents" | "sessions" | "sessionCounts"> {
  const { index, visible } = view;
  const counts = new Map<number, number>();
  let count = 0;
  for (const { documents, own } of index.postings.find(hash)) {
    for (let at = 0; at < documents.length; at += 1) {
      const document = documents[at] as number;
      if (visible[document] !== 1) continue;
      count += 1;
      const session = index.documents.session(document);
      if (session < 0 || own[at] === 0 || !index.documents.isTurn(document)) continue;
      counts.set(session, (counts.get(session) ?? 0) + (own[at] as number));
    }
  }
  const sessionCounts = Float32Array.from(counts.values());
  return { documents: count, sessions: Uint32Array.from(counts.keys()), sessionCounts };
}

function countSample(
  searched: SearchedIndex,
  hash: number,
  usualLength: number,
): Pick<LateTerm, "counts" | "isOwn" | "near"> {
  const { documents } = searched.sample;
  const words = new LateWords(searched, [hash], usualLength);
  const counts = new Float64Array(documents.length);
  const isOwn = new Uint8Array(documents.length);
  documents.forEach((document, at) => {
    words.count(document);
    counts[at] = words.counts[0] as number;
    isOwn[at] = words.isOwn[0] as number;
  });
  return { counts, isOwn, near: counts.reduce((sum, count) => sum + (count > 0 ? 1 : 0), 0) };
}
