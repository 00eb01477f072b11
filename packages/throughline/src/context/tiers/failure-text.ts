import { readTerms, termHashes } from "../../language/terms.ts";
import { asData } from "../../memory/recall/recall-block.ts";
import type { Focus } from "./episode-lines.ts";
import { type MemoryTexts, TextVariant } from "./text-variants.ts";

const MAX_LENGTH = 400;
const MAX_NAME_LENGTH = 160;
const MAX_FILES = 4;
/** Minimum share of the words of an error that its earlier occurrence has. */
const MIN_SHARE = 0.5;

/**
 * The fix of an error that equals one of the current ones, with the files of its session, instead of the whole memory.
 * Undefined if an episode or workflow has no such fix. A fact is returned unchanged.
 */
export function withFailure(texts: MemoryTexts, errors: readonly string[]): MemoryTexts | undefined {
  if (texts.fixes === undefined) return texts;
  const alike = mostAlike(texts.fixes, errors);
  if (alike === undefined) return undefined;
  const title = texts.variants.at(-1)?.text.split("\n")[0] ?? "";
  const write = ({ files }: Focus): string => {
    const named = files.slice(0, MAX_FILES).map((file) => asData(file, MAX_NAME_LENGTH));
    return [asData(alike, MAX_LENGTH), title, ...(named.length === 0 ? [] : [`Files: ${named.join(", ")}`])].join(
      "\n  ",
    );
  };
  return { words: alike, variants: [new TextVariant("summary", write)] };
}

function mostAlike(fixes: readonly string[], errors: readonly string[]): string | undefined {
  let best: { readonly fix: string; readonly share: number } | undefined;
  for (const error of errors) {
    const words = termHashes(error);
    for (const fix of fixes) {
      const shared = new Set(readTerms(fix).flatMap(({ hash }) => (words.has(hash) ? [hash] : [])));
      const share = shared.size / Math.max(1, words.size);
      if (share >= MIN_SHARE && share > (best?.share ?? 0)) best = { fix, share };
    }
  }
  return best?.fix;
}
