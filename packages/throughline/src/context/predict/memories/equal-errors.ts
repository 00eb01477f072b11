import { termHashes } from "../../../language/terms.ts";
import type { RecallHit } from "../../../memory/memory-api.ts";
import { cleanPath } from "../../file-paths.ts";
import { errorSignature } from "../signals/error-signature.ts";

/** A memory that reports an equal error, with the files that were changed then. */
export interface EqualError {
  readonly id: string;
  readonly files: readonly string[];
}

/** Minimum share of the words of an error that a line has if it reports the same one. */
const MIN_SHARE = 0.75;
/** Errors of fewer words are equal to too much. */
const MIN_WORDS = 2;
const MAX_TEXT_LENGTH = 8_000;
/** Parts of a line that report one failure each. */
const BETWEEN = /\n|; /;
const PLACEHOLDER = /<\w+>/g;
/** Quoted names in an error. A line without any of them reports another error. */
const QUOTED = /["'`‘“]([\w@./$-]{2,60})["'`’”]/g;

/**
 * Memories among the hits of a search that report an equal error: one of their lines has nearly all its words. Parts
 * that differ between occurrences, such as paths and numbers, are ignored.
 */
export function equalErrors(error: string, hits: readonly RecallHit[]): readonly EqualError[] {
  const words = stems(errorSignature(error)?.replace(PLACEHOLDER, " ") ?? "");
  if (words.size < MIN_WORDS) return [];
  const about = [...error.slice(0, MAX_TEXT_LENGTH).matchAll(QUOTED)].map(([, name = ""]) => name);
  const isEqual = (line: string): boolean => {
    if (about.length > 0 && !about.some((name) => line.includes(name))) return false;
    const own = stems(line);
    return [...words].filter((word) => own.has(word)).length >= MIN_SHARE * words.size;
  };
  return hits.flatMap(({ id, memory }) => {
    const lines = memory?.levels.full.slice(0, MAX_TEXT_LENGTH).split(BETWEEN) ?? [];
    if (memory === undefined || !lines.some(isEqual)) return [];
    const files = memory.artifacts.filter(({ type }) => type === "file").map(({ ref }) => cleanPath(ref));
    return [{ id, files }];
  });
}

function stems(text: string): ReadonlySet<number> {
  return termHashes(text);
}
